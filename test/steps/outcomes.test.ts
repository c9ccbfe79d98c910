/** How a step ends: one row for an event, its inputs, and what is different from usual on GitHub or Mintlify. */
import { expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import {
  dispatched,
  issue,
  issueComment,
  pullRequest,
  pushed,
  releasePublished,
  reviewComment,
  reviewSubmitted,
} from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { rowsOf } from '../core/samples.ts'
import { agent, createWorld, first, type Setting, second, siteOf, type Texts, week } from './world.ts'

const repository = 'acme/docs'
const gone = commit({ message: 'Gone' })
const merge = commit({
  parents: [first, commit({ parents: [first], author: agent, files: { 'docs/a.md': 'a\n' } })],
})
const head = { branch: 'docs', commit: merge.parents[1] ?? merge }
const merged = {
  branches: { main: merge },
  pulls: [{ number: 101, user: agent, head, merged: { commit: merge } }],
}
const comment = { id: 2001, thread: { number: 7, reviewRoot: 2001 }, body: 'x', user: 'mona', review: 1001 }

const events: Record<string, RawEvent> = {
  manual: dispatched({ repository }),
  comment: issueComment(),
  'empty comment': issueComment({ body: '/docs' }),
  'other comment': issueComment({ body: 'Thanks!' }),
  "bot's comment": issueComment({ author: 'renovate[bot]' }),
  "rita's comment": issueComment({ author: 'rita', association: 'OWNER' }),
  'comment that rita sends': issueComment({ sender: 'rita' }),
  'line comment': reviewComment({}, { in_reply_to_id: 900 }),
  review: reviewSubmitted(),
  label: issue({ label: 'bug' }),
  fork: pullRequest({ head: { repository: 'eve/docs' } }),
  push: pushed({ before: first, after: second, repository }),
  'force push': pushed({ before: gone, after: second, repository }),
  'merge by the agent': pushed({ before: first, after: merge, repository }),
  release: releasePublished({ repository, body: 'A fix.' }),
}

type Around = Setting & { env?: Texts }

const platform = (platform: PlatformOptions): Setting => ({ platform: { visitors: siteOf(3), ...platform } })
const rejects = (on: 'create' | 'visitors', status: number, headers: Texts = {}) =>
  platform({ faults: [{ on, status, headers, body: { error: 'Its own words' } }] })

/** What is different from usual, by name. */
const around: Record<string, Around> = {
  'create 429': rejects('create', 429, { 'retry-after': '7200' }),
  'large text': {
    github: { faults: [{ on: 'markdown/render', kind: 'raw', body: ' '.repeat(21 * 1024 * 1024) }] },
  },
  'no text': { github: { faults: [{ on: 'markdown/render', kind: 'raw', body: '{"error":"Blocked"}' }] } },
  'files without names': { github: { faults: [{ on: 'pulls/list-files', kind: 'raw', body: '[{}]' }] } },
  'no second text': {
    github: { comments: [comment], faults: [{ on: 'markdown/render', after: 1, status: 503 }] },
  },
  'the merge': { repository: merged },
  'no first comment': {
    github: { comments: [{ ...comment, id: 1001, thread: { number: 7, reviewRoot: 900 } }] },
  },
  'an invalid proxy': { env: { https_proxy: 'user:secret' } },
  'a proxy whose password has a %': { env: { https_proxy: 'http://user:100%ff@proxy:1' } },
  'no GitHub': { env: { GITHUB_API_URL: 'http://127.0.0.1:9' } },
  'a re-run by rita': { env: { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'rita' } },
}

/** `ends failed`: how jobs end; `create 400`: a call and its status; `contents none`: permissions. */
function settingOf(cell: string): Around {
  const words = cell.split(', ').map((each) => each.split(' '))
  const [[name = '', value = ''] = []] = words
  if (name === 'ends') return platform({ ends: value as 'failed' })
  if (!/^\d+$/.test(value)) return { github: { permissions: Object.fromEntries(words) } }
  if (name === 'create' || name === 'visitors') return rejects(name, Number(value))
  return { github: { faults: [{ on: name as NonNullable<GitHubFault['on']>, status: Number(value) }] } }
}

/** `report`: the inputs of a report; all others as `name=value`. */
function inputsOf(cell: string): Texts {
  const words = cell.split(' ').filter(Boolean)
  const given = words.filter((word) => word !== 'report').map((word) => word.split('='))
  return { ...(words[0] === 'report' && { mode: 'visitors', ...week }), ...Object.fromEntries(given) }
}

// Other tests have the complete tables: test/bundle/agent.test.ts, test/core/inputs, test/request/gate.test.ts and
// test/core/trigger.
const rows = rowsOf(`
  ✅ pull-request + | acme/docs/pull/101 | manual | wait=true
  ❌ failed + | gives no reason | manual | wait=true | ends failed
  ✅ failed + | gives no reason | manual | wait=true fail-on=none | ends failed
  ✅ archived + | was archived | manual | wait=true | ends archived
  ❌ error | has no job \`job_9999\` in project | manual | wait=true job-id=job_9999 prompt=
  ❌ error | Shorten the prompt | manual | | create 400
  ❌ error | the scope \`write\` | manual | | create 403
  ❌ error | has no project | manual | | create 404
  ❌ unconfirmed + | Mintlify may have it | manual | | create 500
  ❌ error | Mintlify's limit is reached: 100 jobs an hour (429) | manual | | create 429
  ❌ error | Wait 120 minutes, then re-run the workflow. | manual | | create 429

  ❌ error | \`prompt-file\` got a file and a prompt | manual | timeout=soon prompt-file=x
  ❌ error | 20005 characters | manual | api-key=mint_${'x'.repeat(20_000)}
  ✅ detached + | \`context-files\` matches no file | manual | context-files=docz/**
  ❌ error | \`https_proxy\` got 11 characters | manual | | an invalid proxy
  ❌ error | \`https_proxy\` got 26 characters | manual | | a proxy whose password has a %
  ❌ error | \`prompt\` got nothing | manual | command=/docs prompt=
  ❌ error | \`job-id\` got "job_1" | manual | report prompt=x job-id=job_1
  ❌ error | outside the workspace | manual | report report-dir=../outside
  ✅ skipped | does not start with | other comment | api-key=
  ✅ skipped | bug | label | label=docs api-key=
  ✅ skipped | a fork's pull request | fork | api-key=

  ✅ detached eyes + | Created job | comment
  ✅ detached eyes + | Created job | line comment | context-diff=false
  ✅ detached eyes + | Created job | line comment | context-diff=false | no first comment
  ✅ detached + | \`issues: write\` | comment | | reactions/create-for-issue-comment 403
  ✅ detached eyes + | Created job | bot's comment | allowed=write,renovate[bot]
  ✅ detached + | Created job | manual | command=/docs
  ✅ skipped confused | \`rita\` cannot ask the agent | rita's comment
  ✅ skipped confused | \`rita\` cannot ask the agent | comment that rita sends
  ✅ skipped confused | \`rita\` cannot ask the agent | comment | | a re-run by rita
  ✅ skipped confused | \`allowed\` does not list this bot | bot's comment
  ✅ skipped | has no prompt after | empty comment
  ❌ error | Could not check \`mona\`'s role (500 | comment | | repos/get-collaborator-permission-level 500
  ❌ error | \`issues: write\` | comment | | issues read

  ✅ skipped | matches none of the changed files: package-lock.json | push | context-paths=docs/**
  ✅ skipped | comes from \`${agent}\` | merge by the agent | | the merge
  ❌ error | After a force push, the earlier commit may be gone | force push
  ❌ error | Give the workflow \`contents: read\` | push | | contents none
  ❌ error | failed (ECONNREFUSED) | push | | no GitHub
  ❌ error | Could not read the change's pull requests | push | context-diff=false | contents none, pull-requests none, issues read
  ❌ error eyes confused | did not render the text | comment | | contents none
  ❌ error | did not render the text | release | | markdown/render 503
  ✅ detached + | Created job | release | context-diff=false | markdown/render 503
  ❌ error eyes confused | 20 MiB | comment | | large text
  ❌ error | did not render the text | review | context-diff=false | no second text
  ❌ error eyes confused | did not render the text | comment | | no text
  ✅ pull-request + | not what GitHub documents | manual | wait=true | files without names
  ❌ error | \`statuses: write\` | manual | mode=settle | statuses none

  ❌ dry-run | Mintlify rejected the API key (401) | manual | dry-run=true api-key=mint_expired_0123456789
  ❌ dry-run | the scope \`read\` | manual | dry-run=true | visitors 403
  ❌ dry-run | Mintlify has no project | manual | dry-run=true mode=visitors | visitors 404
  ❌ dry-run | Mintlify rejected the analytics request | manual | dry-run=true mode=settle | visitors 400
  ❌ dry-run | \`nowhere.md\` does not exist. | manual | dry-run=true prompt= prompt-file=nowhere.md
  ❌ dry-run | Could not check \`mona\`'s role | comment | dry-run=true | repos/get-collaborator-permission-level 403

  ❌ error | has no project \`sandbox-docs\` | manual | report | visitors 404
  ❌ error | \`issues: write\` | manual | report issue-number=7 | issues read
  ❌ error | (410 | manual | report issue-number=7 | issues/create-comment 410
`)

it.each(rows.filter(({ length }) => length > 1))(
  'a step ends as %s, and its log or summary says “%s”',
  async (ends, says, name = '', given = '', cell = '') => {
    const event = events[name]
    if (event === undefined) throw new Error(`There is no event ${name}`)
    const { env, ...setting } = around[cell] ?? (cell === '' ? {} : settingOf(cell))
    const { run, reactions, prompts, writes } = await createWorld({
      events: [event],
      ...platform({ readsUntilEnd: 0 }),
      ...setting,
    })
    const inputs = inputsOf(given)
    const { outputs, exitCode, text, summary } = await run(
      event,
      { ...(inputs.mode === undefined && { wait: 'false' }), ...inputs },
      env,
    )
    const sends = prompts().map(() => '+')
    expect([exitCode === 0 ? '✅' : '❌', outputs.outcome, ...reactions(), ...sends].join(' ')).toBe(ends)
    expect(`${text}\n${summary}`).toContain(says)
    if (ends?.endsWith('dry-run')) expect(writes()).toEqual([])
  },
)
