/**
 * A team's first week, as a script. The snapshot contains every request to Mintlify and every word that people saw:
 * read it as an editor would.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  dispatched,
  issue,
  issueComment,
  pushed,
  releasePublished,
  reviewComment,
  reviewSubmitted,
  scheduled,
} from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import {
  base,
  createWeek,
  docs,
  firstKey,
  firstPull,
  flag,
  flagPull,
  pushedCode,
  repository,
  reviewId,
} from './first-week-world.ts'

// Report periods end before today.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 9, 6, 17) }))
afterEach(() => vi.useRealTimers())

const trial = (isDry: boolean) =>
  dispatched({ repository, inputs: { prompt: 'Fix the typos on the install page.', 'dry-run': isDry } })
const comment = (id: number, body: string) => issueComment({ repository, id, body })
const rejected = comment(1003, '/docs add a note on Node 24')
const onFlag = {
  repository,
  number: flagPull,
  head: flag.sha,
  title: 'Add --global',
  text: 'The command can be installed globally.',
}

// These workflows run on runners with bash, jq and curl. On Windows, the test would find another bash first.
it.skipIf(process.platform === 'win32')('the first week matches its snapshot', async () => {
  const { on, vars, secrets, expireFirstKey, told } = await createWeek()

  await on('Install: nothing is stored yet', 'try.yml', trial(true))
  vars.DOCS_PROJECT_ID = 'sandbox-docs'
  secrets.DOCS_AGENT_API_KEY = firstKey
  await on('Dry run', 'try.yml', trial(true))
  await on(
    "A push while a pull request of Mintlify's automations is open",
    'push.yml',
    pushed({ before: base, after: pushedCode, repository }),
  )
  await on('A comment on an issue', 'comment.yml', comment(1001, '/docs! fix the install page'))
  await on('A question', 'comment.yml', comment(1002, '/docs help'))
  await on(
    'A comment on a pull request',
    'comment.yml',
    issueComment({ ...onFlag, id: 1004, isPullRequest: true, body: '/docs document this change' }),
  )
  await on(
    'A comment on a line',
    'command-reusable.yml',
    reviewComment(
      { ...onFlag, id: 1005, body: '/docs name this flag' },
      { path: 'src/cli.ts', line: 1, diff_hunk: "@@ -0,0 +1 @@\n+const flags = ['--global']" },
    ),
  )
  await on(
    "A review of the agent's pull request",
    'command-reusable.yml',
    reviewSubmitted({
      repository,
      number: firstPull,
      id: reviewId,
      head: docs.sha,
      title: 'Say how to install globally',
      text: null,
      body: '/docs do what I wrote below',
    }),
  )
  await on('A label', 'label.yml', issue({ repository, number: 8, label: 'docs' }))
  expireFirstKey()
  const run = await on('The key is rejected', 'comment.yml', rejected)
  await on('The dry run says why', 'try.yml', trial(true))
  secrets.DOCS_AGENT_API_KEY = sandboxKey
  await on('The key is replaced, and checked', 'try.yml', trial(true))
  await on('The rejected command is run again', 'comment.yml', rejected, {
    GITHUB_RUN_ID: run,
    GITHUB_RUN_ATTEMPT: '2',
    GITHUB_TRIGGERING_ACTOR: 'mona',
  })
  await on('A release', 'release.yml', releasePublished({ repository, body: 'The command is now global.' }))
  await on('A job on a schedule', 'schedule.yml', scheduled(repository))
  await on('The schedule settles what is open', 'no-waiting.yml', scheduled(repository))
  vars.DOCS_REPORT_ISSUE = '9'
  await on('The report in an issue', 'visitors.yml', scheduled(repository))
  await on('The line in Slack', 'slack.yml', scheduled(repository))

  await expect(told()).toMatchFileSnapshot('__snapshots__/first-week.md')
})
