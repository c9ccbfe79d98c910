/**
 * `npm run smoke`: tries the committed bundle once against your own repository and project. It says what it writes, and
 * asks before it does. Afterwards, it removes what can be removed.
 */
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { runStep } from '../sandbox/runner/step.ts'

const needed = {
  SMOKE_TOKEN: 'a token that can read code, and write issues, pull requests, and commit statuses',
  SMOKE_REPOSITORY: 'a repository, such as acme/docs',
  SMOKE_ISSUE: 'the number of an open issue there',
  SMOKE_PROJECT: 'the ID of the Mintlify project',
  SMOKE_KEY: 'its admin API key',
}
const usual = { GITHUB_API_URL: 'https://api.github.com', MINTLIFY_URL: 'https://api.mintlify.com' }
const env = { ...needed, ...usual, NODE_OPTIONS: '', ...process.env }
const { SMOKE_REPOSITORY: repository, SMOKE_ISSUE: issue, SMOKE_PROJECT: project, GITHUB_API_URL } = env
const thread = `issues/${issue}/comments`

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response is GitHub's.
async function github(method: string, path: string, body?: object): Promise<any> {
  const headers = { authorization: `Bearer ${env.SMOKE_TOKEN}` }
  const url =
    path === 'graphql' ? `${GITHUB_API_URL}/graphql` : `${GITHUB_API_URL}/repos/${repository}/${path}`
  const response = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null })
  assert(response.ok, `${method} ${path}: ${response.status}`)
  return response.status === 204 ? null : response.json()
}

/** Writes something, and prints how long GitHub takes to list it. At most ten seconds: see SECURITY.md. */
async function listed(path: string, body: object, list: string) {
  const written = await github('POST', path, body)
  const begun = Date.now()
  const isListed = async () => (await github('GET', list)).some(({ id }: typeof written) => id === written.id)
  while (!(await isListed()) && Date.now() - begun < 60_000) await sleep(100)
  const lag = Date.now() - begun
  console.log(`${lag < 10_000 ? '✅' : '❌'} ${path} is listed after ${lag} ms`)
  return written
}

async function repositoryId(): Promise<string> {
  const [owner, name] = repository.split('/')
  const query = `query repository { repository(owner: "${owner}", name: "${name}") { databaseId } }`
  const { data } = await github('POST', 'graphql', { query })
  return String(data.repository.databaseId)
}

async function smoke(sha: string): Promise<void> {
  const recent = `${thread}?per_page=100&since=${new Date(Date.now() - 60_000).toISOString()}`
  const prompt = 'This is a test. Do not change any files, and end.'
  // No other workflow must listen to this command.
  const comment = await listed(thread, { body: `/docs-smoke-test ${prompt}` }, recent)
  const { NODE_OPTIONS } = env
  const run = { GITHUB_WORKFLOW: 'Smoke', GITHUB_SHA: sha, GITHUB_RUN_ID: `${comment.id}`, NODE_OPTIONS }
  const home = { GITHUB_API_URL, GITHUB_REPOSITORY: repository, GITHUB_REPOSITORY_ID: await repositoryId() }
  const step = async (name: string, more: object, inputs: object, attempt = '1') => {
    const { outputs } = await runStep({
      eventName: name,
      event: { repository: { full_name: repository }, sender: comment.user, ...more },
      githubToken: env.SMOKE_TOKEN,
      with: { 'project-id': project, 'api-key': env.SMOKE_KEY, 'base-url': env.MINTLIFY_URL, ...inputs },
      env: { ...run, ...home, GITHUB_RUN_ATTEMPT: attempt },
      onLine: ({ text }) => console.log(`   ${text}`),
    })
    assert.match(outputs.outcome ?? '', /^(pull-request|no-changes|settled)$/)
    console.log(`✅ ${name}, attempt ${attempt}: ${outputs.outcome}`)
    // The docs may be in another repository.
    const number = outputs.prLink?.split(`/${repository}/pull/`)[1]
    if (number) await github('PATCH', `pulls/${number}`, { state: 'closed' })
    return outputs.jobId
  }
  const subject = { number: Number(issue), title: 'Smoke test', html_url: comment.html_url }
  const asked = { action: 'created', comment, issue: subject }
  const command = { command: '/docs-smoke-test' }
  /** The action's comments, which are by the same account. */
  const own = async () => {
    const found: (typeof comment)[] = await github('GET', recent)
    return found.filter(({ user, body }) => user.id === comment.user.id && body.includes('<!-- docs-agent:'))
  }
  try {
    const job = await step('issue_comment', asked, command)
    // As if a person had edited the comment in a browser.
    for (const { id, body } of await own())
      await github('PATCH', `issues/comments/${id}`, { body: body.replaceAll('\n', '\r\n') })
    assert.equal(await step('issue_comment', asked, command, '2'), job)
    await step('workflow_dispatch', {}, { prompt })
    await step('schedule', {}, { mode: 'settle', command: '/docs' })
    const [{ state, context }] = await github('GET', `commits/${sha}/statuses`)
    assert.match(`${state} ${context}`, /^success Docs agent/)
    await listed(`statuses/${sha}`, { context: 'Smoke test', state: 'success' }, `commits/${sha}/statuses`)
  } finally {
    for (const { id } of [comment, ...(await own())]) await github('DELETE', `issues/comments/${id}`)
  }
}

if (Object.keys(needed).some((name) => !process.env[name])) {
  console.error('Set these variables:', needed)
  process.exitCode = 2
} else {
  const { sha } = await github('GET', 'commits/HEAD')
  console.log(`This starts 2 jobs in the project ${project}, whose prompt asks for no changes. In ${repository}, it writes:
- comments and reactions on issue ${issue}, which are deleted at the end
- up to 5 statuses on the commit ${sha}, which GitHub cannot delete
- what a settle run reports about earlier requests of your account
If a job opens a pull request there, it is closed.`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Continue? (yes/no) ')
  terminal.close()
  if (answer === 'yes') await smoke(sha)
}
