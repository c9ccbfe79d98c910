/** What the use cases need from the inputs. */
import type { AgentInputs, SettleInputs } from '../core/inputs/inputs.ts'
import type { SettleSettings } from '../usecases/open-requests.ts'
import type { Policy } from '../usecases/policy.ts'

export function policyOf(inputs: AgentInputs): Policy {
  const { prompt, promptFile: file, contextFiles, contextPaths: paths, contextLimit: limit } = inputs
  const { command, jobId, openLimit, hold, wait, pollInterval, apiKey, githubToken } = inputs
  return {
    settings: {
      ...settleSettings(inputs),
      source: { file, contextFiles, limit, secrets: { apiKey, githubToken } },
      poll: wait ? pollInterval : null,
    },
    command,
    prompt,
    diff: inputs.contextDiff ? { paths, limit } : null,
    destination: {
      jobId,
      followsThread: inputs.followUp,
      openLimit:
        openLimit === null ? null : { limit: openLimit, isFollowedUp: inputs.onOpenLimit === 'follow-up' },
    },
    hold: hold === 'none' ? null : hold,
    replies: inputs.reply,
  }
}

export function settleSettings(inputs: AgentInputs | SettleInputs): SettleSettings {
  const { projectId, agentLogin, dryRun: isDryRun, githubToken, failOn } = inputs
  const { pullRequestLabels: labels, reviewers, allowedPaths } = inputs
  return {
    scope: { projectId, agentLogin, isDryRun, hasToken: githubToken !== null },
    pullSettings: { labels, reviewers, allowedPaths },
    failOn,
  }
}
