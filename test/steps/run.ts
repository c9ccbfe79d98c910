/**
 * Runs a step in this process: everything in `src/` except the composition root, with real HTTP over loopback. The
 * runner is replaced by a recorder, sleeping only moves the clock, and nothing cancels the step. This is ten times as
 * fast as the bundle.
 */
import { join } from 'node:path'
import { resolveInputs } from '../../sandbox/runner/action.ts'
import { runnerEnvironment, type StepOptions } from '../../sandbox/runner/environment.ts'
import { runStep as runBundle } from '../../sandbox/runner/step.ts'
import type { Runner } from '../../src/adapters/runner.ts'
import type { Clock } from '../../src/core/clock.ts'
import { inputNames, type RawInputs } from '../../src/core/inputs/schema.ts'
import type { LogEntry } from '../../src/core/log.ts'
import { contextOf } from '../../src/steps/context.ts'
import { runMain } from '../../src/steps/main.ts'
import { temporaryFolder } from '../running.ts'

/** The results of a step that runs in this process. */
export interface StepRun {
  exitCode: number
  outputs: Record<string, string>
  /** What was saved for the post step. */
  state: Record<string, string>
  summary: string
  log: LogEntry[]
  /** Titles and texts of all log entries. */
  text: string
  warnings: string[]
  /** Milliseconds on the step's clock. */
  took: number
}

/** A folder that does not exist. */
const noFolder = join(import.meta.dirname, 'nowhere')

type Options = Pick<
  StepOptions,
  'with' | 'githubToken' | 'event' | 'eventName' | 'env' | 'workspace' | 'runnerTemp' | 'actionDir'
> & {
  /** The date at which the step starts, in milliseconds since the epoch; today by default. */
  date?: number
}

/**
 * With `STEPS=bundle`, steps run as the committed bundle, with its post script: `npm run test:slow` does so for tables
 * that would take too long in `npm test`.
 */
export const runStep = process.env.STEPS === 'bundle' ? runAsBundle : runHere

async function runAsBundle(options: Options): Promise<StepRun> {
  const { log: lines, ...run } = await runBundle({ ...options, hasPost: true })
  const log = lines.map(({ kind, title = '', text }): LogEntry => {
    if (kind === 'text' || kind === 'endgroup') return { level: 'info', text }
    return { level: kind, title, text }
  })
  return { ...run, ...toldBy(log), exitCode: run.exitCode ?? 1, state: {}, took: 0 }
}

/** The log, and what it says. */
function toldBy(log: LogEntry[]) {
  return {
    log,
    text: log.map((entry) => ('title' in entry ? `${entry.title} ${entry.text}` : entry.text)).join('\n'),
    warnings: log.flatMap(({ level, text }) => (level === 'warning' ? [text] : [])),
  }
}

async function runHere(options: Options): Promise<StepRun> {
  const { event, env: more, runnerTemp = '' } = options
  const { values, unexpected } = resolveInputs(options)
  // Only reports are written to the workspace.
  const { workspace = values.mode === 'visitors' ? temporaryFolder() : noFolder } = options
  const paths = { workspace, temp: runnerTemp, event: '' }
  const env = { ...runnerEnvironment(options, paths), ...more }
  // The runner only warns about unexpected inputs, but in a test they are a mistake.
  if (unexpected.length > 0) throw new Error(`action.yml has no input ${unexpected.join(', ')}`)
  const raw = Object.fromEntries(inputNames.map((name) => [name, (values[name] ?? '').trim()])) as RawInputs
  const run = { exitCode: 0, outputs: {}, state: {}, summary: '' } as StepRun
  const log: LogEntry[] = []
  const runner: Runner = {
    log: (...entries) => void log.push(...entries),
    output: (values) => void Object.assign(run.outputs, values),
    save: (name, value) => Object.assign(run.state, { [name]: value }) !== null,
    summary: async (summary) => void Object.assign(run, { summary }),
    fail: () => void Object.assign(run, { exitCode: 1 }),
  }
  const clock = createClock(options.date ?? Date.now())
  const begun = clock.now()
  const { signal: cancelled } = new AbortController()
  const context = contextOf(env, raw, event ?? {}, { runner, clock, cancelled })
  await runMain(raw, context)
  return { ...run, ...toldBy(log), took: clock.now() - begun }
}

/** Follows real time, but jumps ahead instead of sleeping. */
function createClock(date: number): Clock {
  let slept = 0
  const begun = performance.now()
  const now = () => Math.floor(performance.now() + slept)
  const passed = () => now() - Math.floor(begun)
  let start = date
  let isFollowing = false
  return {
    now,
    date: () => start + passed(),
    follow(text = '') {
      if (!isFollowing) start = Date.parse(text) - passed()
      isFollowing = true
    },
    sleep: async (ms) => {
      slept += Math.max(0, ms)
    },
  }
}
