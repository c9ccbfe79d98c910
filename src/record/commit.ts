/** A request's entries on its commit: statuses, which also link people to the commit's docs. */
import { fingerprint } from '../core/mark.ts'
import { failsStep, type Outcome } from '../core/outcome.ts'
import { type GitHubReply, isForGood, type Rejection } from '../core/reply.ts'
import type { Origin } from '../core/trigger/change.ts'
import type { AgentPorts } from '../ports.ts'
import { orWarn } from './comments.ts'
import { fold, isOpen } from './entry.ts'
import { type EntryStatus, type StatusEntry, writeStatus } from './format.ts'
import { byRun, type StepStatus, stepStatuses } from './lists.ts'
import { type Place, type Shown, twice } from './place.ts'

/** A request on a commit, and its run. */
export interface CommitRequest extends Pick<StatusEntry, 'run' | 'follows' | 'number' | 'globs'> {
  commit: string
  /** The first of the step's contexts. */
  context: string
  runUrl: string
  /** Outcomes that set the status to `failure`. */
  failOn: readonly Outcome[]
}

/** Keeps a request's entries on its commit. */
export interface CommitPlace extends Place {
  kind: 'commit'
  request: CommitRequest
}

/**
 * A context shows only its latest status, so a request begins in one in which no other request is open, and stays there.
 * If two begin at once, the end of one says that it hides the other.
 * @param origin what the request is about, as its event says; null if GitHub must be asked
 * @param known the step's statuses on the commit, if it was read
 */
export function commitPlace(
  request: CommitRequest,
  ports: AgentPorts,
  origin: Origin | null = null,
  known: StepStatus[] = [],
): CommitPlace {
  const { github, run, words } = ports
  const { commit, context: first, runUrl } = request
  const { repository, step } = run
  let listed = known
  let isOff = false
  /** What this step wrote, newest first: lists lag. */
  const written: EntryStatus[] = []
  /** Whether GitHub may have carried out a write although its response was lost. */
  let mayHaveWritten = false

  /** The entries of each of the step's requests, newest first. */
  const requests = () => byRun([...written, ...listed].toSorted((one, other) => other.id - one.id))
  const own = () => requests().get(request.run) ?? []

  /** The other requests that are open. */
  const others = () =>
    [...requests()].flatMap(([run, all]) => (run !== request.run && isOpen(fold(all)) ? [all] : []))

  /** The context of the request's statuses; for its first one, the first context that shows no open request. */
  function contextOfOwn(): string {
    const signed = (entries: EntryStatus[]) => entries.find(({ isSigned }) => isSigned)?.context
    const started = signed(own())
    if (started !== undefined) return started
    const isTaken = (context: string) => {
      const latest = listed.find((each) => each.context === context)
      // A pending status without an entry may be another project's.
      const isUnknown = latest?.entry === null && latest.state === 'pending'
      return isUnknown || others().some((other) => signed(other) === context)
    }
    let context = first
    for (let number = 2; isTaken(context); number++) context = `${first} · ${number}`
    return context
  }

  /** Does without a record if it is optional (as on a release), GitHub denies it, and nothing is recorded yet. */
  function turnOff(rejection: Rejection): boolean {
    const isDenied = isForGood(rejection) && 'status' in rejection && rejection.status >= 400
    isOff ||= request.follows === 'nothing' && isDenied && !mayHaveWritten && own().length === 0
    return isOff
  }

  async function set(
    entry: StatusEntry,
    { words, state, link: targetUrl }: Shown,
  ): Promise<GitHubReply<unknown>> {
    const context = contextOfOwn()
    const description = writeStatus(words, entry, { commit, context, targetUrl }, ports)
    const status = { context, state, description, targetUrl }
    const set = await github.setStatus(repository, commit, status)
    if (set.ok)
      written.unshift({ ...status, id: set.value, commit, author: null, createdAt: 0, entry, isSigned: true })
    else mayHaveWritten ||= set.failure.isUncertain === true
    return set.ok || !turnOff(set.failure) ? set : { ok: true, value: null }
  }

  const place: CommitPlace = {
    kind: 'commit',
    request,
    get isOff() {
      return isOff
    },

    async about() {
      const names = { request: `run:${request.run}`, step: fingerprint(`${step.project}\n${first}`) }
      return {
        ...(origin ?? (await readOrigin(request, ports))),
        ...names,
        project: fingerprint(step.project),
      }
    },

    async list() {
      if (isOff) return { ok: true, value: [] }
      const read = await twice(() => stepStatuses(commit, [first], ports))
      if (read.ok) listed = read.value
      else if (!turnOff(read.failure)) return read
      return { ok: true, value: own() }
    },

    pending: () => ({ words: words.status(null), state: 'pending', link: runUrl, isReport: false }),

    result(result, isReport) {
      const ended = failsStep(result.outcome, new Set(request.failOn)) ? 'failure' : 'success'
      const link = result.job?.prLink ?? runUrl
      return { words: words.status(result), state: isReport ? ended : 'pending', link, isReport }
    },

    async write(statement, shown) {
      const { isReport } = shown
      const isFirst = written.length === 0
      // What the run saw when it began may have changed.
      const read = isReport || isFirst ? await place.list() : null
      const on = `commit ${commit.slice(0, 7)}`
      // Without the list, a report might contradict what is known.
      if (isReport && isFirst && read?.ok === false) return orWarn('status', on, read, ports)
      if (isOff) return { ok: true, value: null }
      const hides = isReport && (read?.ok === false || others().length > 0)
      const writing = () => set({ ...request, ...statement, hides }, shown)
      // A report comes once: the first call may have been carried out, and then, another request can have the context.
      return orWarn('status', on, isReport ? writing() : twice(writing), ports)
    },

    /** The newest status, if its context shows the request as open although it is at rest: a run withdrew later. */
    get leftovers() {
      const [newest] = own()
      const isLatest = [...written, ...listed].every(
        ({ context, id }) => context !== newest?.context || id <= newest.id,
      )
      const isShown = isLatest && newest?.isSigned && newest.state === 'pending'
      return isShown && !isOpen(fold(own())) ? [newest] : []
    },

    /** Repeats the request's end. */
    async clear() {
      const { top } = fold(own())
      if (top === null || place.leftovers.length === 0) return true
      const { context, state, description, targetUrl } = top
      return (await github.setStatus(repository, commit, { context, state, description, targetUrl })).ok
    },
  }
  return place
}

/** What a request on a commit is about. A commit that merged its pull request has no code to wait for or to compare with. */
async function readOrigin(request: CommitRequest, { github, run }: AgentPorts): Promise<Origin> {
  const { commit: head, follows } = request
  const { repository } = run
  const read = request.number === null ? null : await github.pull(repository, request.number)
  const pull = read?.ok ? read.value : null
  const author = pull?.author ?? null
  const hold = follows === 'merge' || follows === 'release' ? follows : null
  // Only a request of an open pull request has a hold, so its code is known even if the pull request cannot be read.
  const number = pull === null && hold === null ? null : request.number
  const isMerge = pull?.mergeCommit === head && pull.headCommit !== head
  const change = follows === 'nothing' ? null : { repository, head, number, author }
  const code = number === null || isMerge ? null : { repository, number, head, hold }
  return { thread: null, change, requester: author, code }
}
