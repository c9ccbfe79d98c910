/** The inputs and results of the emulated runner. It follows actions/runner; comments name the source file of each rule. */

/** One step with `uses: ./` in a workflow, and its environment. Every option has a harmless default. */
export interface StepOptions {
  /** The step's `with`. An empty value is not replaced by the default. */
  with?: Readonly<Record<string, string>>
  /** The folder that contains action.yml; this project by default. */
  actionDir?: string
  /** `GITHUB_WORKSPACE`, the folder in which the action runs; an empty folder by default. */
  workspace?: string
  /** `RUNNER_TEMP`; by default, a folder for this step, which is removed afterwards. */
  runnerTemp?: string
  /** The payload in the event file; `{}` by default. */
  event?: unknown
  /** `workflow_dispatch` by default. */
  eventName?: string
  /** `github.token`. Masked from the start, as in the runner. */
  githubToken?: string
  /** The step's `env`. Applied last, so that, unlike on GitHub, it can replace `GITHUB_API_URL` and similar variables. */
  env?: Readonly<Record<string, string>>
  /** Called with each line of the log as it appears. */
  onLine?: (line: LogLine) => void
}

/** An action's main script, and the post script that runs after it. */
export type Stage = 'main' | 'post'
export type AnnotationKind = 'error' | 'warning' | 'notice'

/** A line of the log. */
export interface LogLine {
  stage: Stage
  kind: 'text' | 'group' | 'endgroup' | AnnotationKind
  /** The masked text. Each `%0A` in a command is a line feed here. */
  text: string
  /** An annotation's title, if any. The runner does not mask it. */
  title?: string
}

export interface StepResult {
  /** The exit code of main; null if it was killed. */
  exitCode: number | null
  /** The signal that killed main. */
  signal: NodeJS.Signals | null
  /** Milliseconds that main ran. */
  took: number
  outputs: Record<string, string>
  /** What main saved for post. */
  state: Record<string, string>
  /** The summaries of main and post, masked. A summary of more than 1,048,576 bytes is dropped (FileCommandManager). */
  summary: string
  /** The lines of main, then those of post, masked. */
  log: LogLine[]
  /** Everything that main and then post printed, unmasked. */
  rawStdout: string
  rawStderr: string
  /** The errors, warnings and notices in the log. */
  annotations: LogLine[]
  /** The values that the action masked, in order. */
  masks: string[]
  /**
   * Lines with commands that an action must not use: they are rejected or deprecated on GitHub, or change how the log is
   * read. None of them is carried out here, and each becomes an error.
   */
  rejectedCommands: string[]
  /** The exit code of post; null if it was killed. Missing if action.yml has no `post`. */
  postExitCode?: number | null
}

export interface RunningStep {
  /** Signals the running script; false if there is none. */
  kill(signal: NodeJS.Signals): boolean
  /** Cancels as the runner does: SIGINT, SIGTERM 7.5 s later, SIGKILL another 2.5 s later (ProcessInvoker). Post still runs. */
  cancel(): void
  readonly done: Promise<StepResult>
}
