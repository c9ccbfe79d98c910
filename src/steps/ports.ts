/** The adapters that all modes share. */
import { createGitHubPorts } from '../adapters/github/github.ts'
import { sha256, signWith } from '../adapters/sign.ts'
import { createHttp } from '../adapters/wire.ts'
import { matchesGlob } from '../core/globs.ts'
import type { SettleInputs } from '../core/inputs/inputs.ts'
import type { Progress } from '../core/progress.ts'
import { describe } from '../say/messages.ts'
import type { AgentPorts } from '../usecases/ports.ts'
import { readOnly } from '../usecases/read-only.ts'
import type { StepContext } from './context.ts'
import { wordsOf } from './words.ts'

/** Time after `timeout` to report the result to GitHub, in milliseconds. */
const githubTime = 30_000
/** Time for GitHub after a cancel, in milliseconds: the runner kills the step 10 s after the cancel. */
const githubTimeOnceCancelled = 8_500

/** The inputs that the adapters need, in any mode. */
type StepInputs = Pick<SettleInputs, 'baseUrl' | 'apiKey' | 'githubToken' | 'timeout' | 'dryRun' | 'command'>

/** The platform, GitHub and the clock, with one deadline for the step. In a dry run, GitHub can only be read. */
export function createStepPorts(inputs: StepInputs, step: StepContext): AgentPorts {
  const { runner, clock, jobRef, proxy, cancelled, apiUrl, serverUrl } = step
  const deadline = clock.now() + inputs.timeout
  const github = createGitHubPorts({
    token: inputs.githubToken,
    apiUrl,
    proxy,
    cancelled,
    clock,
    deadline: deadline + githubTime,
    graceAfterCancel: githubTimeOnceCancelled,
  })
  return {
    http: createHttp({ ...inputs, proxy, cancelled }),
    github: inputs.dryRun ? readOnly(github) : github,
    words: wordsOf(inputs.command, step),
    clock,
    deadline,
    random: Math.random,
    cancelled,
    serverUrl,
    sha256,
    onProgress: (progress: Progress) => describe(progress, jobRef).forEach(runner.log),
    sign: signWith(inputs.apiKey),
    matches: matchesGlob,
  }
}
