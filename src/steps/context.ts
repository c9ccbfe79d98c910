/** What a step is set up with: the composition root has read all of it from the process, once. */
import type { Runner } from '../adapters/runner.ts'
import type { InputFault } from '../core/inputs/inputs.ts'
import type { ProxySettings } from '../core/proxy.ts'
import type { WorkflowEvent } from '../core/trigger/event.ts'
import type { JobRef } from '../render/problem.ts'
import type { Clock, RunIdentity } from '../usecases/ports.ts'

export interface StepContext {
  runner: Runner
  clock: Clock
  event: WorkflowEvent
  proxy: ProxySettings
  /** What is wrong with the proxies that the environment names: then nothing is sent. */
  proxyFaults: readonly InputFault[]
  /** What the explanations name; a job's id comes in when it is known. */
  jobRef: JobRef
  /** Aborted when the step is to end. */
  cancelled: AbortSignal
  /** How the workflow names this action: `owner/name@ref`, or `./`. */
  uses: string
  /** Link to this run; empty outside a run. */
  runUrl: string
  run: RunIdentity
  /** `GITHUB_SERVER_URL`, where pages of GitHub are. */
  serverUrl: string
  /** `GITHUB_API_URL`: an Enterprise server has its own. */
  apiUrl: string
  /** `owner/name` of the repository that the workflow runs in; empty outside a run. */
  repository: string
  /** `GITHUB_SHA`; empty outside a run. */
  commit: string
  workspace: string
  /** The runner's temporary folder; empty if there is none. */
  temp: string
  /** The folder of the bundle and the files it ships with. */
  dist: string
}
