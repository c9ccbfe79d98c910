/** Mode settle for the agent's pull requests: does what comes next for each one (see `nextForPull`). */
import { globsName, guardContext, guardedGlobs } from '../core/guard.ts'
import { type FoundMark, type Mark, stateFields, stateOnThread, wordsOf } from '../core/mark.ts'
import {
  type CodePull,
  type Hold,
  type HoldState,
  holdContext,
  holdStatuses,
  nextForPull,
  type PullSeen,
  type PullStep,
} from '../core/pull.ts'
import { isOpenRecord, jobToRead } from '../core/record.ts'
import type { SettledPull } from '../core/settle.ts'
import { pullThread, type Thread, threadName } from '../core/thread.ts'
import type { RunSettings } from './carry-out.ts'
import { isAuthoredBy } from './change.ts'
import { type CommentPorts, editFresh, marksIn, postMarked } from './comments.ts'
import { type SettlePorts, sendFinalDiff } from './final-diff.ts'
import type { PlacedComment, PublishedRelease, PullView } from './ports.ts'
import { guard, warn } from './pull-settings.ts'
import { leaveOut, ownMarks, showHold } from './pulls.ts'
import { readChanges } from './review.ts'

/** One of the agent's pull requests, with the action's comments on it. */
export interface AgentPull {
  thread: Thread
  marks: readonly FoundMark[]
  /** The comment with its record. */
  comment: FoundMark
  /** Whether the comment is too old to be listed. */
  isOld?: true
}

/** The agent's pull requests, found through comments by the token's own account. */
export function agentPulls(
  comments: readonly PlacedComment[],
  project: string,
  ports: Pick<CommentPorts, 'sign'>,
): AgentPull[] {
  const threads = Map.groupBy(comments, ({ thread }) => threadName(thread))
  return [...threads.values()].flatMap((own): AgentPull[] => {
    const thread = own[0]?.thread
    if (thread === undefined) return []
    const marks = marksIn(own, thread, ports).toSorted((one, other) => one.comment - other.comment)
    const records = marks.filter(
      ({ mark, isSigned, isBound }) =>
        isSigned && isBound && mark.role === 'provenance' && mark.project === project,
    )
    const comment = records.findLast(({ mark }) => mark.code) ?? records.at(-1)
    return comment === undefined ? [] : [{ thread, marks, comment }]
  })
}

interface Seen {
  views: ReadonlyMap<string, PullView>
  releases: ReadonlyMap<string, PublishedRelease[]>
}

/** Milliseconds before asking GitHub again whether a pull request can be merged: the first request only makes GitHub check. */
const mergeableGrace = 3_000

/** What settle knows about the other pull requests and requests. */
export interface PullsAround {
  /** Waits until GitHub lists what another settle may have just written. */
  waitForLists(): Promise<void>
  /** Whether a pull request documents anything besides the code that it waits for. */
  isElsewhere(pull: AgentPull, code: CodePull): Promise<boolean>
  /** Whether this settle has reported the result of a request. */
  isReported(thread: Thread, request: string): boolean
}

/** Does what comes next for each pull request: nothing once it is merged or closed, because a person decided. */
export async function followPulls(
  pulls: readonly AgentPull[],
  settings: RunSettings,
  around: PullsAround,
  ports: SettlePorts,
): Promise<SettledPull[]> {
  const done: SettledPull[] = []
  const seen = await look(pulls, ports)
  if (seen === null) return done
  const viewer = await ports.github.viewer()
  if (!viewer.ok) return done
  for (const pull of pulls) {
    if (ports.cancelled.aborted) break
    const view = seen.views.get(threadName(pull.thread))
    if (view?.state !== 'open') continue
    const life = new PullLife(pull, view, settings, { ...around, ...seen, viewer: viewer.value }, ports)
    done.push(...(await life.go()))
  }
  return done
}

/** Reads pull requests in one query for each repository; null if none could be read. */
async function look(pulls: readonly AgentPull[], ports: SettlePorts): Promise<Seen | null> {
  const views = new Map<string, PullView>()
  const releases = new Map<string, PublishedRelease[]>()
  const read = async (threads: readonly Pick<Thread, 'repository' | 'number'>[]) => {
    for (const [repository, wanted] of Map.groupBy(threads, (each) => each.repository)) {
      const numbers = [...new Set(wanted.map(({ number }) => number))]
      const found = await ports.github.pullViews(repository, numbers)
      if (!found.ok) {
        ports.onProgress({ type: 'pulls-unread', repository, rejection: found.rejection })
        continue
      }
      for (const view of found.value.pulls) views.set(nameOf({ repository, number: view.number }), view)
      releases.set(repository.toLowerCase(), found.value.releases)
    }
  }
  const codes = pulls.flatMap(({ comment: { mark } }) => (mark.code?.state === 'held' ? [mark.code] : []))
  await read([...pulls.map(({ thread }) => thread), ...codes])
  const unknown = pulls.filter(({ thread }) => {
    const view = views.get(threadName(thread))
    return view?.state === 'open' && view.mergeable === 'unknown'
  })
  if (unknown.length > 0) {
    await ports.clock.sleep(mergeableGrace, ports.cancelled)
    await read(unknown.map(({ thread }) => thread))
  }
  return views.size === 0 ? null : { views, releases }
}

function nameOf({ repository, number }: Pick<Thread, 'repository' | 'number'>): string {
  return threadName(pullThread(repository, number))
}

interface Around extends PullsAround, Seen {
  /** The token's own account. Only its statuses count. */
  viewer: string
}

type Did = SettledPull['did'] | null

/** One of the agent's open pull requests, while settle works on it. */
class PullLife {
  private readonly pull: AgentPull
  private readonly view: PullView
  private readonly settings: RunSettings
  private readonly around: Around
  private readonly ports: SettlePorts
  private mark: Mark
  private readonly link: string

  constructor(pull: AgentPull, view: PullView, settings: RunSettings, around: Around, ports: SettlePorts) {
    this.pull = pull
    this.view = view
    this.settings = settings
    this.around = around
    this.ports = ports
    this.mark = pull.comment.mark
    const { repository, number } = pull.thread
    this.link = `${ports.serverUrl}/${repository}/pull/${number}`
  }

  async go(): Promise<SettledPull[]> {
    const { link, hold } = this
    const done: Did[] = []
    const record = { hold, isInConflict: this.mark.isInConflict === true }
    for (const step of nextForPull(record, await this.seen())) done.push(await this.carryOut(step))
    if (await this.renewGuard()) done.push('guarded')
    if (this.pull.isOld) await this.keep({})
    return done.flatMap((did) => (did === null ? [] : { link, did }))
  }

  private get hold(): Hold | null {
    const { code } = this.mark
    return code?.hold ? { ...code, hold: code.hold, state: code.state ?? 'held' } : null
  }

  /** The code's pull request; undefined if there is no hold, or if it could not be read. */
  private get code(): PullView | undefined {
    return this.mark.code ? this.around.views.get(nameOf(this.mark.code)) : undefined
  }

  private async seen(): Promise<PullSeen> {
    const { hold, code = null } = this
    const { head, mergeable } = this.view
    const hasStatus = this.view.statuses.some(
      ({ commit, context, creator, state }) =>
        commit === head &&
        context === holdContext &&
        creator === this.around.viewer &&
        hold !== null &&
        state === holdStatuses[hold.state],
    )
    const followUp = hold === null || code === null ? 'none' : this.followUp(code.head)
    return { mergeable, hasStatus, code, isReleased: await this.isReleased(), followUp }
  }

  /** The state of the follow-up with a final diff, according to the comments on this pull request. */
  private followUp(head: string): PullSeen['followUp'] {
    const request = finalRequest(this.mark, head)
    const { known } = stateOnThread({ request, step: this.mark.step }, this.pull.marks)
    if (known.kind === 'none') return 'none'
    if (known.kind === 'foreign') return 'ended'
    const { record } = known
    // Settle no longer looks at a job that old.
    const isGivenUp = record.state === 'job' && jobToRead(record, this.ports.clock.date()) === null
    if (isGivenUp || this.around.isReported(this.pull.thread, request)) return 'ended'
    if (isOpenRecord(record)) return 'active'
    return record.state === 'not-sent' ? 'none' : 'ended'
  }

  /** Whether a release contains the code. A release is checked only once. */
  private async isReleased(): Promise<boolean | null> {
    const { hold, code, mark } = this
    if (hold?.hold !== 'release' || hold.state !== 'held') return null
    if (code?.state !== 'merged' || code.mergeCommit === null) return false
    const { closedAt, mergeCommit } = code
    const all = this.around.releases.get(hold.repository.toLowerCase()) ?? []
    const known = all.findIndex(({ tag }) => tag === mark.code?.without)
    const unseen = (known === -1 ? all : all.slice(0, known)).filter(
      ({ publishedAt }) => publishedAt >= (closedAt ?? 0),
    )
    for (const { tag } of unseen) {
      const contains = await this.ports.github.contains(hold.repository, tag, mergeCommit)
      if (!contains.ok) return false
      if (contains.value) return true
    }
    const [newest] = unseen
    if (newest !== undefined) await this.keepCode({ without: newest.tag })
    return false
  }

  private async carryOut(step: PullStep): Promise<Did> {
    const { hold } = this
    if (step === 'report-conflict') return this.reportConflict()
    if (step === 'forget-conflict' || hold === null) return this.keep({ isInConflict: false })
    switch (step) {
      case 'renew':
        return (await this.show(hold, hold.state)) ? 'shown' : null
      case 'send':
        return this.send(hold)
      case 'lift':
        return this.lift(hold)
      case 'abandon':
        return this.abandon(hold)
    }
  }

  private show(hold: Hold, state: HoldState): Promise<boolean> {
    return showHold(this.pull.thread, hold, state, this.view.head, this.ports)
  }

  /** Sends the final diff. It is a request with its own record, so it is never sent twice. */
  private async send(hold: Hold): Promise<Did> {
    const { code, pull, mark } = this
    if (code === undefined || mark.job === null) return null
    await this.around.waitForLists()
    const { head } = code
    const final = { ...hold, head }
    const target = { thread: pull.thread, job: mark.job, request: finalRequest(mark, head), mark }
    const sent = await sendFinalDiff(final, target, this.settings, this.ports)
    if (sent === 'later') return this.ports.cancelled.aborted ? null : 'unsent'
    const isImpossible = sent === 'impossible'
    if (isImpossible && !(await this.notify(`outdated:${head}`, this.ports.words.outdated(final))))
      return null
    await this.keepCode({ head }, { since: this.ports.clock.date() })
    if (sent === 'needless') return null
    return isImpossible ? 'outdated' : 'sent'
  }

  private async lift(hold: Hold): Promise<Did> {
    await this.around.waitForLists()
    if (!(await this.show(hold, 'lifted'))) return null
    const thread = pullThread(hold.repository, hold.number)
    const text = this.ports.words.released(hold, this.link)
    if (!(await this.notify(`released:${this.link}`, text, thread))) return null
    await this.keepCode({ state: 'lifted' })
    return 'released'
  }

  /** Closes the pull request if it documents nothing else. */
  private async abandon(hold: Hold): Promise<Did> {
    const { ports } = this
    const { thread } = this.pull
    const { repository, number } = thread
    await this.around.waitForLists()
    const authors = await ports.github.commitAuthors(repository, number)
    warn('close', [], thread, authors, ports)
    if (!authors.ok) return null
    const isOurs = authors.value.every((author) => isAuthoredBy(this.settings.scope.agentLogin)({ author }))
    const isClosing = isOurs && !(await this.around.isElsewhere(this.pull, hold))
    if (!(await this.notify(`abandoned:${nameOf(hold)}`, ports.words.abandoned(hold, isClosing)))) return null
    if (isClosing) {
      const closed = await ports.github.closePull(repository, number)
      warn('close', [], thread, closed, ports)
      if (!closed.ok) return null
    } else if (!(await this.show(hold, 'closed'))) return null
    await this.keepCode({ state: 'closed' })
    return isClosing ? 'closed' : 'left-open'
  }

  private async reportConflict(): Promise<Did> {
    await this.around.waitForLists()
    if (!(await this.notify(`conflict:${this.view.head}`, this.ports.words.conflict()))) return null
    await this.keep({ isInConflict: true })
    return 'conflict'
  }

  /** Renews the status for `allowed-paths` on a new head, if the globs are the same as for the earlier status. */
  private async renewGuard(): Promise<boolean> {
    const { repository } = this.pull.thread
    const { pullSettings } = this.settings
    const last = this.view.statuses.find(
      ({ context, creator }) => context === guardContext && creator === this.around.viewer,
    )
    if (last === undefined || last.commit === this.view.head || pullSettings.allowedPaths.length === 0)
      return false
    const globs = guardedGlobs(last, { repository, commit: last.commit }, this.ports.sign)
    if (globs !== globsName(pullSettings.allowedPaths)) return false
    const changes = await readChanges(this.link, null, this.ports)
    return guard(this.pull.thread, { changes, prLink: this.link }, pullSettings, this.ports)
  }

  /** Posts a notice on a thread once; false if GitHub rejects that, so that the next settle tries again. */
  private async notify(request: string, text: string, thread = this.pull.thread): Promise<boolean> {
    const { project, step } = this.mark
    const isSame = (mark: Mark) =>
      mark.role === 'notice' && mark.request === request && mark.project === project
    const found = await ownMarks(thread, isSame, this.ports)
    if (found === null) return false
    const [own] = found
    if (own?.isBound) return true
    const since = own?.mark.since ?? this.ports.clock.date()
    const state = stateFields({ state: 'not-sent' })
    const mark = { ...state, role: 'notice', request, step, project, since, by: null } as const
    const marked = { text, mark }
    const said = own
      ? await editFresh(thread, own.comment, marked, this.ports)
      : await postMarked(thread, marked, this.ports)
    leaveOut(thread, said, this.ports)
    return said.ok
  }

  private keepCode(code: Partial<NonNullable<Mark['code']>>, more: Partial<Mark> = {}): Promise<null> {
    return this.keep({ ...more, code: this.mark.code && { ...this.mark.code, ...code } })
  }

  /** Updates the record, and keeps the comment's words. */
  private async keep(change: Partial<Mark>): Promise<null> {
    const { comment, thread } = this.pull
    const mark = { ...this.mark, ...change }
    const kept = await editFresh(thread, comment.comment, { text: wordsOf(comment), mark }, this.ports)
    if (kept.ok) this.mark = mark
    leaveOut(thread, kept, this.ports)
    return null
  }
}

function finalRequest({ code }: Pick<Mark, 'code'>, head: string): string {
  return `final:${code ? nameOf(code) : ''}@${head}`
}

/** Whether settle itself made a request. */
export function isFinal(request: string): boolean {
  return request.startsWith('final:')
}
