/** Reads for several results in one go what they need. */
import type { PullRequestChanges } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { pageUrl, pullOfLink, threadName } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import type { EntryComment } from '../record/format.ts'
import { isOfHead, readFiles } from './check-changes.ts'
import { isListed, type Listed, readViews } from './hold.ts'

/** What was read for a group of results. What GitHub rejects is missing, so it is read alone. */
export interface Batch {
  /** What pull requests change, by their links. */
  changes: Map<string, PullRequestChanges>
  /** All entries on pull requests, by the names of their threads. */
  entries: Map<string, EntryComment[]>
}

/**
 * Reads pull requests.
 * @param wanted the links to them, and whether their files are checked
 * @param topics the comments of the second look
 */
export async function readAhead(
  wanted: readonly { link: string | null; isChecked: boolean }[],
  listed: Listed,
  topics: ReadonlyMap<string, EntryComment[]>,
  ports: AgentPorts,
): Promise<Batch> {
  const { serverUrl, run } = ports
  const names = wanted.flatMap(({ link }) => pullOfLink(link, serverUrl) ?? [])
  const views = [...(await readViews(names, ports)).values()]
  const comments = [...topics.values()].flat().filter(({ isSigned }) => isSigned)
  const onThreads = Map.groupBy(comments, ({ thread }) => threadName(thread))
  const young = views.filter((view) => isListed(view, listed, ports)).map(({ thread }) => threadName(thread))
  // A pull request is checked if any of its requests asks for it.
  const checked = new Set(wanted.filter(({ isChecked }) => isChecked).map(({ link }) => link))
  const changes: Batch['changes'] = new Map()
  for (const [repository, group] of Map.groupBy(views, ({ thread }) => thread.repository)) {
    // Another repository may have taken this one's name.
    const isHome = isSameName(repository, run.repository)
    const meant = group.filter(({ repositoryId }) => !isHome || repositoryId === run.repositoryId)
    const pulls = meant.map((view) => {
      const url = pageUrl(view.thread, serverUrl)
      return { ...view, url, isChecked: checked.has(url) }
    })
    const replies = await readFiles(repository, pulls, ports)
    for (const [index, { url, isChecked }] of pulls.entries()) {
      const reply = replies[index]
      if (reply?.ok && (!isChecked || isOfHead(reply.value))) changes.set(url, reply.value)
    }
  }
  return { changes, entries: new Map(young.map((name) => [name, onThreads.get(name) ?? []])) }
}
