/** What the emulated runner takes and gives. Rules are those of actions/runner, whose source is named where they come from. */

/** One step, `uses: ./` of a workflow, with its surroundings. Whatever is left out has a harmless default. */
export interface StepOptions {
  /** The step's `with`. Names are matched without regard to case; an empty value is kept, it does not bring the default back. */
  with?: Readonly<Record<string, string>>
  /** The folder of action.yml; the project's own if left out. */
  actionDir?: string
  /** The node to run the action with; the one that runs this if left out. */
  node?: string
  /** `GITHUB_WORKSPACE`, and where the action runs; an empty folder if left out. */
  workspace?: string
  /** `RUNNER_TEMP`; by default, a folder for this step, removed afterwards. */
  runnerTemp?: string
  /** The payload in the event file; `{}` if left out. */
  event?: unknown
  /** `workflow_dispatch` if left out. */
  eventName?: string
  /** `github.token`. Masked from the start, as the runner does. */
  githubToken?: string
  /** Values of the workflow's secrets, masked from the start. Left out where a test is to see the action mask by itself. */
  secrets?: readonly string[]
  /** The step's `env`. Applied last, so that it can replace `GITHUB_API_URL` and its like, which on GitHub it can't. */
  env?: Readonly<Record<string, string>>
  /** Milliseconds that each signal of a cancel is given; the runner's own, 7,500 and 2,500, by default. */
  patience?: { SIGINT: number; SIGTERM: number }
  /** Called with each line of the log as it appears. */
  onLine?: (line: LogLine) => void
}

export type Stream = 'stdout' | 'stderr'
/** An action's main script, and the one that runs after it. */
export type Stage = 'main' | 'post'
export type AnnotationKind = 'error' | 'warning' | 'notice'

/** A line of the log. `command` is a line that is shown as it came, such as `::stop-commands::…`. */
export interface LogLine {
  stage: Stage
  /** Where it came from; `runner` for the runner's own words. */
  stream: Stream | 'runner'
  kind: 'text' | 'group' | 'endgroup' | 'command' | AnnotationKind
  /** As shown after masking. One that came with `%0A` holds line feeds. */
  text: string
  /** An annotation's title, if it has one. Not shown in the log, and not masked (see Annotation). */
  title?: string
}

export interface Annotation {
  stage: Stage
  kind: AnnotationKind
  /** Masked, and cut at 4,096 UTF-16 units (ExecutionContext.AddIssue). */
  text: string
  title?: string
  /** The other properties: `file`, `line`, … The runner masks neither these nor the title. */
  properties: Record<string, string>
}

export interface StepResult {
  /** The exit code of main; null if it was killed. */
  exitCode: number | null
  /** What killed main. */
  signal: NodeJS.Signals | null
  /** Milliseconds that main ran. */
  took: number
  /** `failure` for any exit code but 0, of main or post, and where a command or a command file could not be processed. */
  conclusion: 'success' | 'failure'
  outputs: Record<string, string>
  /** What main saved for post. */
  state: Record<string, string>
  /** Main's, masked; empty if it was too long (1,048,576 bytes, FileCommandManager). */
  summary: string
  /** Post's, which GitHub shows beside main's. */
  postSummary: string
  /** Main's, then post's, masked. */
  log: LogLine[]
  /** All that was printed, main's then post's, as it was printed. */
  rawStdout: string
  rawStderr: string
  /** At most 10 of each kind and stage (ExecutionContext). */
  annotations: Annotation[]
  /** The values the action had masked, in the order it gave them. */
  masks: string[]
  /**
   * Lines that commanded what an action of today doesn't: set-env and add-path, which the runner rejects; set-output and
   * save-state, which it only deprecates, and add-matcher, remove-matcher and echo, which it carries out. Here none is.
   */
  rejectedCommands: string[]
  /** Where action.yml has a `post`; null if it was killed. */
  postExitCode?: number | null
}

export interface RunningStep {
  /** The main script's. */
  readonly pid: number
  /** Signals the script that is running; false if none is. */
  kill(signal: NodeJS.Signals): boolean
  /** Cancels as the runner does: SIGINT, after 7.5 s SIGTERM, after another 2.5 s SIGKILL (ProcessInvoker). Post still runs. */
  cancel(): void
  readonly done: Promise<StepResult>
}
