import { expect, it } from 'vitest'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import { runStep } from '../../sandbox/runner/step.ts'
import { asked, examples } from '../webhooks.ts'
import { inputsFor, onTestFinished, platformFor } from './run.ts'

// test/steps/events.test.ts covers every event.
it.each(['issue_comment', 'issues', 'pull_request_review', 'pull_request_target', 'a_new_event'])(
  "a stranger's %s with command, label and prompt set starts nothing",
  async (name) => {
    const example = examples.find((one) => one.name === name) ?? examples[0]
    const hub = await startGitHub({ roles: {} })
    onTestFinished(() => hub.close())
    const platform = await platformFor()
    const { outputs } = await runStep({
      with: { ...inputsFor(platform.url), ...asked, prompt: 'Document what changed.', wait: 'false' },
      ...{ githubToken: sandboxGitHubToken, eventName: name, event: example?.payload },
      env: { GITHUB_API_URL: hub.url, GITHUB_ACTOR: example?.actor ?? '' },
    })
    expect(outputs.outcome).toBe(name === 'pull_request_target' ? 'error' : 'skipped')
    expect(platform.requests).toEqual([])
  },
)
