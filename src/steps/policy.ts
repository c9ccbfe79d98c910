/** What the use cases need from the inputs. */
import type { AgentInputs, SettleInputs } from '../core/inputs/inputs.ts'
import { defaultContextLimit } from '../core/inputs/schema.ts'
import type { RunSettings } from '../usecases/carry-out.ts'
import type { Policy } from '../usecases/policy.ts'
import type { PromptSource } from '../usecases/send.ts'

export function policyOf(inputs: AgentInputs): Policy {
  const { prompt, promptFile: file, contextFiles, contextPaths: paths, contextLimit: limit } = inputs
  const { command, jobId, openLimit, hold, wait, pollInterval } = inputs
  return {
    settings: settingsOf(inputs, { file, contextFiles, limit }, wait ? pollInterval : null),
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

/** Settle only sends final diffs: without files, up to the default of `context-limit`, and without waiting for the jobs. */
export function settleSettings(inputs: SettleInputs): RunSettings {
  return settingsOf(inputs, { file: null, contextFiles: [], limit: defaultContextLimit }, null)
}

function settingsOf(
  { projectId, agentLogin, dryRun: isDryRun, apiKey, githubToken, ...inputs }: AgentInputs | SettleInputs,
  files: Omit<PromptSource, 'secrets'>,
  poll: RunSettings['poll'],
): RunSettings {
  const { pullRequestLabels: labels, reviewers, allowedPaths, failOn } = inputs
  return {
    scope: { projectId, agentLogin, isDryRun, hasToken: githubToken !== null },
    source: { ...files, secrets: { apiKey, githubToken } },
    pullSettings: { labels, reviewers, allowedPaths },
    poll,
    failOn,
  }
}
