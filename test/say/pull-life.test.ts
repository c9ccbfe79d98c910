/** The texts about the agent's pull requests after their jobs. */
import { describe, expect, it } from 'vitest'
import type { CodePull, HoldState } from '../../src/core/pull.ts'
import { describe as describeProgress, type LogEntry } from '../../src/say/messages.ts'
import {
  abandonedComment,
  documentationComment,
  holdDescription,
  provenanceComment,
  releasedComment,
} from '../../src/say/replies.ts'
import { anOrigin, aResult, jobRef } from './samples.ts'

const thread = { repository: 'acme/docs', number: 101, isPullRequest: true, reviewRoot: null }
const rejection = {
  status: 403,
  message: 'Resource not accessible by integration',
  kind: 'permission',
} as const
const code: CodePull = { repository: 'acme/app', number: 12, head: 'a1b2c3d4e5', hold: 'merge' }
const link = 'https://github.com/acme/docs/pull/101'

describe('a rejected change to the pull request', () => {
  it.each<[act: Extract<Progress, { type: 'pull-unchanged' }>['act'], permission: string]>([
    ['label', 'pull-requests: write'],
    ['review', 'pull-requests: write'],
    ['hold', 'statuses: write'],
    ['guard', 'statuses: write'],
  ])('the log line about a rejected %s names the permission', (act, permission) => {
    const [entry] = describeProgress(
      { type: 'pull-unchanged', act, what: '`docs`', thread, rejection },
      jobRef,
    )
    expect(entry?.level).toBe(act === 'guard' ? 'info' : 'warning')
    expect(entry?.text).toContain(`\`${permission}\``)
    expect(entry?.text).toContain('acme/docs#101')
  })
})

describe('a hold', () => {
  it.each<[state: HoldState, hold: 'merge' | 'release', text: string]>([
    ['held', 'merge', 'Waits for acme/app#12'],
    ['held', 'release', 'Waits for a release with acme/app#12'],
    ['lifted', 'merge', 'acme/app#12 is merged'],
    ['lifted', 'release', 'acme/app#12 is released'],
    ['closed', 'merge', 'acme/app#12 was closed without being merged'],
  ])("a hold's status is short: %s for a %s", (state, hold, text) => {
    expect(holdDescription({ ...code, hold }, state)).toBe(text)
  })

  it("a hold's status has at most 140 characters, whatever the repository's name", () => {
    const repository = `${'o'.repeat(39)}/${'r'.repeat(100)}`
    expect(holdDescription({ ...code, repository }, 'closed')).toHaveLength(140)
  })

  it('a hold is shown on both pull requests, in words that stay true', () => {
    const comment = provenanceComment(
      { command: null, serverUrl: 'https://github.com' },
      anOrigin({ code }),
      aResult(),
    )
    expect(comment).toContain(
      'The status `Docs agent / hold` shows whether this pull request waits for acme/app#12.',
    )
    expect(documentationComment(link, null, code)).toContain('until this pull request is merged')
    expect(documentationComment(link, null, { ...code, hold: null })).not.toContain('hold')
    expect(abandonedComment(code)).toContain('acme/app#12 was closed without being merged')
  })

  it('the comment at the lift shows how to update the docs only if the code changed', () => {
    const lift = (command: string | null, isNewer: boolean) =>
      releasedComment(code, link, { command, isNewer })
    expect(lift('/docs', false)).toBe(
      `▶️ **This pull request is merged.** Its docs can be merged: [acme/docs#101](${link})`,
    )
    expect(lift('/docs', true)).toContain('its diff at `a1b2c3d`')
    expect(lift('/docs', true)).toContain(
      '```\n/docs update the docs to the final diff of this pull request\n```',
    )
    expect(lift(null, true)).toContain('Check the docs before you merge them.')
  })
})
