/** The steps of the shipped code as processes of the search. Only this file knows how they are called. */
import { posix } from 'node:path'
import { signWith } from '../../src/adapters/sign.ts'
import { type AgentInputs, parseInputs, type SettleInputs } from '../../src/core/inputs/inputs.ts'
import { type Sign, stateOnThread, stepName } from '../../src/core/mark.ts'
import { isUnfinished } from '../../src/core/outcome.ts'
import type { AgentResult } from '../../src/core/progress.ts'
import { visibleText } from '../../src/core/prompt/visible.ts'
import { firstContext, readStatus, stateOfRun, statusContext } from '../../src/core/status.ts'
import type { Thread } from '../../src/core/thread.ts'
import { newChange } from '../../src/core/trigger/change.ts'
import { policyOf, settleSettings } from '../../src/steps/policy.ts'
import { carryOut, type LifePorts, type Plan } from '../../src/usecases/carry-out.ts'
import { type CommandWords, planCommand } from '../../src/usecases/command.ts'
import { marksIn } from '../../src/usecases/comments.ts'
import type { Ended } from '../../src/usecases/ended.ts'
import { planEvent } from '../../src/usecases/event.ts'
import type { GitHubPorts, RunIdentity } from '../../src/usecases/ports.ts'
import { settle } from '../../src/usecases/settle.ts'
import { finishReply } from '../../src/usecases/thread-store.ts'
import type { Outside, Process } from './process.ts'
import { type Recorded, repository, type Setting, viewer } from './world.ts'

const key = 'mint_0123456789'
const hour = 60 * 60_000
const commit = 'aaaa'
const issue: Thread = { repository, number: 7, isPullRequest: false, reviewRoot: null }
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
const readVisible = remembered(visibleText)

/** Short texts, which `said` reads. */
function words(about: string): CommandWords {
  const nothing = () => 'never'
  return {
    help: nothing,
    denied: nothing,
    documentation: nothing,
    released: nothing,
    abandoned: nothing,
    gone: nothing,
    hold: (_, state) => `hold: ${state}`,
    // A step in mode settle can have another `command`.
    provenance: ({ jobId }) => `provenance ${jobId} ${about === '' ? '/help' : '/docs'}`,
    working: () => `working on ${about}`,
    result: (result) => resultText(result, ` on ${about}`),
    status: (result) => (result === null ? 'working' : resultText(result, '')),
  }
}

function resultText({ outcome, jobId, delivery }: AgentResult, about: string): string {
  const kind = isUnfinished(outcome) ? 'unfinished' : 'result'
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
  const saved: { reply: unknown; jobId: string | null } = { reply: null, jobId: null }
  const ports: LifePorts = {
    github: calls as GitHubPorts,
    http: { exchange: (request) => outside.call('exchange', request) },
    clock: { now: () => outside.now(), date: () => outside.now(), sleep: (ms) => outside.call('sleep', ms) },
    deadline: outside.now() + hour,
    words: words(about),
    sign,
    cancelled: new AbortController().signal,
    random: () => 0.5,
    matches: posix.matchesGlob,
    sha256: (text) => text,
    serverUrl: 'https://github.com',
    onProgress: () => {},
    workspace: {
      readText: async () => ({ ok: true, value: '' }),
      readMatching: async () => ({ ok: true, value: [] }),
    },
    host: {
      sending: () => true,
      started: async ({ jobId }) => {
        saved.jobId = jobId
        outside.save(saved)
      },
      output: () => {},
      finish: async () => {},
      lastly: (act) => act(),
    },
  }
  const save = (reply: unknown) => {
    saved.reply = reply
    outside.save(saved)
  }
  return { ...ports, save }
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

const settingsOfSettle = settleSettings(settleInputs())

/** `wait`: whether the run waits for its job. */
export interface RunOptions {
  isRerun?: boolean
  wait?: boolean
  /** How often it polls. */
  poll?: string
}

function run(
  request: string,
  { isRerun = false, wait = true, poll = '60s' }: RunOptions,
  inputs: Record<string, string>,
  id: string,
  plan: (inputs: AgentInputs, run: RunIdentity, ports: ReturnType<typeof portsOf>) => Promise<Plan | Ended>,
): Process {
  const parsed = agentInputs({ 'poll-interval': poll, wait: String(wait), ...inputs })
  return async (outside) => {
    const ports = portsOf(outside, request)
    const identity = { id, step, actors: { actor: mona, triggeringActor: mona, isRerun } }
    await carryOut(await plan(parsed, identity, ports), ports)
  }
}

/** A step for a command on the issue. Its request is `comment:<comment>`. */
export function command(comment: number, options: RunOptions = {}): Process {
  const request = `comment:${comment}`
  const subject = { title: 'A', body: 'B' }
  const said = { url: 'https://x', instruction: ` request ${request}`, subject, writtenAt: null }
  const asked = {
    request: { kind: 'comment' as const, comment, location: null, ...said },
    requesters: [mona] as [typeof mona],
    thread: issue,
    openedBy: 'mona',
  }
  return run(request, options, { command: '/docs' }, String(comment), (inputs, identity, ports) =>
    planCommand(policyOf(inputs), inputs, asked, identity, {
      ...ports,
      words: words(request),
      readVisible,
    }),
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
  const inputs = { prompt: `request ${request}`, 'context-diff': 'false' }
  return run(request, options, inputs, id, (inputs, identity, ports) =>
    planEvent(policyOf(inputs), { change, context: null, branch: null }, identity, home, ports),
  )
}

/** What the post step does with what a killed step saved. */
export const post: Process = async (outside, saved) => {
  const { reply } = JSON.parse(saved)
  if (reply === null) return
  // If nothing was sent, this is the last word.
  const killed = (state: string) =>
    `${state === 'not-sent' ? 'result' : 'unfinished'} on ${reply.mark.request}: killed`
  await finishReply(reply, killed, portsOf(outside, ''))
}

/** A step in mode settle. */
export const settling: Process = async (outside) => {
  const ports = { ...portsOf(outside, ''), wordsFor: ({ request }: { request: string }) => words(request) }
  await settle(settingsOfSettle, { repository, pull: null }, ports)
}

const context = statusContext(named)

/** Reads a request's record, as the code does. */
export const recorded: Setting['recorded'] = (request, { comments, statuses }) => {
  const [kind, id = ''] = request.split(':')
  if (kind === 'comment') {
    const own = comments.filter(({ author }) => author === viewer)
    return shortened(stateOnThread({ request, step: stepName(named) }, marksIn(own, issue, { sign })).known)
  }
  const marks = statuses.toReversed().flatMap((status) => {
    if (status.creator !== viewer || firstContext(status.context) !== context) return []
    return readStatus(status, { repository, commit, context: status.context, project: 'docs' }, sign) ?? []
  })
  return shortened(stateOfRun(id, marks))
}

function shortened(known: ReturnType<typeof stateOfRun>): Recorded {
  if (known.kind !== 'record') return { state: 'none', job: null }
  const { state } = known.record
  return { state, job: 'job' in known.record ? known.record.job : null }
}
