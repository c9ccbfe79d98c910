import type { StepOptions } from './types.ts'

/** The variables that any process needs. No other variable from the caller's environment reaches the action. */
const inherited = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG'],
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE'],
]

const systems: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
}

/** Folders and files of a step. */
export interface StepPaths {
  workspace: string
  temp: string
  event: string
}

/** The environment that the runner gives to an action, except inputs, state and command files. */
export function runnerEnvironment(options: StepOptions, paths: StepPaths): Record<string, string> {
  const machine = inherited.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(machine),
    ...githubVariables,
    ...actorVariables(options.event),
    GITHUB_EVENT_NAME: options.eventName ?? 'workflow_dispatch',
    GITHUB_EVENT_PATH: paths.event,
    GITHUB_WORKSPACE: paths.workspace,
    RUNNER_TEMP: paths.temp,
    RUNNER_OS: systems[process.platform] ?? process.platform,
    RUNNER_ARCH: process.arch.toUpperCase(),
  }
}

/** The variables for the actor, who is the event's sender. */
function actorVariables(event: unknown): Record<string, string> {
  const { sender } = (event ?? {}) as { sender?: { login: string; id: number } | null }
  if (!sender) return {}
  const { login, id } = sender
  return { GITHUB_ACTOR: login, GITHUB_ACTOR_ID: String(id), GITHUB_TRIGGERING_ACTOR: login }
}

const githubVariables = {
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_ACTION: '__self',
  GITHUB_ACTOR: 'octocat',
  GITHUB_ACTOR_ID: '583231',
  GITHUB_TRIGGERING_ACTOR: 'octocat',
  GITHUB_REPOSITORY: 'acme/docs',
  GITHUB_REPOSITORY_OWNER: 'acme',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_REF_NAME: 'main',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
  GITHUB_WORKFLOW: 'Docs',
  GITHUB_JOB: 'docs',
  GITHUB_RUN_ID: '1000001',
  GITHUB_RUN_NUMBER: '1',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_SERVER_URL: 'https://github.com',
  // Nothing listens on this port. A step only reaches a GitHub that its `env` names, so tests never reach the real one.
  GITHUB_API_URL: 'http://127.0.0.1:9',
  GITHUB_GRAPHQL_URL: 'http://127.0.0.1:9/graphql',
}
