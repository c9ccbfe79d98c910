/** Reads for several results in one go what they need. */
import type { PullRequestChanges } from '../core/pull-changes.ts'
import { pageUrl, pullOfLink } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import type { EntryComment } from '../record/format.ts'
import { isOfHead, readFiles } from './check-changes.ts'
import { type FoundPull, isListed, type Listed, readViews } from './hold.ts'
import type { Threads } from './open-work.ts'

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
 * @param threads the comments of the second look
 */
export async function readAhead(
  wanted: readonly { link: string | null; isChecked: boolean }[],
  listed: Listed,
  threads: Threads,
  ports: AgentPorts,
): Promise<Batch> {
  const names = wanted.flatMap(({ link }) => pullOfLink(link, ports.serverUrl, ports.run) ?? [])
  const views = await readViews(names, ports)
  const entries: Batch['entries'] = new Map()
  for (const [name, view] of views)
    if (isListed(view, listed, ports))
      entries.set(name, threads.get(name)?.filter(({ isSigned }) => isSigned) ?? [])
  // A pull request is checked if any of its requests asks for it.
  const checked = new Set(wanted.filter(({ isChecked }) => isChecked).map(({ link }) => link))
  return { changes: await readTogether(views.values(), checked, ports), entries }
}

/** Reads what pull requests change, by their links. @param checked the links to those whose files are checked */
async function readTogether(
  views: Iterable<FoundPull>,
  checked: ReadonlySet<string | null>,
  ports: AgentPorts,
) {
  const changes: Batch['changes'] = new Map()
  for (const [repository, group] of Map.groupBy(views, ({ thread }) => thread.repository)) {
    const pulls = group.map((view) => {
      const url = pageUrl(view.thread, ports.serverUrl)
      return { ...view, url, isChecked: checked.has(url) }
    })
    const replies = await readFiles(repository, pulls, ports)
    for (const [index, { url, isChecked }] of pulls.entries()) {
      const reply = replies[index]
      if (reply?.ok && (!isChecked || isOfHead(reply.value))) changes.set(url, reply.value)
    }
  }
  return changes
}
