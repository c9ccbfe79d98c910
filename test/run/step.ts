/** The life of a request in the shipped code, with GitHub and a platform in memory. A test decides what fails. */
import { signWith } from '../../src/adapters/sign.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Exchange } from '../../src/core/http.ts'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { AgentInputs, SettleInputs } from '../../src/core/inputs/schema.ts'
import type { LogEntry } from '../../src/core/log.ts'
import type { Sign } from '../../src/core/mark.ts'
import type { AgentResult, SettleResult, Stop } from '../../src/core/outcome.ts'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import type { Repository, Thread } from '../../src/core/thread.ts'
import { type Change, newChange } from '../../src/core/trigger/change.ts'
import type { Account, PullEvent } from '../../src/core/trigger/event.ts'
import type { CommandRequest, ThreadTrigger } from '../../src/core/trigger/request.ts'
import type { AgentPorts, RunIdentity } from '../../src/ports.ts'
import { planCommand } from '../../src/request/command.ts'
import { planEvent } from '../../src/request/event.ts'
import { type Checkpoint, carryOut, finishKilled, type Plan, type RunPorts } from '../../src/run/run.ts'
import { settle } from '../../src/run/settle.ts'
import { writes } from '../../src/steps/ports.ts'
import { noInputs } from '../core/samples.ts'
import type { StoredPull } from '../github.ts'
import { Calls, GitHub, Killed } from './github.ts'
import { key, mintlifyOn, type Platform, type PlatformRequest } from './mintlify.ts'
import { answer, start } from './world.ts'

export const home = { repository: 'acme/docs', repositoryId: '1' }
export const issue: Thread = { ...home, number: 7, isPullRequest: false, reviewRoot: null }
export const pullThread = (number: number): Thread => ({ ...issue, number, isPullRequest: true })
export const linkOf = (number: number) => `https://github.com/acme/docs/pull/${number}`

/** Remembers the results of a pure function: thousands of steps give it the same few texts. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const known = results.get(text) ?? read(text)
    results.set(text, known)
    return known
  }
}

export const sign: Sign = remembered(signWith(key))

interface PlatformJob {
  prompt: string
  messages: string[]
  status: string
  prLink: string | null
  /** Number of polls that still show the job as active. */
  activeReads: number
}

/** The platform in memory: a job is active for one poll, and then ends as the test says. */
class MemoryPlatform {
  readonly jobs = new Map<string, PlatformJob>()
  /** How the created jobs end, in turn. The last entry applies to all later jobs. */
  ends: string[] = ['completed']
  /** The agent opens a pull request. */
  onPull: (number: number, branch: string) => void = () => {}
  /** The response to the next send, instead of the platform's usual one. */
  next: Exchange | undefined
  /** The response to a poll, instead of the platform's usual one; undefined for the usual one. */
  read: (id: string) => Exchange | undefined = () => undefined

  carryOut({ method, path, body }: PlatformRequest): Exchange {
    const [, , , , , id = '', isMessage] = path.split('/')
    const prompt = String(body?.prompt ?? '')
    const scripted = method === 'POST' ? this.next : this.read(id)
    if (method === 'POST') this.next = undefined
    if (scripted !== undefined) return scripted
    if (method === 'POST' && isMessage === undefined) return answer(201, this.view(this.create(prompt)))
    const job = this.jobs.get(id)
    if (job === undefined) return answer(404)
    if (method === 'POST') {
      job.messages.push(prompt)
      job.activeReads = 1
      job.status = 'active'
    } else if (job.activeReads > 0) job.activeReads--
    else this.end(id, job)
    return answer(200, this.view(id))
  }

  private create(prompt: string): string {
    const id = `job_${this.jobs.size + 1}`
    this.jobs.set(id, { prompt, messages: [], status: 'active', prLink: null, activeReads: 1 })
    return id
  }

  end(id: string, job: PlatformJob): void {
    const number = Number(id.replace('job_', ''))
    job.status = this.ends[Math.min(number, this.ends.length) - 1] ?? 'completed'
    if (job.status !== 'completed') return
    job.prLink = linkOf(100 + number)
    this.onPull(100 + number, branchOf(id))
  }

  private view(id: string) {
    const { status, prLink } = this.jobs.get(id) ?? {}
    const source = { repository: 'https://github.com/acme/docs', ref: branchOf(id) }
    return { id, status, prLink, archivedAt: null, source }
  }

  /** Lets each job end at its next poll, or after some polls. */
  endJobs(polls = 0): void {
    for (const job of this.jobs.values()) job.activeReads = polls
  }

  /** What was sent to each job: `job_1: text` for a create, `job_1 + text` for a follow-up. */
  get sends(): string[] {
    return [...this.jobs].flatMap(([id, { prompt, messages }]) => [
      `${id}: ${firstLine(prompt)}`,
      ...messages.map((message) => `${id} + ${firstLine(message)}`),
    ])
  }
}

/** The branch of a job. */
const branchOf = (job: string) => `docs/${job}`

const firstLine = (text: string) => text.split('\n')[0] ?? ''

const dataOf = (from: object) =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => typeof value !== 'function'))

const mona: Account = { login: 'mona', id: 1, isBot: false }

/** The first run of a step. */
export const theRun: RunIdentity = {
  id: '1',
  attempt: 1,
  step: { workflow: 'Docs', job: 'docs', step: '__docs', matrixIndex: '0', project: 'docs' },
  actor: mona,
  triggeringActor: mona,
  ...home,
  commit: 'aaaa',
  eventName: 'push',
  runUrl: 'https://github.com/acme/docs/actions/runs/1',
}

/** Ports that have no effect. */
export const quiet = {
  run: theRun,
  sign,
  cancelled: new AbortController().signal,
  random: () => 0.5,
  sha256: (text) => text,
  serverUrl: 'https://github.com',
  room: () => Number.POSITIVE_INFINITY,
  log: () => {},
  workspace: {
    readText: async () => ({ ok: true, value: '' }),
    readMatching: async () => ({ ok: true, value: [] }),
  },
  hooks: {
    save: () => {},
    beforeSend: () => null,
    onJob: () => {},
    output: () => {},
    finish: async () => {},
    lastly: (act) => act(),
  },
} satisfies Partial<RunPorts>

/** What a step needs from outside, and the platform that its calls to Mintlify reach. */
export interface StagePorts extends RunPorts {
  onPlatform: Platform
}

/** Ports whose calls to Mintlify have the deadline, the clock and everything else of the other ports. */
export function connected(ports: Omit<StagePorts, 'mintlify'>): StagePorts {
  return { ...ports, mintlify: mintlifyOn(ports.onPlatform, ports, ports.run.step.project) }
}

/** What outlives a step. */
export class Stage {
  /** Milliseconds since the start. Time passes only while something waits. */
  now = 0
  readonly github = new GitHub(() => start + this.now)
  readonly platform = new MemoryPlatform()
  /** The latest attempt of each run. */
  readonly attempts: Record<string, number> = {}

  constructor() {
    this.platform.onPull = (number, branch) => {
      const changedFiles = this.github.files.length
      this.github.details[number] ??= { ...agentsPull(number), branch, changedFiles }
    }
  }
  readonly clock: Clock = {
    now: () => this.now,
    date: () => start + this.now,
    follow: () => {},
    sleep: async (ms) => {
      await Promise.resolve()
      this.now += Math.max(0, ms)
      if (++this.sleeps > 20_000) throw new Error('The step never ends')
    },
  }
  private sleeps = 0

  /** What a step needs from outside. Its calls to GitHub and the platform may have mishaps. */
  ports(calls: Calls, log: (...entries: LogEntry[]) => void): StagePorts {
    const { clock, platform } = this
    return connected({
      ...quiet,
      github: this.github.ports(calls),
      async onPlatform(request) {
        const [name, id = ''] = request.method === 'GET' ? ['read job', request.path.split('/')[5]] : ['send']
        const sent = await calls.make(name, id, () => platform.carryOut(request))
        return sent.ok ? sent.value : { type: 'silence', sent: true, code: 'ECONNRESET', viaProxy: false }
      },
      words,
      clock,
      deadline: clock.now() + 60 * 60_000,
      log,
    })
  }

  /** Ports whose log a test reads as text. */
  logged(calls: Calls) {
    const log: string[] = []
    return {
      log,
      ports: this.ports(calls, (...entries) => void log.push(...entries.map(({ text }) => text))),
    }
  }

  /** A copy of all that can change. */
  save() {
    const { now, attempts } = this
    return structuredClone({ now, attempts, github: dataOf(this.github), platform: dataOf(this.platform) })
  }

  /** A new stage from a copy, so that several tests can share their first steps. */
  static from(saved: ReturnType<Stage['save']>): Stage {
    const stage = new Stage()
    const { github, platform, ...more } = structuredClone(saved)
    Object.assign(stage, more)
    Object.assign(stage.github, github)
    Object.assign(stage.platform, platform)
    return stage
  }
}

export interface StepOptions {
  inputs?: Record<string, string>
  /** The run's id. A re-run has the same id as the first run. */
  run?: string
  isRerun?: boolean
  calls?: Calls
  sign?: Sign
  step?: Partial<RunIdentity['step']>
  eventName?: string
  /** Whether to run the post step, too. */
  hasPost?: boolean
  cancelled?: AbortSignal
  /** Replaces parts of what the step gets from outside. */
  ports?: (usual: StagePorts) => Partial<StagePorts>
}

export interface StepRun {
  /** undefined if the step was killed before it had one. */
  result: AgentResult | undefined
  progress: LogEntry[]
  calls: Calls
  /** What the post step reads. */
  saved: Checkpoint | null
}

export interface Command {
  comment: number
  instruction?: string
  thread?: Thread
  author?: Partial<Account>
  /** The author of the issue or pull request. */
  openedBy?: string
  /** The id of the review, if the command is in a review instead of a comment. */
  review?: number
  /** The text of the issue or pull request. */
  body?: string
}

/** The texts of these tests, which are short and all different. */
const words: AgentPorts['words'] = {
  help: () => 'help',
  denied: (problem) => `denied ${problem.kind === 'denied' ? problem.login : ''}`,
  working: (choice) => `working (${choice})`,
  result: ({ outcome, jobId }) =>
    `${['timed-out', 'detached', 'cancelled'].includes(outcome) ? 'unfinished' : 'result'}: ${outcome} ${jobId ?? ''}`.trim(),
  provenance: (_, { change }) => `documents ${change?.head ?? 'a request'}`,
  documentation: (docs) => `see ${docs}`,
  guard: (problem) => (problem ? `${problem.reason} (${problem.paths.length})` : 'within'),
  hold: ({ repository, number }, state) => `${state} ${repository}#${number}`,
  killed: (state) => `killed (${state})`,
  released: (_, docs, isNewer) => `released ${docs}${isNewer ? ', and the code is newer' : ''}`,
  abandoned: ({ repository, number }) => `${repository}#${number} was closed`,
  status: (result) => result?.outcome ?? 'working',
}

/** A pull request with all details. */
export const aPull = (number: number, head = 'aaaa', state: StoredPull['state'] = 'open'): StoredPull => ({
  number,
  state,
  openedAt: new Date(start).toISOString(),
  closedAt: null,
  url: linkOf(number),
  author: 'mona',
  isByBot: false,
  title: 'A',
  isFork: false,
  repositoryId: home.repositoryId,
  mergeCommit: state === 'merged' ? 'merge' : null,
  base: 'main',
  branch: 'b',
  head,
  changedFiles: 0,
  additions: 0,
  deletions: 0,
})
/** A changed file, with one line added. */
export function aFile(path: string, patch = '+a'): ChangedFile {
  return { path, id: path, previousPath: null, status: 'modified', additions: 1, deletions: 0, patch }
}
/** A pull request by the agent. */
export const agentsPull = (number: number, state?: StoredPull['state']): StoredPull => {
  return { ...aPull(number, 'aaaa', state), author: 'mintlify[bot]' }
}

/** What a command asks for. */
export function asked({
  comment,
  instruction = `request ${comment}`,
  thread = issue,
  author = {},
  openedBy = 'mona',
  review,
  body = 'B',
}: Command): ThreadTrigger {
  const url = `https://github.com/acme/docs/issues/${thread.number}#issuecomment-${comment}`
  const request: CommandRequest =
    review === undefined
      ? { kind: 'comment', id: comment, location: null, instruction }
      : { kind: 'review', id: review, submittedAt: start, instruction }
  const requesters: ThreadTrigger['requesters'] = [{ ...mona, ...author }]
  return { kind: 'thread', request, requesters, url, thread, title: 'A', body, openedBy }
}

/** A step for a command on a thread. */
export function command(stage: Stage, given: Command, options: StepOptions = {}): Promise<StepRun> {
  return ask(stage, { command: '/docs' }, asked(given), options)
}

/** A step for a label that someone added to an issue or pull request. */
export function label(
  stage: Stage,
  { thread = issue, ...options }: StepOptions & { thread?: Thread } = {},
): Promise<StepRun> {
  const request = { kind: 'label', label: 'docs' } as const
  const given: ThreadTrigger = {
    kind: 'thread',
    request,
    requesters: [mona],
    url: '',
    thread,
    title: 'A',
    body: 'B',
    openedBy: 'mona',
  }
  return ask(stage, { label: 'docs', prompt: 'Do' }, given, options)
}

function ask(stage: Stage, inputs: Record<string, string>, given: ThreadTrigger, options: StepOptions) {
  const [requester] = given.requesters
  return run(stage, options, inputs, requester, (all, ports) => planCommand(all, given, ports))
}

/** The change of a push. */
export function aChange(head: string, more: Partial<Change> = {}): Change {
  const range = { by: 'commit', sha: head } as const
  const commits = more.isOpen || more.isTag ? [] : [head]
  return newChange({ ...home, head, branch: 'main', range, commits, author: 'mona', ...more })
}

/** A step for a push or (null) for an event without a change, such as one on the default branch. */
export function event(
  stage: Stage,
  change: Change | null,
  options: StepOptions & { branch?: string } = {},
): Promise<StepRun> {
  const branch = options.branch === undefined ? null : { name: options.branch, isDefault: true }
  const direct = change?.number ? 'pull_request' : 'push'
  const eventName = change?.upstreamRun ? 'workflow_run' : direct
  return run(stage, { eventName, ...options }, { prompt: 'Do' }, mona, (inputs, ports) =>
    planEvent(inputs, { kind: 'event', change, release: null, branch }, ports),
  )
}

const parsed = remembered((given) => {
  const context = { isComment: true, now: start }
  const read = parseInputs({ ...noInputs, ...JSON.parse(given) }, context)
  if (!read.ok) throw new Error(JSON.stringify(read))
  return read.value
})
const account = { 'project-id': 'docs', 'api-key': key, 'github-token': 'x' }

export function agentInputs(given: Record<string, string>): AgentInputs {
  return parsed(JSON.stringify({ ...account, 'context-diff': 'false', ...given })) as AgentInputs
}

export function settleInputs(given: Record<string, string> = {}): SettleInputs {
  return parsed(JSON.stringify({ ...account, mode: 'settle', ...given })) as SettleInputs
}

/** The result of a step; undefined if the step was killed. */
async function unlessKilled<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof Killed)) throw error
    return undefined
  }
}

async function run(
  stage: Stage,
  options: StepOptions,
  defaults: Record<string, string>,
  actor: Account,
  plan: (inputs: AgentInputs, ports: RunPorts) => Promise<Plan | Stop>,
): Promise<StepRun> {
  const { calls = new Calls(), run: id = '1', isRerun = false, hasPost = true } = options
  // Each run starts some time after the previous one.
  stage.now += 1000
  const attempt = isRerun ? (stage.attempts[id] ?? 1) + 1 : 1
  stage.attempts[id] = attempt
  const inputs = agentInputs({ ...defaults, ...options.inputs })
  const progress: LogEntry[] = []
  // As text, as in the runner's state file.
  let left = 'null'
  let result: AgentResult | undefined
  const usual: StagePorts = {
    ...stage.ports(calls, (...seen) => void progress.push(...seen)),
    run: {
      ...theRun,
      id,
      attempt,
      step: { ...theRun.step, project: inputs.projectId, ...options.step },
      eventName: options.eventName ?? theRun.eventName,
      actor,
      triggeringActor: actor,
      runUrl: `https://github.com/acme/docs/actions/runs/${id}`,
    },
    sign: options.sign ?? sign,
    cancelled: options.cancelled ?? quiet.cancelled,
    deadline: stage.clock.now() + inputs.timeout,
    hooks: {
      ...quiet.hooks,
      save: (saved) => {
        left = JSON.stringify(saved)
      },
      finish: async (final) => {
        result = final
        calls.made.push(`finish ${final.outcome}`)
      },
    },
  }
  const ports = connected({ ...usual, ...options.ports?.(usual) })
  await unlessKilled(async () => carryOut(await plan(inputs, ports), ports))
  const saved: Checkpoint | null = JSON.parse(left)
  if (hasPost && saved !== null)
    await finishKilled(saved, { ...ports, github: stage.github.ports(new Calls()) })
  return { result, progress, calls, saved }
}

export interface SettleOptions
  extends Pick<StepOptions, 'inputs' | 'calls' | 'cancelled'>,
    Partial<Pick<AgentPorts, 'room'>> {
  /** The branch of the pull request that the agent just opened. */
  openedBranch?: string
  /** The event's pull request. */
  pull?: PullEvent
  /** The workflow's repository; `acme/docs` by default. */
  repository?: Repository
}

/** A step in mode settle. Each settle is another writer. */
export async function settleOn(stage: Stage, options: SettleOptions = {}) {
  const { calls = new Calls(), openedBranch, repository = home } = options
  const inputs = settleInputs(options.inputs)
  const { ports, log } = stage.logged(calls)
  const opened = openedBranch === undefined ? null : { number: 101, openedBranch, author: 'mintlify[bot]' }
  const changed = {
    run: {
      ...theRun,
      ...repository,
      id: `${stage.now}`,
      step: { ...theRun.step, project: inputs.projectId },
    },
    cancelled: options.cancelled ?? quiet.cancelled,
    room: options.room ?? quiet.room,
    deadline: stage.clock.now() + inputs.timeout,
    github: { ...ports.github, ...(inputs.dryRun && writes) },
  }
  const result: SettleResult | undefined = await unlessKilled(() =>
    settle({ inputs, pull: options.pull ?? opened, ports: connected({ ...ports, ...changed }) }),
  )
  return { result, calls, log }
}
