import { describe, expect, it } from 'vitest'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import { onTestFinished, platformFor } from '../bundle/run.ts'
import { asked, eventNames, examples, unchecked } from '../webhooks.ts'
import { inputsFor, runStep } from './run.ts'

/** Comments from which commands are read: GitHub is asked about the author's role. */
const commands = ['issue_comment', 'pull_request_review_comment']

describe("a stranger's event with command, label and prompt set starts nothing:", () => {
  it.each([...eventNames.filter((name) => !unchecked.includes(name)), 'pull_request_target', 'a_new_event'])(
    '%s',
    async (name) => {
      const named = examples.filter((example) => example.name === name)
      const isAsking = ({ payload }: { payload: unknown }) =>
        ['created', 'labeled'].includes(String((payload as { action?: unknown }).action))
      const example = named.find(isAsking) ?? named[0] ?? examples[0]
      const hub = await startGitHub({ roles: {} })
      onTestFinished(() => hub.close())
      const platform = await platformFor()
      const { outputs } = await runStep({
        with: { ...inputsFor(platform.url), ...asked, prompt: 'Document what changed.', wait: 'false' },
        ...{ githubToken: sandboxGitHubToken, eventName: name, event: example?.payload },
        env: { GITHUB_API_URL: hub.url, GITHUB_ACTOR: example?.actor ?? '' },
      })
      expect(outputs.outcome).toMatch(/^(skipped|error)$/)
      expect(platform.requests).toEqual([])
      const isChecked = commands.includes(name) || name === 'issues'
      if (!isChecked) expect(hub.requests).toEqual([])
      else expect(hub.requests[0]?.path).toMatch(/\/collaborators\/[^/]+\/permission$/)
    },
  )
})
