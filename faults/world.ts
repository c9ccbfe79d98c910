/**
 * GitHub, the platform and a run, as a function from state to state. Each run starts from the state that an earlier run
 * left.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Commit, commit } from '../sandbox/github/commits.ts'
import type { GitHubFault } from '../sandbox/github/faults.ts'
import { Repository } from '../sandbox/github/repository.ts'
import { type GitHub, type GitHubCall, sandboxGitHubToken, startGitHub } from '../sandbox/github/server.ts'
import type { SandboxStatus } from '../sandbox/github/statuses.ts'
import type { SandboxComment } from '../sandbox/github/threads.ts'
import type { Fault } from '../sandbox/platform/faults.ts'
import { type Platform, sandboxKey, startPlatform } from '../sandbox/platform/server.ts'
import { projectDir } from '../sandbox/runner/action.ts'
import { type RunningStep, type StepResult, startStep } from '../sandbox/runner/step.ts'
import type { WorkflowEvent } from '../src/core/trigger/event.ts'

/** What a run leaves for the next one. */
export interface State {
  comments: readonly SandboxComment[]
  statuses: readonly SandboxStatus[]
  jobs: readonly { prompt: string; messages: readonly string[] }[]
}

/** A run of the action: what starts it, and its unique prompt. */
export interface Request {
  event: WorkflowEvent
  /** A text that is in no other request's prompt. */
  text: string
  inputs: Readonly<Record<string, string>>
  /** `GITHUB_RUN_ID` and `GITHUB_RUN_ATTEMPT`. */
  run: string
  attempt: number
  /** The place of its marks: a thread, for the request of a comment or a label; or a commit. */
  place: { comment: number } | { label: string } | { commit: string }
  /** The outcome without a fault; `pull-request` by default. */
  ends?: 'settled'
  /** How many minutes the run's clock is ahead, to simulate a later run. */
  later: number
}

/** What happens to a run. */
export interface Fate {
  github?: readonly GitHubFault[]
  platform?: readonly Fault[]
  /** Starts a server in front of the platform. */
  front?: (platform: string, port: number) => Promise<{ url: string; close(): Promise<void> }>
  /** Whether the runner is lost with the step, so that its post step never runs. */
  hasNoPost?: boolean
  /** Milliseconds from the step's start to the cancel. */
  cancelAt?: number
}

export interface Ran {
  result: StepResult
  state: State
  /** The calls to GitHub, then the requests to the platform, in order. */
  calls: readonly GitHubCall[]
  operations: readonly Operation[]
}

export type Operation = 'create' | 'read' | 'message'

const agent = 'mintlify[bot]'
const first = commit({ message: 'First', files: { 'src/zero.ts': '0\n' } })

/** Successive pushes, each with a different file. */
export const pushes: readonly { before: Commit; after: Commit; file: string }[] = (() => {
  let before = first
  return ['one', 'two', 'three'].map((name) => {
    const file = `src/${name}.ts`
    const after = commit({ parents: [before], message: `Add ${name}`, files: { [file]: `${name}\n` } })
    const push = { before, after, file }
    before = after
    return push
  })
})()

const docs = commit({ parents: [first], files: { 'docs/install.md': 'Install\n' }, author: agent })

/** The state before the action's first run. The comments with commands exist, but are not part of a state. */
export const emptyState: State = { comments: [], statuses: [], jobs: [] }

/** The comments with the commands of the flows. */
const commands = [1001, 1002, 1003].map((id) => ({
  id,
  thread: { number: 7, reviewRoot: null },
  body: '/docs fix the install page',
  user: 'mona',
}))

/** Restores a state, runs a request from it, and returns the resulting state. */
export async function runFrom(
  state: State,
  { event, inputs, run, attempt, place, later }: Request,
  fate: (step: () => RunningStep) => Fate = () => ({}),
): Promise<Ran> {
  let step: RunningStep | undefined
  const { github = [], platform = [], front, hasNoPost = false, cancelAt } = fate(() => step as RunningStep)
  const shift = later * 60_000
  const now = () => new Date(Date.now() + shift)
  const hub = await startGitHub({
    roles: { mona: { permission: 'write', role_name: 'write' } },
    comments: [...commands, ...state.comments],
    statuses: state.statuses,
    repositories: [repositoryAfter(state)],
    faults: github,
    now,
    port: await ownPort(),
  })
  const restored = restoredCalls(state)
  const service = await startPlatform({
    readsUntilEnd: readsUntilEnd(state),
    now,
    faults: platform.map((fault) => ({
      ...fault,
      after: (fault.after ?? 0) + restored.filter((operation) => operation === fault.on).length,
    })),
  })
  await restore(state, service.url)
  const before = service.requests.length
  const entry = front && (await front(service.url, await ownPort()))
  let timer: NodeJS.Timeout | undefined
  try {
    step = startStep({
      ...(hasNoPost && { actionDir: withoutPost }),
      with: {
        'project-id': 'sandbox-docs',
        'api-key': sandboxKey,
        'base-url': entry?.url ?? service.url,
        ...inputs,
      },
      githubToken: sandboxGitHubToken,
      eventName: event.name,
      event: event.payload,
      env: {
        GITHUB_API_URL: hub.url,
        GITHUB_RUN_ID: run,
        GITHUB_RUN_ATTEMPT: String(attempt),
        ...('commit' in place && { GITHUB_SHA: place.commit }),
        ...(later > 0 && {
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead(shift))}`,
        }),
      },
    })
    if (cancelAt !== undefined) timer = setTimeout(step.cancel, cancelAt)
    const result = await step.done
    const operations = service.requests.slice(before).map(operationOf)
    return { result, state: capture(hub, service), calls: hub.calls, operations }
  } finally {
    clearTimeout(timer)
    await entry?.close()
    await Promise.all([hub.close(), service.close()])
  }
}

/** Ports below the ephemeral range, which the system does not give to other processes. */
let lastPort = 20_000 + (process.pid % 100) * 100

/** A port that other servers do not get, even while it is free. */
async function ownPort(): Promise<number> {
  for (;;) {
    const port = ++lastPort
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    server.close()
    if (isFree) return port
  }
}

/** Code that sets the clock ahead. */
function ahead(ms: number): string {
  return `const now = Date.now; Date.now = () => now() + ${ms}`
}

/** With a follow-up, the job must first be seen active, so its first read does not show the end yet. */
function readsUntilEnd({ jobs }: State): number {
  return jobs.length === 0 ? 0 : 1
}

/** The calls that restore a state. They read each job until it has ended with a pull request. */
function restoredCalls(state: State): Operation[] {
  return state.jobs.flatMap(({ messages }) => [
    'create',
    ...messages.map(() => 'message' as const),
    ...Array.from({ length: readsUntilEnd(state) + 1 }, () => 'read' as const),
  ])
}

async function restore(state: State, url: string): Promise<void> {
  const jobs = `${url}/v2/agent/sandbox-docs/job`
  const headers = { authorization: `Bearer ${sandboxKey}`, 'content-type': 'application/json' }
  const post = (to: string, prompt: string) =>
    fetch(to, { method: 'POST', headers, body: JSON.stringify({ prompt }) })
  for (const { prompt, messages } of state.jobs) {
    const { id } = (await (await post(jobs, prompt)).json()) as { id: string }
    for (const message of messages) await (await post(`${jobs}/${id}/message`, message)).text()
    for (let reads = 0; reads <= readsUntilEnd(state); reads++)
      await (await fetch(`${jobs}/${id}`, { headers })).text()
  }
}

/** The jobs' pull requests are open. Those of later jobs are closed, so that they are not listed yet. */
function repositoryAfter({ jobs }: State): Repository {
  const pulls = [101, 102, 103].map((number, index) => ({
    number,
    user: agent,
    head: { branch: `docs-${number}`, commit: docs },
    state: index < jobs.length ? ('open' as const) : ('closed' as const),
  }))
  const tip = pushes.at(-1)?.after ?? first
  return new Repository({ name: 'acme/docs', branches: { main: tip }, pulls })
}

function capture(hub: GitHub, service: Platform): State {
  const people = new Set(commands.map(({ id }) => id))
  return {
    comments: hub.comments.filter(({ id }) => !people.has(id)).map((comment) => ({ ...comment })),
    statuses: [...hub.statuses],
    jobs: [...service.jobs.values()].map(({ prompt, messages }) => ({ prompt, messages: [...messages] })),
  }
}

function operationOf({ method, path }: Platform['requests'][number]): Operation {
  if (method === 'GET') return 'read'
  return path.endsWith('/message') ? 'message' : 'create'
}

/** The action without its post step. */
const withoutPost = mkdtempSync(join(tmpdir(), 'without-post-'))
process.once('exit', () => rmSync(withoutPost, { recursive: true, force: true }))
const manifest = readFileSync(join(projectDir, 'action.yml'), 'utf8')
writeFileSync(join(withoutPost, 'action.yml'), manifest.replace(/^ {2}post:.*\n/m, ''))
symlinkSync(join(projectDir, 'dist'), join(withoutPost, 'dist'), 'junction')
