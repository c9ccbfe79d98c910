/**
 * One step of a workflow, as GitHub's runner would run it: inputs by name, command files, printed commands, masks, the
 * event's file, then the post step. Nothing of the caller's environment gets through but what a process needs to start.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { actionRoot, inputEnvironment, readAction } from './action.ts'
import { type Command, parseCommand, printedCommands } from './commands.ts'
import { parseCommandFile } from './files.ts'

export interface StepOptions {
  /** The inputs under `with:`. */
  with: Readonly<Record<string, string>>
  /** More environment, such as the workflow's `env:` would give. */
  env?: Readonly<Record<string, string>>
  event?: { name: string; payload: unknown; actor?: string; triggeringActor?: string; attempt?: number }
  /** The checked-out repository; an empty folder where there is none. */
  workspace?: string
  githubToken?: string
  /** Is told of each line, as the log would show it. */
  onLine?: (line: LogLine) => void
  /** The folder with action.yml; the project's own by default. */
  actionFolder?: string
}

export interface LogLine {
  kind: 'text' | 'group' | 'endgroup' | 'notice' | 'warning' | 'error' | 'debug'
  text: string
  title?: string
}

export interface StepResult {
  /** null where a signal ended the process. */
  exitCode: number | null
  outputs: Record<string, string>
  state: Record<string, string>
  /** Empty where the runner would drop it. */
  summary: string
  log: LogLine[]
  /** Everything that was printed, as it was printed. */
  raw: string
  masks: string[]
  /** Printed commands that the runner does not carry out: nothing good prints one. */
  rejected: string[]
  post?: { exitCode: number | null; log: LogLine[]; summary: string }
}

export interface RunningStep {
  pid: number
  kill(signal: NodeJS.Signals): void
  done: Promise<StepResult>
}

/** GitHub drops a larger summary whole. */
const summaryLimit = 1_048_576

/** Runs a step to its end. */
export function runStep(options: StepOptions): Promise<StepResult> {
  return startStep(options).done
}

/** Starts a step. */
export function startStep(options: StepOptions): RunningStep {
  const folder = options.actionFolder ?? actionRoot
  const { runs } = readAction(folder)
  const temp = mkdtempSync(join(tmpdir(), 'step-'))
  const main = startProcess(join(folder, runs.main), join(temp, 'main'), {}, options, temp)
  return { pid: main.child.pid ?? 0, kill: (signal) => main.child.kill(signal), done: finish() }

  async function finish(): Promise<StepResult> {
    try {
      const result = await main.done
      if (runs.post === undefined) return result
      const state = Object.fromEntries(
        Object.entries(result.state).map(([name, value]) => [`STATE_${name}`, value]),
      )
      const { exitCode, log, summary } = await startProcess(
        join(folder, runs.post),
        join(temp, 'post'),
        state,
        options,
        temp,
      ).done
      return { ...result, post: { exitCode, log, summary } }
    } finally {
      rmSync(temp, { recursive: true, force: true })
    }
  }
}

function startProcess(
  script: string,
  files: string,
  state: Record<string, string>,
  options: StepOptions,
  temp: string,
): { child: ChildProcess; done: Promise<StepResult> } {
  mkdirSync(files)
  const commandFiles = Object.fromEntries(
    ['OUTPUT', 'STATE', 'ENV', 'PATH', 'STEP_SUMMARY'].map((name) => [`GITHUB_${name}`, join(files, name)]),
  )
  for (const path of Object.values(commandFiles)) writeFileSync(path, '')
  const env = { ...environment(options, temp), ...commandFiles, ...state }
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const log = new Log(options.onLine)
  const read = Promise.all([readLines(child.stdout, log), readLines(child.stderr, log)])

  const done = new Promise<StepResult>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (exitCode) => {
      read.then(() => {
        const file = (name: string) => readFileSync(join(files, name), 'utf8')
        const outputs = log.take(parseCommandFile(file('OUTPUT')))
        const saved = log.take(parseCommandFile(file('STATE')))
        const summary = log.keepSummary(file('STEP_SUMMARY'))
        const { lines, raw, masks, rejected } = log
        resolve({ exitCode, outputs, state: saved, summary, log: lines, raw, masks, rejected })
      }, reject)
    })
  })
  return { child, done }
}

async function readLines(stream: Readable, log: Log): Promise<void> {
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }))
    log.read(line)
}

/** What the runner makes of what is printed. */
class Log {
  readonly lines: LogLine[] = []
  readonly masks: string[] = []
  readonly rejected: string[] = []
  raw = ''
  private readonly onLine: (line: LogLine) => void

  constructor(onLine: (line: LogLine) => void = () => {}) {
    this.onLine = onLine
  }

  read(line: string): void {
    this.raw += `${line}\n`
    const command = parseCommand(line)
    if (command === undefined) this.add({ kind: 'text', text: line })
    else this.carryOut(command, line)
  }

  private carryOut({ name, message, properties }: Command, line: string): void {
    if (!printedCommands.includes(name)) this.rejected.push(line)
    else if (name === 'add-mask') this.masks.push(message)
    else if (name !== 'echo')
      this.add({
        kind: name as LogLine['kind'],
        text: message,
        ...(properties.title && { title: properties.title }),
      })
  }

  /** The values of a command file, with its fault as the runner would show it. */
  take({ values, error }: ReturnType<typeof parseCommandFile>): Record<string, string> {
    if (error !== undefined) this.add({ kind: 'error', text: error })
    return values
  }

  keepSummary(summary: string): string {
    if (Buffer.byteLength(summary) <= summaryLimit) return summary
    this.add({ kind: 'error', text: `$GITHUB_STEP_SUMMARY upload aborted, over ${summaryLimit} bytes` })
    return ''
  }

  private add(line: LogLine): void {
    const text = this.masks.reduce((shown, mask) => shown.replaceAll(mask, '***'), line.text)
    this.lines.push({ ...line, text })
    this.onLine({ ...line, text })
  }
}

/** GitHub's docs, "Default environment variables". */
function environment(options: StepOptions, temp: string): Record<string, string> {
  const { event, githubToken = '' } = options
  const eventFile = join(temp, 'event.json')
  writeFileSync(eventFile, JSON.stringify(event?.payload ?? {}))
  const empty = join(temp, 'workspace')
  const runnerTemp = join(temp, 'temp')
  for (const folder of [empty, runnerTemp]) mkdirSync(folder, { recursive: true })
  const needed = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'HOME']
  const inherited = needed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  const actor = event?.actor ?? 'octocat'
  return {
    ...Object.fromEntries(inherited),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTOR: actor,
    GITHUB_TRIGGERING_ACTOR: event?.triggeringActor ?? actor,
    GITHUB_ACTION_REPOSITORY: '',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_EVENT_NAME: event?.name ?? 'workflow_dispatch',
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REPOSITORY: 'acme/product',
    GITHUB_RUN_ATTEMPT: String(event?.attempt ?? 1),
    GITHUB_RUN_ID: '1',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
    GITHUB_WORKFLOW: 'docs',
    GITHUB_WORKSPACE: options.workspace ?? empty,
    RUNNER_TEMP: runnerTemp,
    ...inputEnvironment(readAction(options.actionFolder), options.with, { 'github.token': githubToken }),
    ...options.env,
  }
}
