/** A step's context, which the composition root reads from the process once. */
import type { Runner } from '../adapters/runner.ts'
import type { InputFault } from '../core/inputs/inputs.ts'
import type { ProxySettings } from '../core/proxy.ts'
import type { WorkflowEvent } from '../core/trigger/event.ts'
import type { JobRef } from '../say/problems.ts'
import type { Clock, RunIdentity } from '../usecases/ports.ts'

/** Everything that a step gets from outside, except its inputs. */
export interface StepContext {
  runner: Runner
  clock: Clock
  event: WorkflowEvent
  proxy: ProxySettings
  /** The faults in the environment's proxy settings. If there are any, nothing is sent. */
  proxyFaults: readonly InputFault[]
  /** The names that explanations use. A job's id is added once it is known. */
  jobRef: JobRef
  /** Aborts when the step must end. */
  cancelled: AbortSignal
  /** Link to this run; empty outside a run. */
  runUrl: string
  run: RunIdentity
  /** `GITHUB_SERVER_URL`, the start of links to GitHub. */
  serverUrl: string
  /** `GITHUB_API_URL`. It differs on GitHub Enterprise Server. */
  apiUrl: string
  /** `owner/name` of the workflow's repository; empty outside a run. */
  repository: string
  /** `GITHUB_SHA`; empty outside a run. */
  commit: string
  workspace: string
  /** The runner's temporary folder; empty if there is none. */
  temp: string
}

/**
 * The names of what the main step saves for the post step. If `finished` is saved and `reply` is empty, the post step
 * has nothing to do, so scripts/bundle/post.js, which reads both, does not load the bundle.
 */
export const stateKeys = { jobId: 'jobId', sending: 'sending', reply: 'reply', finished: 'finished' }
