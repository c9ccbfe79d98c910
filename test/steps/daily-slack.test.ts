/** The daily run that posts its results in Slack, day by day. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
import { scheduled } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { runIn } from './examples-world.ts'
import { runInBash, startWebhook } from './slack.ts'
import { createWorld } from './world.ts'

const start = Date.parse('2026-11-09T06:17:00Z')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => vi.useRealTimers())

const day = 86_400_000
const repository = 'acme/docs'
const link = 'https://github.com/acme/docs/pull/101'
const title = '<!channel> & $(id) `x`\nmore'

const commitOn = (date: string, parent: Commit) =>
  commit({ parents: [parent], author: 'mona', date, files: { 'src/a.ts': `${date}\n` } })

// This workflow runs on runners with bash, jq and curl. On Windows, the test would find another bash first.
it.skipIf(process.platform === 'win32')(
  'the daily run posts each result in Slack, also a follow-up and after a red step, and nothing if there is none',
  async () => {
    const old = commit({ date: '2026-10-26T12:00:00Z', files: { 'src/a.ts': '0\n' } })
    let head = commitOn('2026-11-08T12:00:00Z', old)
    const world = await createWorld({
      repository: { branches: { main: head } },
      platform: { readsUntilEnd: 0 },
    })
    const { home } = world
    const slack = await startWebhook()
    const secrets = { DOCS_AGENT_API_KEY: sandboxKey, GITHUB_TOKEN: sandboxGitHubToken }
    /** Runs the workflow, then waits for a day with a commit. Returns the outcomes, and what Slack got. */
    async function runDay(inputs: Record<string, string> = {}) {
      const posts = slack.posts.length
      const runs = await runIn(world, 'daily-slack.yml', scheduled(repository), {
        vars: { DOCS_PROJECT_ID: 'sandbox-docs' },
        secrets: { ...secrets, SLACK_WEBHOOK_URL: slack.url },
        inputs,
        env: { GITHUB_SHA: head.sha, GITHUB_RUN_ID: `${Date.now()}` },
        runScript: runInBash,
      })
      const { sha } = head
      const date = new Date(Date.now() + day / 2).toISOString().replace(/\.\d+/, '')
      head = commitOn(date, head)
      home.setBranch('main', head)
      vi.setSystemTime(Date.now() + day)
      const outcomes = runs.map(({ outputs }) => outputs.outcome).join()
      return {
        outcomes,
        posts: slack.posts.slice(posts),
        commit: `https://github.com/acme/docs/commit/${sha}`,
      }
    }

    const monday = await runDay()
    expect(monday).toMatchObject({ outcomes: 'settled,detached', posts: [] })
    const guarded = { 'allowed-paths': 'guides/**', 'fail-on': 'out-of-bounds' }
    const tuesday = await runDay(guarded)
    const [pull] = home.pulls
    expect(tuesday).toMatchObject({
      outcomes: 'settled,detached',
      posts: [`pull-request · ${pull?.title} · ${link} · ${monday.commit}`],
    })
    home.changePull(101, { title })
    const wednesday = await runDay(guarded)
    const shown = '&lt;!channel&gt; &amp; $(id) `x` more'
    expect(wednesday).toMatchObject({
      outcomes: 'settled',
      posts: [`out-of-bounds · ${shown} · ${link} · ${tuesday.commit}`],
    })
    expect(await runDay()).toMatchObject({ outcomes: 'settled,detached', posts: [] })
  },
)
