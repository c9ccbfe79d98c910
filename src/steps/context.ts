/** A step's context, which the composition root reads from the process once. */
import type { Folders } from '../adapters/files.ts'
import type { Runner } from '../adapters/runner.ts'
import type { Clock } from '../core/clock.ts'
import { textOf } from '../core/inputs/inputs.ts'
import type { RawInputs } from '../core/inputs/schema.ts'
import { annotateOnce } from '../core/log.ts'
import { readProxies } from '../core/proxy.ts'
import { parseEvent, type WorkflowEvent } from '../core/trigger/event.ts'

/** Everything that a step gets from outside, except its inputs. */
export type StepContext = ReturnType<typeof contextOf>

type Environment = NodeJS.ProcessEnv

/** What does not come from environment variables. */
interface OtherParts {
  runner: Runner
  clock: Clock
  /** Aborts when the step must end. */
  cancelled: AbortSignal
}

/**
 * The context of a step, from the variables that the runner sets (GitHub's docs, "Default environment variables").
 * @param payload the JSON of the event's payload; undefined if there is none
 */
export function contextOf(env: Environment, raw: RawInputs, payload: unknown, parts: OtherParts) {
  const serverUrl = env.GITHUB_SERVER_URL || 'https://github.com'
  const workspace = env.GITHUB_WORKSPACE || '.'
  const { GITHUB_EVENT_NAME: name = '', GITHUB_ACTOR: actor = '' } = env
  const event = parseEvent({ name, actor, payload }, env.GITHUB_REPOSITORY_ID, env.GITHUB_REPOSITORY)
  const folders: Folders = [workspace, env.RUNNER_TEMP || workspace]
  return {
    ...parts,
    runner: { ...parts.runner, log: annotateOnce(parts.runner.log) },
    /** If the proxy settings have faults, nothing is sent. */
    ...readProxies(env),
    event,
    /** The job's id, once it is known. */
    jobRef: { jobId: textOf(raw, 'job-id') },
    actionUrl: actionUrlOf(env, serverUrl),
    run: runOf(env, raw, serverUrl, event),
    /** The start of links to GitHub. */
    serverUrl,
    /** It differs on GitHub Enterprise Server. */
    apiUrl: env.GITHUB_API_URL || 'https://api.github.com',
    folders,
  }
}

/** The files of this version of the action on GitHub. A local action (`uses: ./`) has no repository. */
function actionUrlOf(env: Environment, serverUrl: string) {
  const action = env.GITHUB_ACTION_REPOSITORY
  return action ? `${serverUrl}/${action}/blob/${env.GITHUB_ACTION_REF || 'main'}` : '.'
}

/** This run of the workflow: see `RunIdentity`. */
function runOf(env: Environment, raw: RawInputs, serverUrl: string, { name, home }: WorkflowEvent) {
  const { GITHUB_REPOSITORY: repository = '', GITHUB_RUN_ID: id = '' } = env
  return {
    id,
    attempt: Number(env.GITHUB_RUN_ATTEMPT) || 1,
    step: {
      workflow: env.GITHUB_WORKFLOW ?? '',
      job: env.GITHUB_JOB ?? '',
      step: env.GITHUB_ACTION ?? '',
      matrixIndex: raw['matrix-index'],
      project: raw['project-id'],
    },
    actor: account(env.GITHUB_ACTOR, Number(env.GITHUB_ACTOR_ID)),
    triggeringActor: account(env.GITHUB_TRIGGERING_ACTOR),
    repository,
    repositoryId: home.repositoryId,
    commit: env.GITHUB_SHA ?? '',
    eventName: name,
    runUrl: `${serverUrl}/${repository}/actions/runs/${id}`,
  }
}

/** An account, from a login and an id in the environment. */
function account(login = '', id = Number.NaN) {
  return { login, id: Number.isSafeInteger(id) ? id : null, isBot: null }
}
