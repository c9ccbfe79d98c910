/** Reads for several results in one go what they need. */
import type { PullRequestChanges } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { pageUrl, pullOfLink, threadName } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import type { EntryComment } from '../record/format.ts'
import { isOfHead, pullRequestChanges } from './check-changes.ts'
import { type FoundPull, isListed, type Listed, readViews } from './hold.ts'

/** What was read for a group of results. What GitHub rejects is missing, so it is read alone. */
export interface Batch {
  /** What pull requests change, by their links. */
  changes: Map<string, PullRequestChanges>
  /** All entries on pull requests, by the names of their threads. */
  entries: Map<string, EntryComment[]>
}

/**
 * Reads pull requests.
 * @param links theirs, and whether their files are checked
 * @param topics the comments of the second look
 */
export async function readAhead(
  links: ReadonlyMap<string, boolean>,
  listed: Pick<Listed, 'listedSince'>,
  topics: ReadonlyMap<string, EntryComment[]>,
  ports: AgentPorts,
): Promise<Batch> {
  const { serverUrl, run } = ports
  const names = [...links.keys()].flatMap((link) => pullOfLink(link, serverUrl) ?? [])
  const views = [...(await readViews(names, ports)).values()]
  const comments = [...topics.values()].flat().filter(({ isSigned }) => isSigned)
  const onThreads = Map.groupBy(comments, ({ thread }) => threadName(thread))
  const young = views.filter((view) => isListed(view, listed, ports)).map(({ thread }) => threadName(thread))
  const changes: Batch['changes'] = new Map()
  for (const [repository, group] of Map.groupBy(views, ({ thread }) => thread.repository)) {
    // Another repository may have taken this one's name.
    const isHome = isSameName(repository, run.repository)
    const meant = group.filter(({ repositoryId }) => !isHome || repositoryId === run.repositoryId)
    for (const [url, found] of await readTogether(repository, meant, links, ports)) changes.set(url, found)
  }
  return { changes, entries: new Map(young.map((name) => [name, onThreads.get(name) ?? []])) }
}

/** Reads what pull requests of a repository change, by their links. */
async function readTogether(
  repository: string,
  views: readonly FoundPull[],
  links: ReadonlyMap<string, boolean>,
  { github, serverUrl, sha256 }: AgentPorts,
) {
  const pulls = []
  for (const view of views) {
    const files = await github.changedFiles(repository, { by: 'pull', number: view.number })
    const url = pageUrl(view.thread, serverUrl)
    if (files.ok) pulls.push({ ...view, ...files.value, url })
  }
  const checked = pulls.filter(({ url }) => links.get(url))
  const paths = checked.map(({ head, files }) => [head, files.map(({ path }) => path)] as const)
  const reply = paths.length > 0 ? await github.entries(repository, new Map(paths)) : null
  const entries = reply?.ok ? reply.value : undefined
  const changes = pulls.map((pull) => {
    return [pull.url, pullRequestChanges(pull, pull, sha256, entries?.get(pull.head))] as const
  })
  return changes.filter(([url, found]) => !links.get(url) || isOfHead(found))
}
