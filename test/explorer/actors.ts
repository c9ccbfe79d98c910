/** The steps of the shipped code as processes of the search. Only this file knows how they are called. */
import { signWith } from '../../src/adapters/sign.ts'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { AgentInputs, SettleInputs } from '../../src/core/inputs/schema.ts'
import { type Sign, stepName } from '../../src/core/mark.ts'
import { type AgentResult, isUnfinished } from '../../src/core/outcome.ts'
import type { Thread } from '../../src/core/thread.ts'
import { newChange } from '../../src/core/trigger/change.ts'
import { entriesIn, entriesOf } from '../../src/life/comments.ts'
import { fold } from '../../src/life/entry.ts'
import { isOwnContext, readStatus } from '../../src/life/format.ts'
import { finishKilled, type LifePorts, live, type Plan, writersOf } from '../../src/life/live.ts'
import { settle } from '../../src/life/settle.ts'
import { planCommand } from '../../src/usecases/command.ts'
import { planEvent } from '../../src/usecases/event.ts'
import type { Ended } from '../../src/usecases/gate.ts'
import type { AgentPorts, GitHubPorts, RunIdentity } from '../../src/usecases/ports.ts'
import type { Outside, Process } from './process.ts'
import { codeNumber, type Recorded, repository, type Setting, viewer } from './world.ts'

const key = 'mint_0123456789'
/** The input `timeout` of every step, in milliseconds. */
const timeout = 5 * 60_000
const commit = 'aaaa'
const issue: Thread = { repository, number: 7, isPullRequest: false, reviewRoot: null }
const codePull: Thread = { ...issue, number: codeNumber, isPullRequest: true }
const mona = { login: 'mona', id: 1, isBot: false }
const step = { workflow: 'Docs', job: 'docs', step: '__docs', matrixIndex: '0' }
const named = { ...step, project: 'docs' }

/** Remembers the results of a pure function. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const known = results.get(text) ?? read(text)
    results.set(text, known)
    return known
  }
}

const sign: Sign = remembered(signWith(key))

/** Short texts, which `said` reads. */
function words(about: string): AgentPorts['words'] {
  const nothing = () => 'never'
  return {
    help: nothing,
    denied: nothing,
    documentation: (prLink) => `see ${prLink}`,
    abandoned: () => 'abandoned',
    released: (_, prLink) => `released ${prLink}`,
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
  const kind = isUnfinished(outcome) && delivery !== 'not-sent' ? 'unfinished' : 'result'
  return `${kind}${about}: ${outcome} ${delivery === 'sent' ? (jobId ?? '') : ''}`.trim()
}

function portsOf(outside: Outside, about: string) {
  const calls = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          outside.call(String(name), ...args),
    },
  )
  const ports: LifePorts = {
    github: calls as GitHubPorts,
    http: { host: 'api.mintlify.com', exchange: (request) => outside.call('exchange', request) },
    clock: {
      now: () => outside.now(),
      date: () => outside.now(),
      sleep: (ms, { aborted }) => outside.call('sleep', aborted ? 0 : ms),
    },
    deadline: outside.now() + timeout,
    words: words(about),
    sign,
    cancelled: outside.cancelled,
    random: () => 0.5,
    sha256: (text) => text,
    serverUrl: 'https://github.com',
    log: () => {},
    workspace: {
      readText: async () => ({ ok: true, value: '' }),
      readMatching: async () => ({ ok: true, value: [] }),
    },
    host: {
      save: (saved) => outside.save(saved),
      sending: () => ({ ok: true }),
      started: async () => {},
      output: () => {},
      finish: async () => {},
      lastly: (act) => act(),
    },
  }
  return ports
}

const given = { 'project-id': 'docs', 'api-key': key, 'github-token': 'x' }

function agentInputs(more: Record<string, string>): AgentInputs {
  const parsed = parseInputs({ ...given, ...more }, { isComment: true, now: 0 })
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  return parsed.inputs
}

function settleInputs(): SettleInputs {
  const parsed = parseInputs({ ...given, mode: 'settle' }, { isComment: false, now: 0 })
  if (!parsed.ok || parsed.inputs.mode !== 'settle') throw new Error(JSON.stringify(parsed))
  return parsed.inputs
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
  plan: (inputs: AgentInputs, run: RunIdentity, ports: ReturnType<typeof portsOf>) => Promise<Plan | Ended>,
): Process {
  const diff = { 'context-diff': 'false' }
  const parsed = agentInputs({ 'poll-interval': poll, wait: String(wait), ...diff, ...inputs })
  const actors = { actor: mona, triggeringActor: mona, isRerun: attempt > 1 }
  return async (outside) => {
    const ports = portsOf(outside, request)
    await live(await plan(parsed, { id, attempt, step, actors }, ports), ports)
  }
}

/** A step for a command: on the issue or, with `hold`, on the code's pull request. Its request is `comment:<comment>`. */
export function command(
  comment: number,
  { hold, ...options }: RunOptions & { hold?: 'merge' } = {},
): Process {
  const request = `comment:${comment}`
  const said = {
    url: '',
    instruction: ` request ${request}`,
    subject: { title: 'A', body: 'B' },
    writtenAt: null,
  }
  const asked = {
    request: { kind: 'comment' as const, comment, location: null, ...said },
    requesters: [mona] as [typeof mona],
    thread: hold === undefined ? issue : codePull,
    openedBy: 'mona',
  }
  const inputs = { command: '/docs', ...(hold && { hold }) }
  return run(request, options, inputs, String(comment), (inputs, identity, ports) =>
    planCommand(inputs, asked, identity, ports),
  )
}

export interface EventOptions extends RunOptions {
  /** The run that a `workflow_run` follows. */
  upstreamRun?: number
  eventName?: string
}

/** A step for a change of the commit. Its request is `run:<id>`, or `run:<upstream run>`. */
export function event(
  id: string,
  { upstreamRun, eventName = 'push', ...options }: EventOptions = {},
): Process {
  const request = `run:${upstreamRun ?? id}`
  const range = { by: 'commit', sha: commit } as const
  const change = newChange({
    repository,
    head: commit,
    branch: 'main',
    range,
    author: 'mona',
    upstreamRun: upstreamRun ?? null,
  })
  const home = { repository, commit, runUrl: `https://github.com/acme/docs/actions/runs/${id}`, eventName }
  return run(request, options, { prompt: `request ${request}` }, id, (inputs, identity, ports) =>
    planEvent(inputs, { change, release: null, branch: null }, identity, home, ports),
  )
}

/** What the post step does with what a killed step saved. */
export const post: Process = async (outside, saved) => {
  const left = JSON.parse(saved)
  const about = left.place.request.request ?? ''
  await finishKilled(left, portsOf(outside, about))
}

const inputsOfSettle = settleInputs()

/** A step in mode settle. */
export function settling(id: string): Process {
  const { writer } = writersOf({ id, attempt: 1 }, named)
  return async (outside) => {
    await settle(inputsOfSettle, { repository, pull: null, writer }, portsOf(outside, ''))
  }
}

/** Reads a request's record, as the code does. */
export const recorded: Setting['recorded'] = (request, { comments, statuses }) => {
  const [kind, id] = request.split(':')
  if (kind === 'comment') {
    const own = comments.filter(({ author }) => author === viewer)
    const found = [issue, codePull].flatMap((thread) => {
      const there = own.filter((comment) => comment.thread.number === thread.number)
      return entriesOf(
        { role: 'request', request, step: stepName(named) },
        entriesIn(there, thread, { sign }),
      )
    })
    return shortened(fold(found))
  }
  const found = statuses.flatMap((status) => {
    if (status.creator !== viewer || !isOwnContext(status.context)) return []
    const read = readStatus(status, { ...status, repository, project: 'docs' }, sign)
    return read !== null && read.entry.run === id ? [read] : []
  })
  return shortened(fold(found))
}

function shortened({ top }: ReturnType<typeof fold>): Recorded {
  if (top === null || top.entry.state === 'asked') return { state: 'none', job: null }
  const { state, job } = top.entry
  return { state: state === 'open' || state === 'not-sent' || state === 'job' ? state : 'ended', job }
}
