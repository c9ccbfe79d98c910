/** What the use cases need from the inputs. */
import type { AgentInputs, SettleInputs } from '../core/inputs/inputs.ts'
import type { RunSettings } from '../usecases/carry-out.ts'
import type { Policy } from '../usecases/policy.ts'
import type { PromptSource } from '../usecases/send.ts'

export function policyOf(inputs: AgentInputs): Policy {
  const { prompt, promptFile: file, contextFiles, contextPaths: paths, contextDiff, githubToken } = inputs
  const { command, jobId, openLimit, hold, wait, pollInterval, dryRun } = inputs
  // A dry run does not wait for a job.
  const settings = settingsOf(inputs, { file, contextFiles }, wait && !dryRun ? pollInterval : null)
  return {
    settings,
    command,
    prompt,
    diff: contextDiff === false || githubToken === null ? null : { paths },
    isSinceLast: contextDiff === 'since-last',
    jobId,
    openLimit,
    hold: hold === 'none' ? null : hold,
  }
}

/** Settle only sends final diffs: without files, and without waiting for the jobs. */
export function settleSettings(inputs: SettleInputs): RunSettings {
  return settingsOf(inputs, { file: null, contextFiles: [] }, null)
}

function settingsOf(
  { projectId, agentLogin, apiKey, githubToken, ...inputs }: AgentInputs | SettleInputs,
  files: Omit<PromptSource, 'secrets'>,
  poll: RunSettings['poll'],
): RunSettings {
  const { pullRequestLabels: labels, reviewers, allowedPaths, failOn } = inputs
  return {
    scope: { projectId, agentLogin, hasToken: githubToken !== null },
    source: { ...files, secrets: { apiKey, githubToken } },
    pullSettings: { labels, reviewers, allowedPaths },
    poll,
    failOn,
  }
}
