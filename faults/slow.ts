/**
 * Tests a slow GitHub: 60 runs are cancelled at random times while each call takes 1.3 s. Also tests a GitHub that
 * hangs: a step can take 30 s more than `timeout`.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomFrom } from '../bench/random.ts'
import type { GitHubFault } from '../sandbox/github/faults.ts'
import { startGitHub } from '../sandbox/github/server.ts'
import { accountOn, startPlatform } from '../sandbox/platform/server.ts'
import { projectDir } from '../sandbox/runner/action.ts'
import { type StepResult, startStep } from '../sandbox/runner/step.ts'
import { commented, stepOn } from '../sandbox/scene.ts'
import { inParallel } from './parallel.ts'

const moments = 60
/** Approximate duration of a call and of a whole run, in milliseconds. */
const callTime = 1_300
const span = 22_000
const seed = 20261121

export interface SlowRun {
  name: string
  outcome: string
  broken: string[]
}

/** The action without its post step, as if the runner were lost with the step. */
const withoutPost = mkdtempSync(join(tmpdir(), 'without-post-'))
process.once('exit', () => rmSync(withoutPost, { recursive: true, force: true }))
const manifest = readFileSync(join(projectDir, 'action.yml'), 'utf8')
writeFileSync(join(withoutPost, 'action.yml'), manifest.replace(/^ {2}post:.*\n/m, ''))
symlinkSync(join(projectDir, 'dist'), join(withoutPost, 'dist'), 'junction')

interface Ran {
  result: StepResult
  /** The action's comments on the issue. */
  replies: string[]
  jobs: number
}

/** Runs a command on an issue. `cancelAt`: milliseconds from the step's start to the cancel. */
async function runCommand(
  fault: GitHubFault,
  {
    timeout = 15,
    actionDir = projectDir,
    cancelAt,
  }: { timeout?: number; actionDir?: string; cancelAt?: number },
): Promise<Ran> {
  const { event, github } = commented('/docs fix the install page')
  const hub = await startGitHub({ ...github, faults: [fault] })
  const platform = await startPlatform({ readsUntilEnd: 0 })
  let timer: NodeJS.Timeout | undefined
  try {
    const step = startStep({
      actionDir,
      with: { ...accountOn(platform), command: '/docs', 'poll-interval': '1s', timeout: `${timeout}s` },
      ...stepOn(event, hub.url),
    })
    if (cancelAt !== undefined) timer = setTimeout(step.cancel, cancelAt)
    const result = await step.done
    const replies = hub.comments.filter(({ thread, user }) => thread.number === 7 && user !== 'mona')
    return { result, replies: replies.map(({ body }) => body), jobs: platform.jobs.size }
  } finally {
    clearTimeout(timer)
    await Promise.all([hub.close(), platform.close()])
  }
}

/** Cancels commands on a slow GitHub, at times drawn from a seed. */
export function slowCancels(atOnce: number): Promise<SlowRun[]> {
  const draw = randomFrom(seed)
  const times = Array.from({ length: moments }, () => Math.round(draw() * span)).sort((a, b) => a - b)
  return inParallel(
    times.map((at) => () => cancelAt(at)),
    atOnce,
  )
}

async function cancelAt(at: number): Promise<SlowRun> {
  const slow: GitHubFault = { do: { kind: 'slow', ms: callTime } }
  const ran = await runCommand(slow, { cancelAt: at })
  return { name: `cancel at ${at} ms, GitHub at ${callTime} ms a call`, ...judged(ran, at) }
}

function judged({ result, replies, jobs: size }: Ran, cancelAt: number): Pick<SlowRun, 'outcome' | 'broken'> {
  const { outcome = '', jobId = '' } = result.outputs
  const took = result.took - cancelAt
  const all = replies.join('\n')
  // Before node runs the first line of the action, the signal ends the process, but nothing has been sent yet.
  const isUnheard = result.signal === 'SIGINT' && replies.length === 0
  const isReported = outcome === 'pull-request' && /pull\/101/.test(all)
  // The signal also ends the process while node exits, but by then the result has been reported.
  const isOver = result.signal === 'SIGINT' && isReported
  const faults: [boolean, string][] = [
    [!isUnheard && outcome !== 'cancelled' && outcome !== 'pull-request', `outcome ${outcome || 'missing'}`],
    [took < 0 && outcome !== 'pull-request', 'not done'],
    // SIGTERM is allowed: it comes before the runner's SIGKILL, and can reach a process that has just finished its work.
    [
      result.signal !== null && result.signal !== 'SIGTERM' && !isUnheard && !isOver,
      `killed by ${result.signal}`,
    ],
    [size > 1, 'sent twice'],
    [size === 1 && jobId === '', 'job id lost'],
    [size === 1 && replies.length !== 1, `${replies.length} replies`],
    [replies.length > 1, 'more than one reply'],
    [/⏳/.test(all), 'the thread still waits'],
    [size === 1 && /did not start/.test(all), 'denies the job'],
    [size === 0 && /continues on Mintlify/.test(all), 'claims a job'],
    [outcome === 'pull-request' && !isReported, 'the result is not reported'],
  ]
  return {
    outcome: outcome || '(killed)',
    broken: faults.filter(([isBroken]) => isBroken).map(([, name]) => name),
  }
}

/** In seconds: the step's `timeout`, how much longer calls to GitHub can take, and tolerance for a busy machine. */
const timeout = 5
const more = 30
const grace = 5

/** Runs with a GitHub that hangs from the first call, or from the first call after the job has ended. */
export function hangs(): Promise<SlowRun[]> {
  const hang: GitHubFault = { do: { kind: 'hang', at: 'request' } }
  return inParallel(
    [
      () => hangAt('GitHub hangs from the first call', { ...hang, after: 0 }, 'error'),
      () => hangAt('GitHub hangs once the job has ended', { ...hang, after: 6 }, 'pull-request'),
    ],
    2,
  )
}

async function hangAt(name: string, fault: GitHubFault, expected: string): Promise<SlowRun> {
  const { result } = await runCommand(fault, { timeout, actionDir: withoutPost })
  const { outcome = '' } = result.outputs
  const seconds = result.took / 1000
  const faults: [boolean, string][] = [
    [outcome !== expected, `outcome ${outcome || 'missing'}`],
    [seconds > timeout + more + grace, 'past its deadline'],
  ]
  const broken = faults.filter(([isBroken]) => isBroken).map(([, name]) => name)
  const text = `${name}: ended after ${seconds.toFixed(1)} s, with \`timeout: ${timeout}s\` and ${more} s more`
  return { name: text, outcome, broken }
}

export function showSlow({ name, outcome, broken }: SlowRun): void {
  console.log([name.padEnd(56), outcome, ...broken.map((fault) => `BROKEN: ${fault}`)].join('  '))
}
