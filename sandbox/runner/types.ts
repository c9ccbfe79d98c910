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

export type AnnotationKind = 'error' | 'warning' | 'notice'

/** A line of the log. */
export interface LogLine {
  kind: 'text' | 'group' | 'endgroup' | AnnotationKind
  /** The masked text. Each `%0A` in a command is a line feed here. */
  text: string
  /** An annotation's title, if any. The runner does not mask it. */
  title?: string
}
