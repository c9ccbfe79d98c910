/**
 * Commands on an issue: signals at moments from a run's start to its end, cancels while GitHub takes 1.3 s for each
 * call, and a GitHub that hangs: a step can take 30 s more than `timeout`.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { commented, stepOn } from '../sandbox/demo.ts'
import { type GitHubFault, startGitHub } from '../sandbox/github/server.ts'
import { accountOn, startPlatform } from '../sandbox/platform/server.ts'
import { projectDir } from '../sandbox/runner/action.ts'
import { type RunningStep, startStep } from '../sandbox/runner/step.ts'
import type { Verdict } from './verdict.ts'

/** The action without its post step, as if the runner were lost with the step. */
const withoutPost = mkdtempSync(join(tmpdir(), 'without-post-'))
process.once('exit', () => rmSync(withoutPost, { recursive: true, force: true }))
const manifest = readFileSync(join(projectDir, 'action.yml'), 'utf8')
writeFileSync(join(withoutPost, 'action.yml'), manifest.replace(/^ {2}post:.*\n/m, ''))
symlinkSync(join(projectDir, 'dist'), join(withoutPost, 'dist'), 'junction')

interface Setting {
  fault?: GitHubFault
  timeout?: number
  actionDir?: string
  /** When to interrupt the step, in milliseconds since its start, and how. */
  at?: number
  interrupt?: (step: RunningStep) => unknown
}

async function runCommand({ fault, timeout = 15, actionDir = projectDir, at, interrupt }: Setting) {
  const { event, github } = commented('/docs fix the install page')
  const hub = await startGitHub({ ...github, faults: fault ? [fault] : [] })
  const platform = await startPlatform({ readsUntilEnd: 1 })
  let timer: NodeJS.Timeout | undefined
  try {
    const step = startStep({
      actionDir,
      with: { ...accountOn(platform), command: '/docs', 'poll-interval': '1s', timeout: `${timeout}s` },
      ...stepOn(event, hub.url),
    })
    if (at !== undefined) timer = setTimeout(() => interrupt?.(step), at)
    const result = await step.done
    const replies = hub.comments.filter(({ thread, user }) => thread.number === 7 && user !== 'mona')
    return {
      result,
      /** The action's comments on the issue. */
      replies: replies.map(({ body }) => body),
      jobs: platform.jobs.size,
      /** The names of the calls to GitHub. */
      calls: hub.requests.map(({ name }) => name),
      /** Milliseconds from the interruption to the end of the main script. */
      after: result.took - (at ?? result.took),
    }
  } finally {
    clearTimeout(timer)
    await Promise.all([hub.close(), platform.close()])
  }
}

type Ran = Awaited<ReturnType<typeof runCommand>>

/** `count` moments from 0 to `span` milliseconds. */
const moments = (count: number, span: number) =>
  Array.from({ length: count }, (_, index) => Math.round((span * index) / (count - 1)))

/** SIGINT at 25 moments of a run that takes about 2.5 s, and SIGKILL at every fourth of them. */
export function signalled(): (() => Promise<Verdict>)[] {
  return moments(25, 2_500).flatMap((at, index) => [
    () => signalAt(at, 'SIGINT'),
    ...(index % 4 === 0 ? [() => signalAt(at, 'SIGKILL')] : []),
  ])
}

async function signalAt(at: number, signal: 'SIGINT' | 'SIGKILL'): Promise<Verdict> {
  const ran = await runCommand({ at, interrupt: (step) => step.kill(signal) })
  const { outputs, signal: by } = ran.result
  return verdictOf(`${signal} at ${at} ms`, ran, {
    'no outcome': signal === 'SIGINT' && by === null && !outputs.outcome,
    'took over two seconds': signal === 'SIGINT' && ran.after > 2_000 + 500,
  })
}

/** Cancels by the runner at 12 moments while GitHub is slow. */
export function slowGitHub(): (() => Promise<Verdict>)[] {
  const fault: GitHubFault = { kind: 'meanwhile', run: () => sleep(1_300) }
  return moments(12, 22_000).map((at) => async () => {
    const ran = await runCommand({ fault, at, interrupt: (step) => step.cancel() })
    const { signal } = ran.result
    return verdictOf(`cancel at ${at} ms, GitHub at 1.3 s a call`, ran, {
      // Before node runs the action's first line, the signal ends the process, but nothing has been sent yet. SIGTERM is
      // allowed: it comes before the runner's SIGKILL, and can reach a process that has just finished its work.
      [`killed by ${signal}`]:
        signal !== null && signal !== 'SIGTERM' && ran.replies.length > 0 && !isDone(ran),
      'the thread still waits': /⏳/.test(ran.replies.join()),
    })
  })
}

/** In seconds: the step's `timeout`, how much longer calls to GitHub can take, and tolerance for a busy machine. */
const [timeout, more, grace] = [5, 30, 5]

/** Two runs in which GitHub hangs: from the first call, and once the job has ended. */
export function hanging(): (() => Promise<Verdict>)[] {
  const hang = { kind: 'hang', at: 'request' } as const
  return [
    () => hangAt('GitHub hangs from the first call', { ...hang }, 'error'),
    async () => {
      // The first call after a job has ended is about its pull request.
      const after = (await runCommand({})).calls.indexOf('pulls/get')
      return hangAt('GitHub hangs once the job has ended', { ...hang, after }, 'pull-request')
    },
  ]
}

async function hangAt(name: string, fault: GitHubFault, expected: string): Promise<Verdict> {
  const { result } = await runCommand({ fault, timeout, actionDir: withoutPost })
  const { outcome } = result.outputs
  const seconds = result.took / 1000
  const rules = {
    'wrong outcome': outcome !== expected,
    'past its deadline': seconds > timeout + more + grace,
  }
  return { name, outcome, note: `${seconds.toFixed(1)} s with \`timeout: ${timeout}s\``, rules }
}

/** Whether the result is on the thread. */
function isDone({ result, replies }: Ran): boolean {
  return result.outputs.outcome === 'pull-request' && /pull\/101/.test(replies.join())
}

/** The verdict on a run that was interrupted, by the rules that apply to every interruption and those for this one. */
function verdictOf(name: string, ran: Ran, rules: Record<string, boolean>): Verdict {
  const { result, replies, jobs, after } = ran
  const { outcome, jobId = '' } = result.outputs
  const thread = replies.join('\n')
  return {
    name,
    outcome,
    note: `${jobs} jobs, ended in ${Math.round(after)} ms`,
    rules: {
      'sent twice': jobs > 1,
      'more than one reply': replies.length > 1,
      'job id lost': /^Created job/m.test(result.rawStdout) && result.signal === null && jobId === '',
      'a job without a reply': jobs === 1 && replies.length === 0,
      'denies the job': jobs === 1 && /did not start/.test(thread),
      'claims a job': jobs === 0 && /continues on Mintlify/.test(thread),
      'the result is not reported': result.signal !== 'SIGKILL' && outcome === 'pull-request' && !isDone(ran),
      ...rules,
    },
  }
}
