/** Reads for many results at once what each would read alone. */
import type { ChangedFiles } from '../core/prompt/diff.ts'
import type { GitHubReply } from '../core/reply.ts'
import { nameOf, pageUrl, pullOfLink, pullThread, type Thread, threadName } from '../core/thread.ts'
import type { AgentPorts, Entry, GitHubPorts, PullRequestDetails, PullView } from '../ports.ts'
import type { EntryComment } from '../record/format.ts'
import { isListed } from './hold.ts'
import type { OpenWork } from './open-work.ts'

/** What was read for a group of results. */
export interface Batch {
  /** Return each thing that was read once, because a second read must show what has changed; then, they read alone. */
  ports: AgentPorts
  /** All entries on a thread that is young enough; undefined if they are not known. */
  knownEntries(thread: Thread): EntryComment[] | undefined
}

/** The pull request of a result. */
interface ResultLink {
  link: string
  /** Whether its files are checked, so that their modes are needed. */
  isChecked: boolean
}

/** What was read, by name: pull requests, and of the checked ones also the files and what their last commits have. */
interface Found {
  pulls: Map<string, PullRequestDetails>
  files: Map<string, ChangedFiles>
  entries: Map<string, Map<string, Entry>>
  /** By threads that are young enough: all comments with entries. */
  comments: Map<string, EntryComment[]>
}

/**
 * Reads the pull requests of results, and the files of those that are checked. What GitHub rejects is missing, so it is
 * read alone.
 * @param topics the comments of the second look
 */
export async function readAhead(
  links: readonly ResultLink[],
  work: Pick<OpenWork, 'listedSince'>,
  topics: ReadonlyMap<string, EntryComment[]>,
  ports: AgentPorts,
): Promise<Batch> {
  const found: Found = { pulls: new Map(), files: new Map(), entries: new Map(), comments: new Map() }
  const wanted = links.flatMap(({ link, isChecked }) => {
    const name = pullOfLink(link, ports.serverUrl, ports.run)
    return name === null ? [] : { ...name, isChecked }
  })
  for (const [repository, group] of Map.groupBy(wanted, (each) => each.repository)) {
    const numbersOf = (all: typeof group) => [...new Set(all.map(({ number }) => number))]
    await readPulls(repository, numbersOf(group), work, found, ports)
    const checked = group.filter(({ isChecked }) => isChecked)
    await readFiles(repository, numbersOf(checked), found, ports)
  }
  for (const comment of [...topics.values()].flat())
    if (comment.isSigned) found.comments.get(threadName(comment.thread))?.push(comment)
  return {
    ports: { ...ports, github: { ...ports.github, ...readsOnce(found, ports) } },
    knownEntries: (thread) => take(found.comments, threadName(thread)),
  }
}

async function readPulls(
  repository: string,
  numbers: number[],
  work: Pick<OpenWork, 'listedSince'>,
  found: Found,
  ports: AgentPorts,
) {
  const views = await ports.github.pullViews(repository, numbers)
  for (const view of views.ok ? views.value : []) {
    const thread = pullThread({ repository, repositoryId: view.repositoryId }, view.number)
    found.pulls.set(nameOf(thread), detailsOf(view, pageUrl(thread, ports.serverUrl)))
    if (isListed(view, work, ports)) found.comments.set(threadName(thread), [])
  }
}

async function readFiles(repository: string, numbers: number[], found: Found, { github }: AgentPorts) {
  const paths = new Map<string, string[]>()
  for (const number of numbers) {
    const name = nameOf({ repository, number })
    const pull = found.pulls.get(name)
    if (pull === undefined) continue
    const list = await github.changedFiles(repository, { by: 'pull', number })
    if (!list.ok) continue
    found.files.set(name, list.value)
    const changed = list.value.files.map(({ path }) => path)
    paths.set(pull.headCommit, changed)
  }
  if (paths.size === 0) return
  const entries = await github.entries(repository, paths)
  if (entries.ok) found.entries = new Map([...found.entries, ...entries.value])
}

/** Calls that return what was found, the first time. */
function readsOnce({ pulls, files, entries }: Found, { github }: AgentPorts) {
  const reads: Pick<GitHubPorts, 'pull' | 'changedFiles' | 'entries'> = {
    async pull(name) {
      const pull = take(pulls, nameOf(name))
      const isMeant = name.repositoryId === null || name.repositoryId === pull?.repositoryId
      return pull && isMeant ? done(pull) : github.pull(name)
    },
    async changedFiles(repository, range) {
      const list = range.by === 'pull' && take(files, nameOf({ repository, number: range.number }))
      return list ? done(list) : github.changedFiles(repository, range)
    },
    async entries(repository, paths) {
      const [commit = ''] = paths.keys()
      const known = take(entries, commit)
      return known ? done(new Map([[commit, known]])) : github.entries(repository, paths)
    },
  }
  return reads
}

function take<T>(found: Map<string, T>, name: string) {
  const value = found.get(name)
  found.delete(name)
  return value
}

function done<T>(value: T): GitHubReply<T> {
  return { ok: true, value }
}

/** A pull request as it is read alone. */
function detailsOf(view: PullView, url: string): PullRequestDetails {
  const {
    state,
    head: headCommit,
    branch: headBranch,
    closedAt: _,
    statuses: _statuses,
    createdAt: _at,
    ...more
  } = view
  return { ...more, url, headCommit, headBranch, isMerged: state === 'merged', isOpen: state === 'open' }
}
