/** What the bundle does if GitHub or Mintlify rejects requests. test/steps/reasons.test.ts has all of GitHub's reasons. */
import { expect, it } from 'vitest'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import { reasons } from '../../src/say/rejections.ts'
import type { Texts } from '../steps/world.ts'
import { bundle } from './run.ts'

const command = issueComment()
const all = { status: 403, message: 'No' } as const

it.concurrent.each<[why: string, outcome: string, remedy: string, fault: GitHubFault, inputs?: Texts]>([
  [
    'a missing permission',
    'error',
    'Give the workflow `contents: read`, `issues: write`',
    { on: 'issues/create-comment', status: 403 },
  ],
  [
    'a lock',
    'error',
    'locked',
    {
      on: 'issues/create-comment',
      status: 403,
      message: 'Unable to create comment because issue is locked.',
    },
  ],
  ['an archive', 'error', 'archived', { status: 403, message: 'Repository was archived so is read-only.' }],
  [
    'a deleted issue',
    'error',
    'deleted',
    { on: 'issues/create-comment', status: 410, message: 'This issue was deleted' },
  ],
  [
    'a stranger',
    'pull-request',
    'stranger',
    { on: 'issues/create-comment', times: 0, status: 403 },
    { reviewers: 'nobody' },
  ],
  ['unknown words', 'error', '', all],
])(
  '%s is one annotation, with the outcome %s and its remedy: %s',
  async (_, outcome, remedy, fault, inputs) => {
    const { run } = await bundle.createWorld({ github: { faults: [fault] } })
    const { annotations, outputs } = await run(command, { ...inputs })
    expect(outputs.outcome).toBe(outcome)
    const problems = annotations.filter(({ kind }) => kind !== 'notice')
    expect(problems).toHaveLength(1)
    expect(problems[0]?.text.replaceAll('\n', ' ')).toContain(reasons[remedy]?.[1] ?? remedy)
    if (remedy === '') expect(problems[0]?.text).not.toContain('Give the workflow')
  },
)
