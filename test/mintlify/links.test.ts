/** A link from Mintlify, in all places that show, record or use it. */
import { expect, it } from 'vitest'
import { parseJob } from '../../src/mintlify/jobs.ts'
import { readComment, readStatus, writeComment, writeStatus } from '../../src/record/format.ts'
import { outputsOf } from '../../src/say/outputs.ts'
import { rowsOf } from '../core/samples.ts'
import { aboutCommand, aboutCommit, stated } from '../record/samples.ts'
import { aChange, command, event, issue, Stage, sign, theRun } from '../run/step.ts'
import { job as jobReply, start } from '../run/world.ts'
import { aResult } from '../say/samples.ts'

const github = 'https://github.com'
const own = `${github}/acme/docs/pull/123`

/** Written by the token's own account. */
const mine = { author: 'docs-bot', viewer: 'docs-bot' }

/** The link that a later step reads from a comment, and from a status with the link as its target. */
function recorded(link: string | null) {
  const end = stated(link === null ? 'no-changes' : 'archived', { link })
  const body = writeComment('Words', { ...aboutCommand, ...end }, issue, sign)
  const comment = readComment({ id: 1, nodeId: 'n1', body, createdAt: start, thread: issue, ...mine }, sign)
  const at = { commit: 'a'.repeat(40), context: 'x', targetUrl: link ?? theRun.runUrl }
  const owner = { run: theRun, sign }
  const description = writeStatus('Words', { ...aboutCommit, ...end, hides: false }, at, owner)
  const status = readStatus({ ...at, id: 1, state: 'success', createdAt: start, description, ...mine }, owner)
  return [comment?.entry.link, status?.entry.link]
}

const server = 'https://ghe.example:8443'
const table = `
  ${own}                                             |           | 123 |
  ${own}/                                            |           | 123 | ${own}
  ${own}/files                                       |           | 123 | ${own}
  ${own}/commits/abc?diff=split#r1                   |           | 123 | ${own}
  ${own}?expand=1                                    |           | 123 | ${own}
  ${own}#x                                           |           | 123 | ${own}
  ${own}/?a=b#x                                      |           | 123 | ${own}
  https://github.com:443/acme/docs/pull/0123         |           | 123 | ${own}
  HTTPS://GitHub.com/acme/docs/pull/123              |           | 123 | ${own}
  https://x-access-token:secret@github.com/acme/docs/pull/123 |  | 123 | ${own}
  https://secret@github.com/acme/docs/pull/123/files |           | 123 | ${own}
  ${server}/acme/docs/pull/123/checks                | ${server} | 123 | ${server}/acme/docs/pull/123
  http://ghe.example/acme/docs/pull/123              | ${server} |     |
  ${own}                                             | ${server} |     |
  ${server}/acme/docs/pull/123                       |           |     |
  https://github.com:8443/acme/docs/pull/123         |           |     |
  http://github.com/acme/docs/pull/123               |           |     |
  https://www.github.com/acme/docs/pull/123          |           |     |
  https://github.com.evil.test/acme/docs/pull/123    |           |     |
  https://evil.test/acme/docs/pull/123               |           |     |
  https://github.com@evil.test/acme/docs/pull/123    |           |     | https://evil.test/acme/docs/pull/123
  http://192.168.0.1/acme/docs/pull/123              |           |     |
  http://localhost:8080/acme/docs/pull/123           |           |     |
  https://user:secret@gitlab.com/acme/docs/-/merge_requests/5?x=1#y | | | https://gitlab.com/acme/docs/-/merge_requests/5?x=1#y
  https://gitlab.com/acme/docs/-/merge_requests/5    |           |     |
  https://dev.azure.com/acme/_git/docs/pullrequest/5 |           |     |
  ${github}/acme/docs/pull/123x                      |           |     |
  ${github}/acme/docs/pull/0                         |           |     |
  ${github}/acme/docs/pulls                          |           |     |
  ${github}/acme/docs/compare/main...docs            |           |     |
  ${github}/x/acme/docs/pull/123                     |           |     |
  https://gitlab.com/é b                             |           |     | https://gitlab.com/%C3%A9%20b
  ssh://github.com/acme/docs/pull/123     |           |     | none
  javascript:alert(1)                                |           |     | none
  /acme/docs/pull/123                                |           |     | none
  github.com/acme/docs/pull/123                      |           |     | none`

/** By default, the server is GitHub, the link stays as it is, and it has no number. */
const rows = rowsOf(table).map(([given = '', server, number, to]) => {
  return [given, server || github, number || 'none', to || given] as const
})

it.each(rows)(
  'the link %s on the server %s has the number %s, and is shown and recorded as %s',
  (given, serverUrl, number, to) => {
    const link = to === 'none' ? null : to
    const source = { repository: given }
    const job = parseJob({ id: 'job_1', prLink: given, source }, serverUrl) ?? null
    expect(job?.link).toBe(link)
    expect(job?.repository).toBe(link ?? given)
    const { prLink, prNumber } = outputsOf(aResult({ job }), serverUrl)
    expect([prLink, prNumber || 'none']).toEqual([link ?? '', number])
    expect(recorded(link)).toEqual([link, link])
  },
)

it.each(
  rowsOf(`
    archived  | push    | https://user:secret@github.com/acme/docs/pull/101/files?x=1 | https://github.com/acme/docs/pull/101
    completed | push    | https://user:secret@github.com/acme/docs/pull/101/          | https://github.com/acme/docs/pull/101
    archived  | push    | https://user:secret@gitlab.com/acme/docs/-/merge_requests/5 | https://gitlab.com/acme/docs/-/merge_requests/5
    completed | push    | https://user:secret@gitlab.com/acme/docs/-/merge_requests/5 | https://gitlab.com/acme/docs/-/merge_requests/5
    archived  | comment | https://user:secret@gitlab.com/acme/docs/-/merge_requests/5 | https://gitlab.com/acme/docs/-/merge_requests/5
    completed | comment | https://user:secret@evil.test/acme/docs/pull/101            | https://evil.test/acme/docs/pull/101
  `),
)(
  'a re-run after %s on a %s sends nothing and repeats the link, and nobody sees the user info: %s',
  async (status = '', on, prLink, link) => {
    const stage = new Stage()
    stage.platform.read = () => jobReply(status, { prLink })
    const run = (isRerun: boolean) => {
      if (on === 'push') return event(stage, aChange('aaaa'), { isRerun })
      return command(stage, { comment: 1 }, { isRerun })
    }
    const runs = [await run(false), await run(true)]
    expect(runs.map(({ result }) => result?.job?.link)).toEqual([link, link])
    expect(runs[1]?.result?.problem).toEqual({ kind: 'reported' })
    expect(stage.platform.sends).toHaveLength(1)
    expect(JSON.stringify([stage.github, runs])).not.toContain('secret')
  },
)
