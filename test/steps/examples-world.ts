/** The workflows in examples/, run with their own inputs and events, against doubles of GitHub and Mintlify. */
import { commit } from '../../sandbox/github/commits.ts'
import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
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
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { runWorkflow, type WorkflowWorld } from '../workflow-run.ts'
import { agent, type Setting, type Texts, type World } from './world.ts'

const repository = 'acme/docs'
const daysAgo = (days: number) =>
  new Date(Date.now() - days * 24 * 60 * 60_000).toISOString().replace(/\.\d+Z$/, 'Z')
const files = (text: string) => ({ 'src/a.ts': text, 'packages/client/a.ts': text, 'api/openapi.yaml': text })
const before = commit({ date: daysAgo(9), files: files('a\n') })
const after = commit({ parents: [before], date: daysAgo(1), author: 'mona', files: files('b\n') })
const docs = commit({ parents: [after], files: { 'docs/client/install.mdx': '# Install\n' } })
const code = { number: 12, head: { branch: 'code', commit: after }, base: { commit: before } }
const branch = 'docs-agent/job_0001'
/** The agent's first pull request. It is closed, so that it does not count toward `open-limit`. */
const ofAgent = { number: 101, user: agent, head: { branch, commit: docs }, base: { commit: after } }
const setting: Setting = {
  repository: { branches: { main: after }, pulls: [{ ...ofAgent, state: 'closed' }, code] },
  platform: { readsUntilEnd: 2 },
}

const schedule = scheduled(repository)
const push = pushed({ before, after, repository })
const comment = issueComment({ repository })
/** A comment that only mentions the command. */
const mention = issueComment({ repository, body: 'See https://example.com/docs, or comment /docs.' })
const review = reviewSubmitted({ repository, number: 12 })
const started = (inputs: Record<string, unknown> = {}) => dispatched({ repository, inputs })
/** An event of the pull request with code. */
const feature = (action: string, isDraft = false) =>
  pullRequest({ action, isDraft, number: 12, repository, head: { branch: 'code', sha: after.sha } })
const agentOpened = pullRequest({ number: 101, user: agent, repository, head: { branch, sha: docs.sha } })

/** An example, an event, and the distinct outcomes of this project's steps. */
export const examples: [example: string, event: WorkflowEvent, outcome: string][] = [
  ['command-reusable.yml', comment, 'pull-request'],
  ['command-reusable.yml', mention, ''],
  ['command-reusable.yml', review, 'pull-request'],
  ['comment.yml', comment, 'pull-request'],
  ['comment.yml', mention, ''],
  ['daily.yml', schedule, 'pull-request'],
  ['daily.yml', started(), 'pull-request'],
  ['daily-no-waiting.yml', schedule, 'settled,detached'],
  ['daily-no-waiting.yml', agentOpened, 'settled'],
  ['elsewhere-command.yml', comment, 'pull-request'],
  ['elsewhere.yml', push, 'detached'],
  ['elsewhere.yml', schedule, 'settled'],
  ['feature.yml', feature('opened'), 'pull-request'],
  ['feature.yml', feature('opened', true), ''],
  ['feature.yml', feature('ready_for_review'), 'pull-request'],
  ['feature.yml', feature('closed'), 'settled'],
  ['feature.yml', schedule, 'settled'],
  ['label.yml', issue({ repository }), 'pull-request'],
  ['monorepo.yml', push, 'pull-request,skipped'],
  ['no-waiting.yml', comment, 'detached'],
  ['no-waiting.yml', mention, ''],
  ['no-waiting.yml', schedule, 'settled'],
  ['openapi.yml', push, 'pull-request'],
  ['push.yml', push, 'pull-request'],
  ['report.yml', schedule, 'reported'],
  ['release.yml', releasePublished({ repository, body: 'A fix.' }), 'pull-request'],
  ['ship-elsewhere.yml', feature('labeled'), 'pull-request'],
  ['ship-elsewhere.yml', schedule, 'settled'],
  ['ship.yml', feature('labeled'), 'pull-request'],
  ['ship.yml', schedule, 'settled'],
  ['ship.yml', releasePublished({ repository }), 'settled'],
  ['schedule.yml', schedule, 'pull-request'],
  ['slack.yml', schedule, 'reported'],
  ['visitors-fleet.yml', schedule, 'reported'],
  ['visitors.yml', schedule, 'reported'],
  ['try.yml', started({ prompt: 'Fix it.', 'dry-run': true }), 'dry-run'],
  ['try.yml', started({ prompt: 'Fix it.', 'dry-run': false }), 'pull-request'],
  ['wait.yml', started({ 'job-id': 'job_0001' }), 'pull-request'],
  ['wrapper-caller.yml', comment, 'pull-request'],
  ['wrapper-caller.yml', review, 'pull-request'],
]

/** What an example's steps return, as the bundle or in this process. */
interface StepEnd {
  exitCode: number | null
  outputs: Record<string, string>
  log: unknown[]
}

interface Given extends Partial<Pick<WorkflowWorld, 'vars' | 'secrets' | 'runScript'>> {
  /** Inputs that replace the example's. */
  inputs?: Texts
  env?: Texts
}

/** Runs an example in a world, with the permissions that it declares. Returns the results of this project's steps. */
export async function runIn<End extends StepEnd>(
  { hub, service, step }: Pick<World<End>, 'hub' | 'service' | 'step'>,
  name: string,
  event: WorkflowEvent,
  { inputs: own = {}, env = {}, ...given }: Given,
): Promise<End[]> {
  const runs: End[] = []
  /** The permissions of an App's token, if the workflow creates one. */
  let ofApp: Record<string, string> | undefined
  await runWorkflow(`examples/${name}`, {
    event,
    repository,
    ...given,
    others: {
      'actions/create-github-app-token': (inputs) => {
        const granted = Object.entries(inputs).filter(([name]) => name.startsWith('permission-'))
        ofApp = Object.fromEntries(granted.map(([name, level]) => [name.replace('permission-', ''), level]))
        return { token: sandboxGitHubToken }
      },
    },
    runAction: async ({ folder, inputs, permissions }) => {
      hub.grant(ofApp ?? permissions)
      const polls = 'poll-interval' in readAction(folder).inputs
      const all = { ...inputs, ...own, 'base-url': service.url, ...(polls && { 'poll-interval': '1s' }) }
      const run = await step(event, all, env, folder)
      runs.push(run)
      return run.outputs
    },
  })
  return runs
}

/** Runs an example. Returns the distinct outcomes, and the log of steps that failed or lacked a permission. */
export async function runExample<End extends StepEnd>(
  name: string,
  event: WorkflowEvent,
  worlds: { createWorld(setting: Setting): Promise<World<End>> },
) {
  const world = await worlds.createWorld(setting)
  if (name === 'wait.yml') await world.run(schedule, { wait: 'false' })
  const runs = await runIn(world, name, event, {
    vars: { DOCS_PROJECT_ID: 'sandbox-docs', DOCS_REPORT_ISSUE: '7' },
    secrets: {
      DOCS_AGENT_API_KEY: sandboxKey,
      DOCS_READ_API_KEY: sandboxKey,
      GITHUB_TOKEN: sandboxGitHubToken,
    },
    inputs: { 'project-id': 'sandbox-docs' },
    env: { GITHUB_SHA: after.sha },
  })
  return {
    outcome: [...new Set(runs.map(({ outputs }) => outputs.outcome))].join(),
    log: runs.flatMap(({ exitCode, log }) => {
      const lacking = log.filter((entry) => /\b403\b|\black/.test(JSON.stringify(entry)))
      return exitCode === 0 ? lacking : log
    }),
  }
}
