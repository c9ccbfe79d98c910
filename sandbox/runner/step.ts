/** Emulates GitHub's runner for one step of this action: what actions/runner does around an action's scripts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inputVariables, projectDir, readAction, resolveInputs } from './action.ts'
import { runnerEnvironment, type StepPaths } from './environment.ts'
import { createCommandFiles, type HandedOver, readCommandFiles } from './files.ts'
import { StepLog } from './log.ts'
import { type RunningScript, type ScriptEnd, startScript } from './script.ts'
import type { RunningStep, Stage, StepOptions, StepResult } from './types.ts'

export type * from './types.ts'

type FinishedScript = ScriptEnd & HandedOver

/** Runs the action's main script, then its post script, if any. */
export async function runStep(options: StepOptions = {}): Promise<StepResult> {
  return startStep(options).done
}

/** Starts a step as `runStep` does, and returns a way to send it signals. */
export function startStep(options: StepOptions = {}): RunningStep {
  const { actionDir = projectDir, githubToken = '' } = options
  const { inputs: known, main, post } = readAction(actionDir)
  const expressions = { 'github.token': githubToken, 'strategy.job-index': '0' }
  const inputs = resolveInputs(known, options.with ?? {}, expressions)

  const folder = mkdtempSync(join(tmpdir(), 'runner-'))
  const paths = createFolders(folder, options)
  const log = new StepLog(githubToken, options.onLine)
  for (const name of inputs.unexpected) log.annotate('warning', `Unexpected input '${name}'`)

  const start = (stage: Stage, script: string, state: Record<string, string>): RunningScript => {
    log.stage = stage
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
    if (post === undefined) return resultOf(log, mainEnd)
    running = start('post', post, mainEnd.state)
    return resultOf(log, mainEnd, await finish(log, running, join(folder, 'post')))
  }

  return {
    kill: (signal) => running.kill(signal),
    // A cancel ends only the main script. The post script still runs afterwards.
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
async function finish(log: StepLog, script: RunningScript, folder: string): Promise<FinishedScript> {
  const end = await script.done
  const handedOver = readCommandFiles(folder)
  return { ...end, ...handedOver, summary: log.mask(handedOver.summary) }
}

function resultOf(log: StepLog, main: FinishedScript, post?: FinishedScript): StepResult {
  return {
    ...main,
    summary: main.summary + (post?.summary ?? ''),
    log: log.lines,
    rawStdout: main.stdout + (post?.stdout ?? ''),
    rawStderr: main.stderr + (post?.stderr ?? ''),
    annotations: log.lines.filter(({ kind }) => ['error', 'warning', 'notice'].includes(kind)),
    masks: log.added,
    rejectedCommands: log.rejectedCommands,
    ...(post && { postExitCode: post.exitCode }),
  }
}
