/** What a step gets from the runner. */
import { repositoryId } from '../github/repository.ts'
import type { LogLine } from './log.ts'

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
  /** Whether the post script runs; true by default. */
  hasPost?: boolean
  /** Called with each line of the log as it appears. */
  onLine?: (line: LogLine) => void
}

/** The variables that any process needs. No other variable from the caller's environment reaches the action. */
const inherited = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG'],
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE'],
]

/** Folders and files of a step. */
export interface StepPaths {
  workspace: string
  temp: string
  event: string
}

/** The environment that the runner gives to an action, except inputs, state and command files. */
export function runnerEnvironment(options: StepOptions, paths: StepPaths): Record<string, string> {
  // The actor is the event's sender.
  const { sender } = (options.event ?? {}) as { sender?: { login: string; id: number } | null }
  const machine = inherited.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(machine),
    ...githubVariables,
    ...(sender && { GITHUB_ACTOR: sender.login, GITHUB_ACTOR_ID: `${sender.id}` }),
    ...(sender && { GITHUB_TRIGGERING_ACTOR: sender.login }),
    GITHUB_EVENT_NAME: options.eventName ?? 'workflow_dispatch',
    GITHUB_EVENT_PATH: paths.event,
    GITHUB_WORKSPACE: paths.workspace,
    RUNNER_TEMP: paths.temp,
  }
}

const githubVariables = {
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_ACTION: '__self',
  GITHUB_ACTOR: 'octocat',
  GITHUB_ACTOR_ID: '583231',
  GITHUB_TRIGGERING_ACTOR: 'octocat',
  GITHUB_REPOSITORY: 'acme/docs',
  GITHUB_REPOSITORY_ID: `${repositoryId('acme/docs')}`,
  GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
  GITHUB_WORKFLOW: 'Docs',
  GITHUB_JOB: 'docs',
  GITHUB_RUN_ID: '1000001',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_SERVER_URL: 'https://github.com',
  // Nothing listens on this port. A step only reaches a GitHub that its `env` names, so tests never reach the real one.
  GITHUB_API_URL: 'http://127.0.0.1:9',
}
