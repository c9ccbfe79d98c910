/** The steps of the shipped code as processes of the search. Only this file knows how they are called. */
import type { AgentInputs } from '../../src/core/inputs/schema.ts'
import { stepName } from '../../src/core/mark.ts'
import type { AgentResult, Stop } from '../../src/core/outcome.ts'
import { pullThread } from '../../src/core/thread.ts'
import type { AgentPorts, GitHubPorts } from '../../src/ports.ts'
import { entriesAbout } from '../../src/record/comments.ts'
import { fold } from '../../src/record/entry.ts'
import { readStatus } from '../../src/record/format.ts'
import { entriesIn } from '../../src/record/lists.ts'
import { planCommand } from '../../src/request/command.ts'
import { planEvent } from '../../src/request/event.ts'
import { type Checkpoint, carryOut, finishKilled, type Plan, type RunPorts } from '../../src/run/run.ts'
import { settle } from '../../src/run/settle.ts'
import { type Lists, type StoredComment, type StoredStatus, viewer } from '../github.ts'
import {
  aChange,
  agentInputs,
  asked,
  connected,
  home,
  issue,
  quiet,
  settleInputs,
  sign,
  theRun,
} from '../run/step.ts'
import type { Outside, Process } from './process.ts'
import { gitHubCalls } from './reads.ts'
import { codeNumber, once, type Recorded } from './world.ts'

/** The input `timeout` of every step, in milliseconds. */
const timeout = 5 * 60_000

/** Short texts, which `said` reads. */
function words(about: string): AgentPorts['words'] {
  const nothing = () => 'never'
  return {
    help: nothing,
    denied: nothing,
    documentation: (docs) => `see ${docs}`,
    abandoned: () => 'abandoned',
    released: (_, docs) => `released ${docs}`,
    guard: (problem) => problem?.reason ?? 'within',
    hold: (_, state) => `hold: ${state}`,
    // A step in mode settle can have another `command`.
    provenance: ({ jobId }) => `provenance ${jobId} ${about === '' ? '/help' : '/docs'}`,
    working: () => `working on ${about}`,
    result: (result, { request }) => resultText(result, ` on ${request}`),
    // If nothing was sent, this is the last word.
    killed: (state) => `${state === 'not-sent' ? 'result' : 'unfinished'} on ${about}: killed`,
    status: (result) => (result === null ? 'working' : resultText(result, '')),
  }
}

function resultText({ outcome, jobId, delivery }: AgentResult, about: string): string {
  const isOpen = ['timed-out', 'detached', 'cancelled'].includes(outcome) && delivery !== 'not-sent'
  const [kind, job] = [isOpen ? 'unfinished' : 'result', delivery === 'sent' ? jobId : null]
  return `${kind}${about}: ${outcome} ${job ?? ''}`.trim()
}

function portsOf(outside: Outside, about: string, id = '', attempt = 1): RunPorts {
  const calls = Object.fromEntries(gitHubCalls().map((name) => [name, outside.call.bind(outside, name)]))
  return connected({
    ...quiet,
    run: { ...theRun, id, attempt },
    github: calls as unknown as GitHubPorts,
    onPlatform: (request) => outside.call('exchange', request),
    clock: {
      now: () => outside.now,
      date: () => outside.now,
      follow: () => {},
      sleep: (ms, { aborted }) => outside.call('sleep', aborted ? 0 : ms),
    },
    deadline: outside.now + timeout,
    words: words(about),
    cancelled: outside.cancelled,
    hooks: { ...quiet.hooks, save: (saved) => outside.save(saved) },
  })
}

/** The settings of a run. A first attempt, which waits for its job, by default. */
export interface RunOptions {
  attempt?: number
  wait?: boolean
  /** How often it polls. */
  poll?: string
}

function run(
  request: string,
  { attempt = 1, wait = true, poll = '60s' }: RunOptions,
  inputs: Record<string, string>,
  id: string,
  plan: (inputs: AgentInputs, ports: RunPorts) => Promise<Plan | Stop>,
): Process {
  const parsed = agentInputs({ 'poll-interval': poll, wait: String(wait), ...inputs })
  return async (outside) => {
    const ports = portsOf(outside, request, id, attempt)
    await carryOut(await plan(parsed, ports), ports)
  }
}

/** A step for a command: on the issue or, with `hold`, on the code's pull request. Its request is `comment:<comment>`. */
export function command(
  comment: number,
  { hold, ...options }: RunOptions & { hold?: 'merge' } = {},
): Process {
  const request = `comment:${comment}`
  const thread = hold === undefined ? issue : pullThread(home, codeNumber)
  const given = asked({ comment, instruction: ` request ${request}`, thread })
  const inputs = { command: '/docs', ...(hold && { hold }) }
  return run(request, options, inputs, String(comment), (inputs, ports) => planCommand(inputs, given, ports))
}

/**
 * A step for a push of the commit. Its request is `run:<id>`, or `run:<upstream run>`.
 * @param upstreamRun the run that a `workflow_run` follows
 */
export function event(id: string, { upstreamRun, ...options }: RunOptions & { upstreamRun?: number } = {}) {
  const request = `run:${upstreamRun ?? id}`
  const change = aChange('aaaa', { upstreamRun: upstreamRun ?? null })
  return run(request, options, { prompt: `request ${request}` }, id, (inputs, ports) =>
    planEvent(inputs, { kind: 'event', change, release: null, branch: null }, ports),
  )
}

/** What the post step does with what a killed step saved. */
export const post: Process = async (outside, saved) => {
  const left = saved as Checkpoint
  const about = 'thread' in left.request ? left.request.request : ''
  await finishKilled(left, portsOf(outside, about))
}

/** A step in mode settle. */
export function settling(id: string): Process {
  const inputs = settleInputs()
  return async (outside) => {
    await settle({ inputs, pull: null, ports: portsOf(outside, '', id) })
  }
}

const inComment = once((comment: StoredComment) => entriesIn([{ ...comment, viewer }], sign))
const inStatus = once((status: StoredStatus) => readStatus({ ...status, viewer }, { run: theRun, sign }))

/** Reads a request's record, as the code does. */
export function recorded(request: string, { comments, statuses }: Lists): Recorded {
  const [kind, id] = request.split(':')
  if (kind === 'comment') {
    const own = comments.filter(({ author }) => author === viewer)
    const subject = { role: 'request', request, step: stepName(theRun.step), project: '' } as const
    return shortened(fold(entriesAbout(subject, own.flatMap(inComment))))
  }
  const own = statuses.filter(({ author }) => author === viewer)
  const found = own.flatMap((status) => inStatus(status) ?? [])
  return shortened(fold(found.filter(({ entry }) => entry.run === id)))
}

function shortened({ top }: ReturnType<typeof fold>): Recorded {
  if (top === null || top.entry.state === 'asked') return { state: 'none', job: null }
  const { state, job } = top.entry
  return { state: state === 'open' || state === 'not-sent' || state === 'job' ? state : 'ended', job }
}
