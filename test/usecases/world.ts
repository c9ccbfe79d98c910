/**
 * A world to run a use case in: time only passes while something waits, the platform follows a script, and everything
 * is recorded.
 */

import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { AgentInputs } from '../../src/core/inputs/schema.ts'
import { type HttpRequest, newJob, type OperationName } from '../../src/core/job/job.ts'
import type { Exchange } from '../../src/core/job/response.ts'
import type { AgentResult } from '../../src/core/outcome.ts'
import { problems, type Rejection } from '../../src/core/problems.ts'
import type { ContextFile } from '../../src/core/prompt/prompt.ts'
import type { CommitRequest } from '../../src/life/commit.ts'
import { type LifePorts, live, type Plan } from '../../src/life/live.ts'
import type { Place, Shown } from '../../src/life/place.ts'
import type { Started } from '../../src/life/send.ts'
import type { LogEntry } from '../../src/say/messages.ts'
import type { AgentPorts, FileResult, RequestTimeout } from '../../src/usecases/ports.ts'
import { operations } from '../core/samples.ts'

/** The platform's responses, a list for each operation. The last entry is used for all later requests. */
export type Script = Partial<Record<OperationName, (Exchange | ((at: number) => Exchange))[]>>

export interface Options {
  /** Milliseconds that each exchange takes. */
  latency?: number
  random?: () => number
  /** When the step is cancelled, in milliseconds since the start. */
  cancelAt?: number
  /** The step is cancelled during this wait, counted from 0. */
  cancelIn?: number
  /** The response to a send during which the step is cancelled; by default, the script's response. */
  sendAtCancel?: Exchange
  /** Number of milliseconds by which each sleep is late. */
  oversleep?: (at: number) => number
  /** Milliseconds that the step has already used for GitHub. */
  late?: number
  /** How far someone has moved the wall clock, in milliseconds. */
  wallShift?: (at: number) => number
  files?: FileResult<ContextFile[]>
  promptFile?: FileResult<string>
  /** Why nothing can be recorded. */
  unrecorded?: Rejection
  /** Whether nothing can be saved for the post step. */
  isDiskFull?: boolean
}

export interface Sent extends HttpRequest {
  operation: OperationName
  /** Milliseconds since the start. */
  at: number
  timeout: RequestTimeout
  /** Whether the step was already cancelled. */
  late: boolean
  /** Whether something was still being recorded. */
  early: boolean
}

export type Seen = LogEntry & { at: number }

/** What the store and the runner received, in order. */
export type Entry =
  | { type: 'open' }
  | { type: 'sending'; operation: OperationName }
  | ({ type: 'started' } & Started)
  | { type: 'job'; jobId: string }
  | { type: 'output' | 'finish' | 'end'; outcome: string }

export interface Run {
  result: AgentResult
  requests: Sent[]
  progress: Seen[]
  journal: Entry[]
  /** Number of waits. */
  awaited: number
  cancelledIn: string | undefined
  /** Milliseconds from start to end. */
  took: number
}

export const start = Date.UTC(2026, 10, 2, 10, 0, 0)

/** The clock's `now` at the start: any number that is not a date. */
const uptime = 123_456

/** Maximum number of waits in a step: more would mean that it never ends. */
const waitLimit = 20_000

export async function run(
  inputs: Record<string, string>,
  script: Script,
  options: Options = {},
): Promise<Run> {
  const controller = new AbortController()
  const requests: Sent[] = []
  const progress: Seen[] = []
  const asked = Object.fromEntries(operations.map((name) => [name, 0])) as Record<OperationName, number>
  let now = start
  let awaited = 0
  const journal: Entry[] = []
  let recording = 0
  let cancelledIn: string | undefined

  const point = async (name: string) => {
    if (awaited > waitLimit) throw new Error(`still waiting after ${now - start} ms`)
    if (awaited++ === options.cancelIn) {
      cancelledIn = name
      controller.abort()
    }
    await Promise.resolve()
  }
  const record = async (entry: Entry) => {
    journal.push(entry)
    recording++
    await point(entry.type)
    // Like writing a file, recording takes several turns. A step that does not wait for it sends its request too early.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    recording--
  }
  const pass = (ms: number) => {
    const until = now + ms
    const { cancelAt } = options
    const cancels = cancelAt !== undefined && until >= start + cancelAt && !controller.signal.aborted
    now = cancels ? Math.max(now, start + cancelAt) : until
    if (cancels) controller.abort()
  }

  const given = read(inputs)
  const { prompt, jobId } = given
  const shown: Shown = { words: '', state: 'pending', link: '' }
  const place: Place = {
    list: async () => ({ ok: true, value: [] }),
    pending: () => shown,
    result: ({ outcome }) => ({ ...shown, words: outcome }),
    resume: () => true,
    hasLeftovers: () => false,
    async write({ state, job }, { words }) {
      if (state === 'open') await record({ type: 'open' })
      else if (words !== '') journal.push({ type: 'end', outcome: words })
      else await record({ type: 'job', jobId: job ?? '' })
      if (state !== 'open' || options.unrecorded === undefined) return { ok: true, value: 1 }
      return { ok: false, rejection: options.unrecorded }
    },
    async report(_, { words }) {
      journal.push({ type: 'end', outcome: words })
      return { ok: true, value: 2 }
    },
    clear: async () => true,
    canDoWithout: () => false,
    warn: () => {},
    saved: () => ({ kind: 'commit', request: {} as CommitRequest, context: null }),
  }
  const plan: Plan = {
    kind: 'plan',
    inputs: given,
    ledger: { place, writer: 'run', before: [], isFirst: true, isAnnounced: false },
    ask: async () => ({ prompt, context: null }),
    choose: async () => ({ ...newJob, jobId }),
    about: null,
  }
  const ports: LifePorts = {
    clock: {
      now: () => now - start + uptime,
      date: () => now + (options.wallShift?.(now - start) ?? 0),
      async sleep(ms, signal) {
        await point('sleep')
        if (!signal.aborted) pass(Math.max(0, ms) + (options.oversleep?.(now - start) ?? 0))
        await Promise.resolve()
      },
    },
    deadline: uptime + given.timeout - (options.late ?? 0),
    http: {
      host: 'api.mintlify.com',
      async exchange(request, timeout) {
        const operation = operationOf(request)
        const late = controller.signal.aborted
        requests.push({ ...request, operation, at: now - start, timeout, late, early: recording > 0 })
        await point(operation)
        pass(options.latency ?? 0)
        await Promise.resolve()
        if (controller.signal.aborted && !late) {
          if (operation === 'read') return { type: 'silence', sent: true, code: 'CANCELLED', viaProxy: false }
          if (options.sendAtCancel !== undefined) return options.sendAtCancel
        }
        const answers = script[operation] ?? []
        const answer = answers[Math.min(asked[operation]++, answers.length - 1)]
        if (answer === undefined) throw new Error(`unexpected ${request.method} ${request.path}`)
        return typeof answer === 'function' ? answer(now - start) : answer
      },
    },
    workspace: {
      async readText() {
        await point('file')
        return options.promptFile ?? { ok: true, value: 'From a file' }
      },
      async readMatching() {
        await point('files')
        return options.files ?? { ok: true, value: [] }
      },
    },
    random: options.random ?? (() => 0.5),
    cancelled: controller.signal,
    log: (...seen) => progress.push(...seen.map((entry) => ({ ...entry, at: now - start }))),
    // Not used here.
    github: {} as AgentPorts['github'],
    words: {} as AgentPorts['words'],
    sign: (text) => text,
    sha256: (text) => text,
    serverUrl: 'https://github.com',
    host: {
      save: () => {},
      sending: (operation) => {
        journal.push({ type: 'sending', operation })
        return options.isDiskFull ? { ok: false, problem: problems.unsavedState() } : { ok: true }
      },
      started: async (started) => record({ type: 'started', ...started }),
      output: ({ outcome }) => void journal.push({ type: 'output', outcome }),
      finish: async ({ outcome }) => void journal.push({ type: 'finish', outcome }),
      lastly: (act) => act(),
    },
  }
  const result = await live(plan, ports)
  return { result, requests, progress, journal, awaited, cancelledIn, took: now - start }
}

function read(inputs: Record<string, string>): AgentInputs {
  const parsed = parseInputs(
    { 'project-id': 'docs', 'api-key': 'mint_0123456789', ...inputs },
    { isComment: false, now: start },
  )
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  return parsed.inputs
}

function operationOf({ method, path }: HttpRequest): OperationName {
  if (method === 'GET') return path.includes('/visitors') ? 'visitors' : 'read'
  return path.endsWith('/message') ? 'message' : 'create'
}

/** The operations that were sent, in order. */
export const sent = ({ requests }: Run) => requests.map(({ operation }) => operation)

/** When the job was polled, in seconds since the start. */
export const readTimes = ({ requests }: Run) =>
  requests.filter(({ operation }) => operation === 'read').map(({ at }) => at / 1000)

/** What the messages about one thing have in common. */
const about = {
  'no-files': /matches no file/,
  job: /^(Created|Sent the prompt to|Waiting for) job/,
  status: /the job (is|failed)/i,
  'unknown-status': /does not know/,
  waiting: /^Still (?!trying)|polls? failed|^No new work yet/,
  failing: /^(?!Still trying).*(Trying again|Next attempt)/,
  unchanged: /still shows its earlier result/,
}

/** The messages of a run about one thing. */
export function of({ progress }: Run, thing: keyof typeof about) {
  return progress.filter(({ text }) => about[thing].test(text))
}

/** Their texts. */
export const texts = (messages: readonly LogEntry[]) => messages.map(({ text }) => text)

/** The operations that were recorded before they were sent. */
export const recordedSends = ({ journal }: Run) =>
  journal.flatMap((entry) => (entry.type === 'sending' ? [entry.operation] : []))

export function answer(status: number, json: unknown = { error: 'no' }, headers = {}): Exchange {
  return { type: 'response', status, headers, text: JSON.stringify(json) }
}

export const pullRequest = 'https://github.com/acme/docs/pull/7'

/** A response with the job in this state. */
export function job(status: string, more: Record<string, unknown> = {}): Exchange {
  return answer(200, { id: 'job_1', status, prLink: null, archivedAt: null, ...more })
}

export const active = job('active')
export const done = job('completed', { prLink: pullRequest })
export const unfinished = job('completed')
export const reset = { type: 'silence', sent: true, code: 'ECONNRESET', viaProxy: false } as const
export const unsent = { type: 'silence', sent: false, code: 'ECONNREFUSED', viaProxy: false } as const
export const halfway: Exchange = { type: 'cut-off', status: 201, headers: {}, problem: 'it broke off' }
