import { expect } from 'vitest'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import { onTestFinished } from '../running.ts'
import { inputsFor, platformFor } from '../service.ts'
import { asked, exampleOf } from '../webhooks.ts'

/** Events that only start a job after GitHub is asked about the sender's role. */
const checked = ['issue_comment', 'pull_request_review_comment', 'pull_request_review', 'issues']

/**
 * Checks that an event by someone without a role starts nothing, even if the step has a command, a label and a prompt.
 * @param runStep runs a step in this process or as the bundle
 */
export async function expectNothing(
  name: string,
  runStep: (options: StepOptions) => Promise<{ outputs: Record<string, string> }>,
): Promise<void> {
  const example = exampleOf(name)
  const hub = await startGitHub({ roles: {} })
  onTestFinished(() => hub.close())
  const platform = await platformFor()
  const { outputs } = await runStep({
    with: { ...inputsFor(platform.url), ...asked, prompt: 'Document what changed.', wait: 'false' },
    githubToken: sandboxGitHubToken,
    eventName: name,
    event: example?.payload,
    env: { GITHUB_API_URL: hub.url, GITHUB_ACTOR: example?.actor ?? '' },
  })
  expect(outputs.outcome).toMatch(/^(skipped|error)$/)
  expect(platform.requests).toEqual([])
  if (!checked.includes(name)) expect(hub.requests).toEqual([])
  else expect(hub.requests[0]?.path).toMatch(/\/collaborators\/[^/]+\/permission$/)
}
