/**
 * Emulates GitHub's runner for one step of this action: what actions/runner does around an action's scripts. Comments name
 * the source file of each rule.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inputVariables, projectDir, readAction, resolveInputs } from './action.ts'
import { runnerEnvironment, type StepOptions, type StepPaths } from './environment.ts'
import { createCommandFiles, readCommandFiles } from './files.ts'
import { StepLog } from './log.ts'
import { type RunningScript, startScript } from './script.ts'

/** A step that is running. */
export type RunningStep = ReturnType<typeof startStep>

/** What a step did. */
export type StepResult = ReturnType<typeof resultOf>

/** Runs the action's main script, then its post script, if any. */
export async function runStep(options: StepOptions = {}): Promise<StepResult> {
  return startStep(options).done
}

/** Starts a step as `runStep` does, and returns a way to send it signals. */
export function startStep(options: StepOptions = {}) {
  const { actionDir = projectDir, githubToken = '', hasPost = true } = options
  const { main, post } = readAction(actionDir)
  const inputs = resolveInputs(options)

  const folder = mkdtempSync(join(tmpdir(), 'runner-'))
  const paths = createFolders(folder, options)
  const log = new StepLog(githubToken, options.onLine)
  for (const name of inputs.unexpected) log.annotate('warning', `Unexpected input '${name}'`)

  const start = (stage: string, script: string, state: Record<string, string>): RunningScript => {
    const env = {
      ...runnerEnvironment(options, paths),
      ...createCommandFiles(join(folder, stage)),
      ...inputVariables(inputs.values),
      // Unlike those of inputs, the names keep their case.
      ...Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value])),
      ...options.env,
    }
    const path = join(actionDir, script)
    return startScript({ path, cwd: paths.workspace, env, onLine: (line) => log.take(line) })
  }

  const mainScript = start('main', main, {})
  let running = mainScript

  const proceed = async (): Promise<StepResult> => {
    const mainEnd = await finish(log, mainScript, join(folder, 'main'))
    if (post === undefined || !hasPost) return resultOf(log, mainEnd)
    running = start('post', post, mainEnd.state)
    return resultOf(log, mainEnd, await finish(log, running, join(folder, 'post')))
  }

  return {
    /** Signals the running script; false if there is none. */
    kill: (signal: NodeJS.Signals) => running.kill(signal),
    /** Cancels the main script as the runner does (`patience` in script.ts). Post still runs. */
    cancel: () => mainScript.cancel(),
    done: proceed().finally(() => rmSync(folder, { recursive: true, force: true })),
  }
}

function createFolders(folder: string, { workspace, runnerTemp, event = {} }: StepOptions): StepPaths {
  const paths = {
    workspace: workspace ?? join(folder, 'workspace'),
    temp: runnerTemp ?? join(folder, 'temp'),
    event: join(folder, 'event.json'),
  }
  for (const path of [paths.workspace, paths.temp]) mkdirSync(path, { recursive: true })
  writeFileSync(paths.event, JSON.stringify(event))
  return paths
}

/** Waits until a script has ended, and reads its command files. */
async function finish(log: StepLog, script: RunningScript, folder: string) {
  const end = await script.done
  const handedOver = readCommandFiles(folder)
  return { ...end, ...handedOver, summary: log.mask(handedOver.summary) }
}

type FinishedScript = Awaited<ReturnType<typeof finish>>

function resultOf(log: StepLog, main: FinishedScript, post?: FinishedScript) {
  return {
    // The exit code, the signal and the time are those of main, and so are the outputs.
    ...main,
    /** The summaries of main and post, masked. */
    summary: main.summary + (post?.summary ?? ''),
    log: log.lines,
    /** Everything that main and then post printed, unmasked. */
    rawStdout: main.stdout + (post?.stdout ?? ''),
    rawStderr: main.stderr + (post?.stderr ?? ''),
    annotations: log.lines.filter(({ kind }) => ['error', 'warning', 'notice'].includes(kind)),
    /** The values that the action masked, in order. */
    masks: log.added,
    /** Lines with commands that an action must not use. None is carried out here, and each becomes an error. */
    rejectedCommands: log.rejectedCommands,
    /** The exit code of post; null if it was killed. Missing if it did not run. */
    ...(post && { postExitCode: post.exitCode }),
  }
}
