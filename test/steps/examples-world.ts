/** The workflows in examples/, run with their own inputs and events, against doubles of GitHub and Mintlify. */
import { join } from 'node:path'
import { stepOn } from '../../sandbox/demo.ts'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import {
  dispatched,
  issue,
  issueComment,
  pullRequest,
  pushed,
  releasePublished,
  reviewSubmitted,
  scheduled,
} from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { readAction } from '../../sandbox/runner/action.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { onTestFinished } from '../running.ts'
import { finishedJob, platformFor } from '../service.ts'
import { runWorkflow } from '../workflow-run.ts'

const repository = 'acme/docs'
const day = 24 * 60 * 60_000
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString().replace(/\.\d+Z$/, 'Z')
const before = commit({
  message: 'Begin',
  date: daysAgo(9),
  files: { 'src/a.ts': 'a\n', 'packages/client/a.ts': 'a\n', 'api/openapi.yaml': 'openapi: 3.1.0\n' },
})
const after = commit({
  parents: [before],
  message: 'Go on',
  date: daysAgo(1),
  author: 'mona',
  files: { 'src/a.ts': 'b\n', 'packages/client/a.ts': 'b\n', 'api/openapi.yaml': 'openapi: 3.1.1\n' },
})
const docs = commit({
  parents: [after],
  message: 'Docs',
  files: { 'docs/client/install.mdx': '# Install\n' },
})
/** The agent's first pull request. It exists before the step, and is closed so that it does not count toward `open-limit`. */
const ofAgent = {
  number: 101,
  user: 'mintlify[bot]',
  state: 'closed',
  head: { branch: 'docs-agent/job_0001', commit: docs },
} as const
const push = pushed({ before, after, repository })
const comment = issueComment({ repository })
/** A comment that only mentions the command. */
const mention = issueComment({ repository, body: 'See https://example.com/docs, or comment /docs.' })
const labeled = pullRequest({
  action: 'labeled',
  number: 12,
  repository,
  head: { branch: 'code', sha: after.sha },
})
const review = reviewSubmitted({ repository, number: 12 })
/** A pull request with code. */
const feature = (action: 'opened' | 'ready_for_review' | 'closed', isDraft = false) =>
  pullRequest({ action, isDraft, number: 12, repository, head: { branch: 'code', sha: after.sha } })
const agentOpened = pullRequest({
  number: 101,
  user: 'mintlify[bot]',
  repository,
  head: { branch: ofAgent.head.branch, sha: docs.sha },
})

export const examples: [example: string, event: WorkflowEvent, outcome: string][] = [
  ['command-reusable.yml', comment, 'pull-request'],
  ['comment.yml', comment, 'pull-request'],
  ...['comment.yml', 'command-reusable.yml', 'no-waiting.yml'].map(
    (name): [string, WorkflowEvent, string] => [name, mention, ''],
  ),
  ['daily.yml', scheduled(repository), 'pull-request'],
  ['daily.yml', dispatched({ repository }), 'pull-request'],
  ['command-reusable.yml', review, 'pull-request'],
  ['daily-no-waiting.yml', scheduled(repository), 'settled,detached'],
  ['daily-no-waiting.yml', agentOpened, 'settled'],
  ['elsewhere-command.yml', comment, 'pull-request'],
  ['elsewhere.yml', push, 'detached'],
  ['elsewhere.yml', scheduled(repository), 'settled'],
  ['feature.yml', feature('opened'), 'pull-request'],
  ['feature.yml', feature('opened', true), ''],
  ['feature.yml', feature('ready_for_review'), 'pull-request'],
  ['feature.yml', feature('closed'), 'settled'],
  ['feature.yml', scheduled(repository), 'settled'],
  ['label.yml', issue({ repository, label: 'docs' }), 'pull-request'],
  ['monorepo.yml', push, 'pull-request,skipped'],
  ['no-waiting.yml', comment, 'detached'],
  ['no-waiting.yml', scheduled(repository), 'settled'],
  ['openapi.yml', push, 'pull-request'],
  ['push.yml', push, 'pull-request'],
  ['report.yml', scheduled(repository), 'reported'],
  ['release.yml', releasePublished({ repository, body: 'A fix.' }), 'pull-request'],
  ['ship-elsewhere.yml', labeled, 'pull-request'],
  ['ship-elsewhere.yml', scheduled(repository), 'settled'],
  ['ship.yml', labeled, 'pull-request'],
  ['ship.yml', scheduled(repository), 'settled'],
  ['ship.yml', releasePublished({ repository }), 'settled'],
  ['schedule.yml', scheduled(repository), 'pull-request'],
  ['slack.yml', scheduled(repository), 'reported'],
  ['visitors-fleet.yml', scheduled(repository), 'reported'],
  ['visitors.yml', scheduled(repository), 'reported'],
  ['try.yml', dispatched({ repository, inputs: { prompt: 'Fix it.', 'dry-run': true } }), 'dry-run'],
  ['try.yml', dispatched({ repository, inputs: { prompt: 'Fix it.', 'dry-run': false } }), 'pull-request'],
  ['wait.yml', dispatched({ repository }), 'pull-request'],
  ['wrapper-caller.yml', comment, 'pull-request'],
  ['wrapper-caller.yml', review, 'pull-request'],
]

/** The permissions in the inputs of actions/create-github-app-token. */
function permissionsIn(inputs: Record<string, string>): Record<string, string> {
  const start = 'permission-'
  const granted = Object.entries(inputs).filter(([name]) => name.startsWith(start))
  return Object.fromEntries(granted.map(([name, level]) => [name.slice(start.length), level]))
}

const code = { number: 12, head: { branch: 'code', commit: after }, base: { commit: before } }

/**
 * Runs an example on an event, with the permissions that it declares. Returns the distinct outcomes of this project's
 * steps, separated by commas, and the log entries about steps that failed or permissions that are missing.
 * @param runStep runs a step in this process or as the bundle
 */
export async function runExample(
  name: string,
  event: WorkflowEvent,
  runStep: (
    options: StepOptions,
  ) => Promise<{ exitCode: number | null; outputs: Record<string, string>; log: unknown[] }>,
) {
  const hub = await startGitHub({
    repository,
    roles: { mona: { permission: 'write', role_name: 'write' } },
    repositories: [
      new Repository({
        name: repository,
        branches: { main: after },
        pulls: [{ ...ofAgent, base: { commit: after } }, code],
      }),
    ],
    comments: [{ id: 1001, thread: { number: 7, reviewRoot: null }, body: '/docs fix it', user: 'mona' }],
  })
  onTestFinished(() => hub.close())
  const platform = await platformFor({ readsUntilEnd: 2 })
  // finishedJob reads the job once, so this job is still active when the step first polls it.
  const jobId = name === 'wait.yml' ? await finishedJob(platform) : undefined
  const started = stepOn(event, hub.url)
  /** The permissions of an App's token, if the workflow creates one. */
  let ofApp: Record<string, string> | undefined
  const outcomes: (string | undefined)[] = []
  const log: unknown[] = []
  await runWorkflow(join('examples', name), {
    event: jobId === undefined ? event : dispatched({ repository, inputs: { 'job-id': jobId } }),
    repository,
    vars: { DOCS_PROJECT_ID: 'sandbox-docs', DOCS_REPORT_ISSUE: '7' },
    secrets: {
      DOCS_AGENT_API_KEY: sandboxKey,
      DOCS_READ_API_KEY: sandboxKey,
      GITHUB_TOKEN: sandboxGitHubToken,
    },
    others: {
      'actions/create-github-app-token': (inputs) => {
        ofApp = permissionsIn(inputs)
        return { token: sandboxGitHubToken }
      },
    },
    runAction: async ({ folder, inputs, permissions }) => {
      hub.grant(ofApp ?? permissions)
      const step = await runStep({
        actionDir: folder,
        with: {
          ...inputs,
          'project-id': 'sandbox-docs',
          'base-url': platform.url,
          ...('prompt' in readAction(folder).inputs && { 'poll-interval': '1s' }),
        },
        ...started,
        env: { ...started.env, GITHUB_SHA: after.sha },
      })
      outcomes.push(step.outputs.outcome)
      if (step.exitCode !== 0) log.push(step.log)
      log.push(...step.log.filter((entry) => /\b403\b|\black/.test(JSON.stringify(entry))))
      return step.outputs
    },
  })
  return { outcome: [...new Set(outcomes)].join(), log }
}
