/** What the use cases need from the inputs. */
import type { AgentInputs, SettleInputs } from '../core/inputs/inputs.ts'
import type { SettleSettings } from '../usecases/open-requests.ts'
import type { Policy } from '../usecases/policy.ts'

export function policyOf(inputs: AgentInputs): Policy {
  const {
    prompt,
    promptFile: file,
    contextFiles,
    contextPaths: paths,
    contextDiff,
    apiKey,
    githubToken,
  } = inputs
  const { command, jobId, openLimit, hold, wait, pollInterval, dryRun } = inputs
  return {
    settings: {
      ...settleSettings(inputs),
      source: { file, contextFiles, secrets: { apiKey, githubToken } },
      // A dry run does not wait for a job.
      poll: wait && !dryRun ? pollInterval : null,
    },
    command,
    prompt,
    diff: contextDiff === false || githubToken === null ? null : { paths },
    isSinceLast: contextDiff === 'since-last',
    jobId,
    openLimit,
    hold: hold === 'none' ? null : hold,
  }
}

export function settleSettings(inputs: AgentInputs | SettleInputs): SettleSettings {
  const { projectId, agentLogin, githubToken, failOn } = inputs
  const { pullRequestLabels: labels, reviewers, allowedPaths } = inputs
  return {
    scope: { projectId, agentLogin, hasToken: githubToken !== null },
    pullSettings: { labels, reviewers, allowedPaths },
    failOn,
  }
}
