/** The workflows in examples/, run with their own inputs and events, against mocks of GitHub and Mintlify. */
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
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { rowsOf } from '../core/samples.ts'
import { runWorkflow, type WorkflowWorld } from '../workflow-run.ts'
import type { StepRun } from './run.ts'
import { agent, createWorld, type Texts, type World } from './world.ts'

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

const started = (inputs: Record<string, unknown> = {}) => dispatched({ repository, inputs })
/** An event of the pull request with code. */
const feature = (action: string, isDraft = false) =>
  pullRequest({ action, isDraft, number: 12, repository, head: { branch: 'code', sha: after.sha } })

const events = {
  comment: issueComment({ repository }),
  'comment that only mentions the command': issueComment({
    repository,
    body: 'See https://example.com/docs, or comment /docs.',
  }),
  review: reviewSubmitted({ repository, number: 12 }),
  label: issue({ repository }),
  push: pushed({ before, after, repository }),
  release: releasePublished({ repository, body: 'A fix.' }),
  schedule: scheduled(repository),
  'manual run': started(),
  'manual run for a job': started({ 'job-id': 'job_0001' }),
  'pull request': feature('opened'),
  'draft pull request': feature('opened', true),
  'pull request that is ready': feature('ready_for_review'),
  'label on a pull request': feature('labeled'),
  'closed pull request': feature('closed'),
  "agent's pull request": pullRequest({
    number: 101,
    user: agent,
    repository,
    head: { branch, sha: docs.sha },
  }),
}

/** An example, an event, and the distinct outcomes of this project's steps. */
export const examples = rowsOf(`
  command-reusable.yml  | comment                                | pull-request
  command-reusable.yml  | comment that only mentions the command |
  command-reusable.yml  | review                                 | pull-request
  comment.yml           | comment                                | pull-request
  comment.yml           | comment that only mentions the command |
  daily.yml             | schedule                               | pull-request
  daily.yml             | manual run                             | pull-request
  daily-no-waiting.yml  | schedule                               | settled,detached
  daily-no-waiting.yml  | manual run                             | settled,detached
  daily-no-waiting.yml  | agent's pull request                   | settled
  daily-slack.yml       | schedule                               | settled,detached
  daily-slack.yml       | manual run                             | settled,detached
  daily-slack.yml       | agent's pull request                   | settled
  elsewhere-command.yml | comment                                | pull-request
  elsewhere.yml         | push                                   | detached
  elsewhere.yml         | schedule                               | settled
  feature.yml           | pull request                           | pull-request
  feature.yml           | draft pull request                     |
  feature.yml           | pull request that is ready             | pull-request
  feature.yml           | closed pull request                    | settled
  feature.yml           | schedule                               | settled
  label.yml             | label                                  | pull-request
  monorepo.yml          | push                                   | pull-request,skipped
  no-waiting.yml        | comment                                | detached
  no-waiting.yml        | comment that only mentions the command |
  no-waiting.yml        | schedule                               | settled
  openapi.yml           | push                                   | pull-request
  push.yml              | push                                   | pull-request
  report.yml            | schedule                               | reported
  release.yml           | release                                | pull-request
  ship-elsewhere.yml    | label on a pull request                | pull-request
  ship-elsewhere.yml    | schedule                               | settled
  ship-long.yml         | schedule                               | settled
  ship.yml              | label on a pull request                | pull-request
  ship.yml              | schedule                               | settled
  ship.yml              | release                                | settled
  schedule.yml          | schedule                               | pull-request
  slack.yml             | schedule                               | reported
  visitors-fleet.yml    | schedule                               | reported
  visitors.yml          | schedule                               | reported
  wait.yml              | manual run for a job                   | pull-request
  wrapper-caller.yml    | comment                                | pull-request
  wrapper-caller.yml    | review                                 | pull-request
`)

interface Given extends Partial<Pick<WorkflowWorld, 'vars' | 'secrets' | 'runScript'>> {
  /** Inputs that replace the example's. */
  inputs?: Texts
  env?: Texts
}

/** Runs an example in a world, with the permissions that it declares. Returns the results of this project's steps. */
export async function runIn(
  { hub, service, step }: World,
  name: string,
  event: RawEvent,
  { inputs: own = {}, env = {}, ...given }: Given,
): Promise<(StepRun & { granted: string[] })[]> {
  const runs: (StepRun & { granted: string[] })[] = []
  /** The permissions of an App's token, if the workflow creates one. */
  let ofApp: Record<string, string> | undefined
  await runWorkflow(`examples/${name}`, {
    event,
    repository,
    ...given,
    hasFailed: () => (runs.at(-1)?.exitCode ?? 0) !== 0,
    others: {
      'actions/create-github-app-token': (inputs) => {
        const granted = Object.entries(inputs).filter(([name]) => name.startsWith('permission-'))
        ofApp = Object.fromEntries(granted.map(([name, level]) => [name.replace('permission-', ''), level]))
        return { token: sandboxGitHubToken }
      },
    },
    runAction: async ({ folder, inputs, permissions }) => {
      const given = ofApp ?? permissions
      hub.grant(given)
      const polls = 'poll-interval' in readAction(folder).inputs
      const all = { ...inputs, ...own, 'base-url': service.url, ...(polls && { 'poll-interval': '1s' }) }
      const run = await step(event, all, env, folder)
      const granted = Object.entries(given).map(([scope, level]) => `\`${scope}: ${level}\``)
      runs.push({ ...run, granted })
      return run.outputs
    },
  })
  return runs
}

/** Runs an example. Returns the distinct outcomes, the log of steps that failed or lacked a permission, and the runs. */
export async function runExample(name: string, event: string, own: Texts = {}) {
  const world = await createWorld({
    repository: { branches: { main: after }, pulls: [{ ...ofAgent, state: 'closed' }, code] },
    platform: { readsUntilEnd: 2 },
  })
  if (name === 'wait.yml') await world.run(events.schedule, { wait: 'false' })
  const runs = await runIn(world, name, events[event as keyof typeof events], {
    vars: { DOCS_PROJECT_ID: 'sandbox-docs', DOCS_REPORT_ISSUE: '7' },
    secrets: {
      DOCS_AGENT_API_KEY: sandboxKey,
      DOCS_READ_API_KEY: sandboxKey,
      GITHUB_TOKEN: sandboxGitHubToken,
    },
    inputs: { 'project-id': 'sandbox-docs', ...own },
    env: { GITHUB_SHA: after.sha },
  })
  return {
    outcome: [...new Set(runs.map(({ outputs }) => outputs.outcome))].join(),
    log: runs.flatMap(({ exitCode, log }) => {
      const lacking = log.filter((entry) => /\b403\b|\black/.test(JSON.stringify(entry)))
      return exitCode === 0 ? lacking : log
    }),
    runs,
  }
}
