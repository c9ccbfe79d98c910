/**
 * The crash matrix: each call of each flow meets each fault; then come a re-run and the next command or push, or the next
 * one at once. Whatever happens, a request has at most one job or message, nobody waits for a result that never comes, and
 * no step is green without having done its work.
 */

import type { GitHubFault, GitHubFaultAction } from '../sandbox/github/faults.ts'
import type { Fault, FaultAction } from '../sandbox/platform/faults.ts'
import { sandboxKey } from '../sandbox/platform/server.ts'
import { signWith } from '../src/adapters/sign.ts'
import { type FoundMark, readMark } from '../src/core/mark.ts'
import { again, type Flow, later } from './flows.ts'
import { type Certificates, startFront } from './front.ts'
import {
  emptyState,
  type Fate,
  nameOf,
  type Operation,
  type Ran,
  type Request,
  runFrom,
  type State,
} from './world.ts'

/** A call of a run, from 0 in its order. */
interface Call {
  at: 'GitHub' | 'Mintlify'
  index: number
  name: string
}

/** What a call meets. */
export interface Trouble {
  name: string
  fate(
    call: Call,
    operations: readonly Operation[],
    certificates: Certificates,
  ): Parameters<typeof runFrom>[2]
  /** Whether GitHub may be out of reach until the run ends, so that a run that is done cannot tell anyone. */
  isLasting?: boolean
}

const tooMany = 'You have exceeded a secondary rate limit.'
/** How often a call is tried. */
const tries = 4

export const troubles: readonly Trouble[] = [
  { name: 'refused', isLasting: true, fate: refused },
  status('403', 403, 1, { 'retry-after': '1' }),
  status('429', 429, tries),
  status('500', 500, tries),
  status('502 ×2', 502, 2),
  broken('reset −', { kind: 'reset', when: 'before' }, { kind: 'reset', when: 'before-processing' }),
  broken('reset +', { kind: 'reset', when: 'after' }, { kind: 'reset', when: 'after-processing' }),
  broken('hang', { kind: 'hang', when: 'after' }, { kind: 'hang', at: 'headers' }),
  signal('SIGKILL', (step) => step.kill('SIGKILL')),
  signal('lost', (step) => step.kill('SIGKILL'), true),
  signal('SIGINT', (step) => step.cancel()),
]

function refused(
  call: Call,
  _: readonly Operation[],
  certificates: Certificates,
): Parameters<typeof runFrom>[2] {
  if (call.at === 'GitHub') return () => ({ github: [{ after: call.index, do: { kind: 'refused' } }] })
  const front = (url: string, port: number) => startFront(url, 'refused', call.index, certificates, '', port)
  return () => ({ front })
}

function status(name: string, code: number, times: number, headers: Record<string, string> = {}): Trouble {
  const message = { ...(code < 500 && { message: tooMany }) }
  return {
    name,
    fate: (call, operations) => () =>
      onCall(call, operations, {
        github: { times, status: code, headers, ...message },
        platform: { times, do: { kind: 'status', status: code, headers } },
      }),
  }
}

function broken(name: string, github: GitHubFaultAction, platform: FaultAction): Trouble {
  return {
    name,
    fate: (call, operations) => () =>
      onCall(call, operations, { github: { times: 1, do: github }, platform: { times: 1, do: platform } }),
  }
}

function signal(
  name: string,
  send: (step: ReturnType<Parameters<NonNullable<Parameters<typeof runFrom>[2]>>[0]>) => unknown,
  hasNoPost = false,
): Trouble {
  return {
    name,
    fate: (call, operations) => (step) => {
      const run = () => send(step())
      const met = onCall(call, operations, {
        github: { times: 1, do: { kind: 'meanwhile', when: 'after', run } },
        platform: { times: 1, do: { kind: 'meanwhile', run } },
      })
      return { ...met, hasNoPost }
    },
  }
}

function onCall(
  { at, index }: Call,
  operations: readonly Operation[],
  what: { github: GitHubFault; platform: Omit<Fault, 'on'> },
): Fate {
  if (at === 'GitHub') return { github: [{ ...what.github, after: index }] }
  const on = operations[index] ?? 'read'
  const after = operations.slice(0, index).filter((operation) => operation === on).length
  return { platform: [{ ...what.platform, on, after }] }
}

/** A call of a flow and a fault of it, and what came of them. */
export interface Cell {
  flow: string
  call: Call
  trouble: string
  /** The outcome of the run, of its re-run, of the next request, and of the next request without a re-run. */
  outcomes: string[]
  /** Of the request, at most, over both ways. */
  jobs: number
  messages: number
  /** Comments on the thread for the request after the run, the re-run and the next request. */
  comments: number[]
  broken: string[]
  /** Milliseconds of the run that met the fault. */
  took: number
}

/**
 * Whether a fault can do to a call what no other one does. A read has no effect, so a reset after it is one before it, and
 * a kill at it is a kill at the call before.
 */
export function isOfItsOwn({ at, index, name }: Call, { name: trouble }: Trouble): boolean {
  const isRead = at === 'GitHub' && /\/(get|list|compare|viewer|recent)/.test(name)
  return !isRead || index === 0 || !['reset +', 'SIGKILL', 'lost'].includes(trouble)
}

/** A flow that nothing happened to yet: its state, and its calls. */
export interface Prepared {
  flow: Flow
  state: State
  calls: Call[]
  operations: readonly Operation[]
}

export async function prepare(flow: Flow): Promise<Prepared> {
  let state = emptyState
  for (const request of flow.before) state = (await runFrom(state, request)).state
  const { calls, operations } = await runFrom(state, flow.run)
  return {
    flow,
    state,
    operations,
    calls: [
      ...calls.map(({ name }, index) => ({ at: 'GitHub' as const, index, name: name ?? '?' })),
      ...operations.map((name, index) => ({ at: 'Mintlify' as const, index, name })),
    ],
  }
}

/** What follows a state runs once. */
export function createFollow(): (state: State, request: Request) => Promise<Ran> {
  const known = new Map<string, Promise<Ran>>()
  return (state, request) => {
    const name = JSON.stringify([nameOf(state), request.run, request.attempt, request.later])
    const follows = known.get(name) ?? runFrom(state, request)
    known.set(name, follows)
    return follows
  }
}

export async function runCell(
  { flow, state, operations }: Prepared,
  call: Call,
  trouble: Trouble,
  { follow, certificates }: { follow: ReturnType<typeof createFollow>; certificates: Certificates },
): Promise<Cell> {
  const ran = await runFrom(state, flow.run, trouble.fate(call, operations, certificates))
  const rerun = await follow(ran.state, again(flow.run))
  const next = await follow(rerun.state, later(flow.next))
  const nextAtOnce = await follow(ran.state, later(flow.next))
  const mayBeUnknown = rerun.result.outputs.outcome === 'unconfirmed'
  const sent = [next, nextAtOnce].map((last) => sentFor(flow.run, last.state))
  return {
    flow: flow.name,
    call,
    trouble: trouble.name,
    took: ran.result.took,
    outcomes: [ran, rerun, next, nextAtOnce].map(({ result }) => result.outputs.outcome ?? 'killed'),
    jobs: Math.max(...sent.map(({ jobs }) => jobs)),
    messages: Math.max(...sent.map(({ messages }) => messages)),
    comments: [ran, rerun, next].map((one) => marksOf(flow.run, one.state).length),
    broken: [
      ...faultsOfRun(flow.run, ran, trouble),
      ...faultsOfRerun(flow.run, rerun, ran),
      ...faultsOfNext(flow, next, mayBeUnknown),
      ...faultsOfNext(flow, nextAtOnce, mayBeUnknown).map((name) => `${name} (without a re-run)`),
    ],
  }
}

/** The jobs and messages that a request was sent in. */
function sentFor({ text }: Request, { jobs }: State): { jobs: number; messages: number } {
  return {
    jobs: jobs.filter(({ prompt }) => prompt.includes(text)).length,
    messages: jobs.flatMap(({ messages }) => messages).filter((message) => message.includes(text)).length,
  }
}

function isDoubled(request: Request, state: State): boolean {
  const { jobs, messages } = sentFor(request, state)
  return jobs + messages > 1
}

function isUnsent(request: Request, state: State): boolean {
  const { jobs, messages } = sentFor(request, state)
  return jobs + messages === 0
}

/** The marks of a request on its thread. */
function marksOf({ place }: Request, { comments }: State): (FoundMark & { body: string })[] {
  if ('commit' in place) return []
  const request = 'comment' in place ? `comment:${place.comment}` : `label:${place.label}`
  return readMarks(7, comments).filter(({ mark }) => mark.role === 'reply' && mark.request === request)
}

function readMarks(number: number, comments: State['comments']): (FoundMark & { body: string })[] {
  const sign = signWith(sandboxKey)
  return comments.flatMap(({ id, body, thread }) => {
    const found = readMark({ id, body, createdAt: 0, nodeId: '' }, `acme/docs#${number}`, sign)
    return found === null || thread.number !== number ? [] : [{ ...found, body }]
  })
}

const working = /^⏳/

/** Whether people still wait: the latest status is pending, or no comment tells anything but that the agent works. */
function isWaiting(request: Request, state: State): boolean {
  const { place } = request
  if ('commit' in place) {
    const statuses = state.statuses.filter(({ sha }) => sha === place.commit)
    return statuses.at(-1)?.state === 'pending'
  }
  return marksOf(request, state).some(({ body }) => working.test(body))
}

function faultsOfRun(request: Request, { result, state }: Ran, { isLasting, name }: Trouble): string[] {
  const isGreen = result.conclusion === 'success'
  const isKilled = result.signal !== null
  const faults: [boolean, string][] = [
    [isDoubled(request, state), 'doubled'],
    [isGreen && isUnsent(request, state), 'lost silently'],
    [!isKilled && !result.outputs.outcome, 'no outcome'],
    [name === 'SIGINT' && isKilled, 'killed after a cancel'],
    [
      !isKilled && !isLasting && result.outputs.outcome === 'pull-request' && isWaiting(request, state),
      'stuck',
    ],
    [result.took > 15_000 + 30_000 + 15_000, 'too late'],
  ]
  return named(faults)
}

function faultsOfRerun(request: Request, { result, state }: Ran, before: Ran): string[] {
  const marks = marksOf(request, state)
  const isOnThread = !('commit' in request.place)
  const { outcome } = result.outputs
  // Settle tells the result all the same if the pull request cannot be told, and the next run has nothing left to tell.
  const isSettled = before.result.outputs.outcome === 'settled'
  const isNamed = provenanceOn(state) > 0 || isSettled
  const faults: [boolean, string][] = [
    [isDoubled(request, state), 'doubled by the re-run'],
    [result.conclusion === 'success' && isUnsent(request, state), 'lost silently by the re-run'],
    [
      outcome !== (request.ends ?? 'pull-request') && outcome !== 'unconfirmed',
      `the re-run ends as ${outcome}`,
    ],
    [isWaiting(request, state), 'stuck after the re-run'],
    [isOnThread && marks.every(({ body }) => working.test(body)), 'no result after the re-run'],
    [marks.length > 2, 'more than one leftover'],
    [provenanceOn(state) > 1, 'two comments on the pull request'],
    [outcome !== 'unconfirmed' && !isNamed, 'the pull request does not name its job'],
  ]
  return named(faults)
}

function faultsOfNext({ run, next }: Flow, { result, state }: Ran, mayBeUnknown: boolean): string[] {
  const isGreen = result.conclusion === 'success'
  // The job behind the open pull request was never known, so people must act: the step says what they can do.
  const isStalled = result.log.some(({ text }) => /Merge or close one, or raise `open-limit`/.test(text))
  const faults: [boolean, string][] = [
    [isDoubled(run, state) || isDoubled(next, state), 'doubled by the next'],
    [isGreen && isUnsent(next, state), 'the next is lost silently'],
    [!isGreen && !(isStalled && mayBeUnknown), `the next ends as ${result.outputs.outcome}`],
    [isWaiting(next, state), 'the next is stuck'],
    [marksOf(run, state).length > 1, 'a leftover stays'],
    [marksOf(next, state).length > 1, 'a leftover of the next'],
    [provenanceOn(state) > 1, 'two comments on the pull request after the next'],
  ]
  return named(faults)
}

/** Comments that lead from the first job's pull request to the job. */
function provenanceOn({ comments }: State): number {
  return readMarks(101, comments).filter(({ mark, isBound }) => isBound && mark.role === 'provenance').length
}

function named(faults: readonly [boolean, string][]): string[] {
  return faults.filter(([isBroken]) => isBroken).map(([, name]) => name)
}
