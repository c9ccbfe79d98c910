/** The adapters that all modes share. In a dry run, writes to GitHub do nothing. */
import { createWorkspace } from '../adapters/files.ts'
import { sha256, signWith } from '../adapters/sign.ts'
import { createWire } from '../adapters/wire.ts'
import { replyWith } from '../core/http.ts'
import type { SettleInputs } from '../core/inputs/schema.ts'
import { createBudget } from '../github/budget.ts'
import type { GitHubOptions } from '../github/client.ts'
import { createGitHubPorts } from '../github/github.ts'
import type { queryCalls } from '../github/queries.ts'
import type { repositoryCalls } from '../github/repositories.ts'
import { createMintlify } from '../mintlify/mintlify.ts'
import type { AgentPorts, GitHubPorts } from '../ports.ts'
import { say } from '../say/messages.ts'
import { createWords } from '../say/replies.ts'
import type { StepContext } from './context.ts'

/** Time after `timeout` to report the result to GitHub, in milliseconds. */
const githubTime = 30_000

/** A step's context, and its ports. */
export type StepPorts = StepContext & AgentPorts & Pick<GitHubOptions, 'accepted'>

/** The platform, GitHub and the clock, with one deadline for the step. In a dry run, GitHub can only be read. */
export function createStepPorts(
  inputs: Pick<SettleInputs, 'baseUrl' | 'apiKey' | 'githubToken' | 'timeout' | 'dryRun' | 'command'> & {
    label?: string | null
  },
  step: StepContext,
): StepPorts {
  const { apiKey, baseUrl, githubToken: token, timeout, dryRun, command, label = null } = inputs
  const { runner, run, serverUrl } = step
  const { log } = runner
  const { runUrl, repositoryId } = run
  const deadline = step.clock.now() + timeout
  const accepted: StepPorts['accepted'] = new Set()
  const shared = { ...step, log, deadline, random: Math.random, accepted }
  const onPage = (title: string) => log(say.page(title))
  const budget = createBudget()
  const github = createGitHubPorts({
    ...shared,
    token,
    deadline: deadline + githubTime,
    onLimit: (wait) => log(say.limited(wait)),
    onPage,
    budget,
  })
  return {
    ...shared,
    mintlify: createMintlify({
      ...shared,
      wire: createWire({ ...step, secrets: [apiKey, token], onPage }),
      baseUrl,
      apiKey,
      projectId: run.step.project,
      onFailure: (failure, wait) => log(say.failing(failure, wait)),
    }),
    github: dryRun ? { ...github, ...writes } : github,
    room: budget.room,
    workspace: createWorkspace(step.folders),
    words: createWords({ command, label, runUrl, serverUrl, repositoryId }),
    sha256,
    sign: signWith(apiKey),
  }
}

/** The calls that only read. All others must be in `writes`, or this file does not compile. */
type Read =
  | keyof ReturnType<typeof repositoryCalls>
  | keyof ReturnType<typeof queryCalls>
  | 'viewer'
  | 'role'
  | 'comments'
  | 'reviewComment'
  | 'recentComments'
  | 'statuses'

const success = async () => replyWith(undefined)
/** A higher id than any other, so that another run's comment counts as the first. */
const highestId = async () => replyWith(Number.MAX_SAFE_INTEGER)

/** Writes do nothing, and report success. */
export const writes: Omit<GitHubPorts, Read> = {
  reply: highestId,
  edit: highestId,
  remove: success,
  react: success,
  hide: success,
  setStatus: highestId,
  addLabels: success,
  requestReview: success,
}
