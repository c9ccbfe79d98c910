import { describe, expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { type GitHubOptions, sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import type { SeedStatus } from '../../sandbox/github/statuses.ts'
import { issueComment, pushed } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { runStep } from '../../sandbox/runner/step.ts'
import { signWith } from '../../src/adapters/sign.ts'
import { type Mark, projectName, stepName, writeMark } from '../../src/core/mark.ts'
import { statusContext, writeStatus } from '../../src/core/status.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { inputsFor, onTestFinished, platformFor } from './run.ts'

/** The job that a planted mark names. */
const planted = 'job_9999'
const self = 'github-actions[bot]'
const step = { workflow: 'Docs', job: 'docs', step: '__self', matrixIndex: '0', project: 'sandbox-docs' }

/** A mark as a run of this very step leaves it on acme/docs#7, unless told otherwise. */
function markOf(at: number, { thread = 'acme/docs#7', key = sandboxKey, ...more }: Planting = {}): string {
  const mark: Mark = {
    ...{ at, role: 'reply', request: 'comment:1', step: stepName(step), project: projectName(step.project) },
    ...{ state: 'job', job: planted, outcome: null, prLink: null, since: 1_762_000_000_000, by: 'mona' },
    ...more,
  }
  return writeMark(mark, thread, signWith(key))
}

type Planting = Partial<Omit<Mark, 'at'>> & { thread?: string; key?: string }

/** Runs one step, and tells whether it turned to the planted job. */
async function steered(
  github: GitHubOptions,
  event: WorkflowEvent,
  inputs: Record<string, string>,
  env: Record<string, string> = {},
) {
  const hub = await startGitHub({ roles: { mona: { permission: 'write', role_name: 'write' } }, ...github })
  onTestFinished(() => hub.close())
  const platform = await platformFor({ readsUntilEnd: 1 })
  const { outputs } = await runStep({
    with: { ...inputsFor(platform.url), wait: 'false', ...inputs },
    ...{ githubToken: sandboxGitHubToken, eventName: event.name, event: event.payload },
    env: { GITHUB_API_URL: hub.url, ...env },
  })
  const isSteered = outputs.jobId === planted || platform.requests.some(({ path }) => path.includes(planted))
  return { isSteered, jobs: platform.jobs.size, outcome: outputs.outcome, hub }
}

describe('a mark in a comment', () => {
  const id = 901
  type Row = [name: string, body: string, user?: string | null]
  const rows: Row[] = [
    ["in a stranger's comment, signed and bound", markOf(id), 'mallory'],
    ["in a writer's comment", markOf(id), 'mona'],
    ['in a comment of an account that is gone', markOf(id), null],
    ["quoted by the token's own account", `> The agent is at work\n\n${markOf(900)}`],
    ['edited into an older own comment', `Thanks for the report!\n\n${markOf(950)}`],
    ['not bound yet, so it may be anywhere', `As you said:\n\n${markOf(0)}`],
    ["another thread's", markOf(id, { thread: 'acme/docs#8' })],
    ["another repository's", markOf(id, { thread: 'evil/docs#7' })],
    ["a review thread's of the same number", markOf(id, { thread: 'acme/docs#7/901' })],
    ['signed with another key', markOf(id, { key: 'mint_somebody_elses' })],
    ['with another job, under the signature of the first', markOf(id).replace(/:[^:]{40,}:/, otherJob)],
    ['before the end of a comment', `${markOf(id)}\n\nWhat is this?`],
    ["another step's", markOf(id, { step: stepName({ ...step, step: 'other' }) })],
    ["another project's", markOf(id, { role: 'provenance', project: projectName('other') })],
  ]
  const seeds = (body: string, user: string | null = self) => ({
    comments: [
      { id, thread: { number: 7, reviewRoot: null }, body, user },
      { id: 1001, thread: { number: 7, reviewRoot: null }, body: '/docs fix it', user: 'mona' },
    ],
  })

  it('in its own comment directs a later command', async () => {
    expect(await steered(seeds(markOf(id)), issueComment(), { command: '/docs' })).toMatchObject({
      isSteered: true,
    })
  })

  it.each(rows)('%s directs none', async (_, body, user) => {
    const { hub, ...rest } = await steered(seeds(body, user), issueComment(), { command: '/docs' })
    expect(rest).toEqual({ isSteered: false, jobs: 1, outcome: 'detached' })
    expect(hub.comments.find((comment) => comment.id === id)?.body).toBe(body)
  })

  const rerun = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' }
  const ofRequest = { request: 'comment:1001' }
  it.each<Row>([
    ["in a stranger's comment", markOf(id, ofRequest), 'mallory'],
    ["in another comment of the token's own account", `> Look:\n\n${markOf(900, ofRequest)}`],
    ["another thread's", markOf(id, { ...ofRequest, thread: 'acme/docs#8' })],
    ['signed with another key', markOf(id, { ...ofRequest, key: 'mint_somebody_elses' })],
  ])('%s directs no re-run', async (name, body, user) => {
    const { hub, ...rest } = await steered(seeds(body, user), issueComment(), { command: '/docs' }, rerun)
    // One of the token's own account that cannot be checked may stop a re-run: the key may have changed since.
    const isUnverifiable = /signed|thread's/.test(name)
    expect(rest).toEqual(
      isUnverifiable
        ? { isSteered: false, jobs: 0, outcome: 'unconfirmed' }
        : { isSteered: false, jobs: 1, outcome: 'detached' },
    )
    expect(hub.comments.find((comment) => comment.id === id)?.body).toBe(body)
  })
})

/** The text of a mark that names another job. */
function otherJob(): string {
  return `:${/:([^:]{40,}):/.exec(markOf(901, { job: 'job_6666' }))?.[1]}:`
}

describe('a mark in a status', () => {
  const first = commit({ message: 'First', files: { 'src/a.ts': 'old\n' } })
  const head = commit({ parents: [first], message: 'Second', files: { 'src/a.ts': 'new\n' } })
  const repository = new Repository({ name: 'acme/docs', branches: { main: head } })
  const rerun = { GITHUB_RUN_ATTEMPT: '2' }

  const owner = { project: step.project, hasChange: true }
  const described = (more: object = {}, of: object = {}) =>
    writeStatus('Working', { state: 'job', job: planted, run: '1000001', ...more }, { ...owner, ...of })
  const status = (more: Partial<SeedStatus> = {}): SeedStatus => ({
    ...{ repository: 'acme/docs', sha: head.sha, context: statusContext(step), state: 'pending' },
    ...{ description: described(), targetUrl: null, creator: self },
    ...more,
  })
  const run = (seed: SeedStatus) =>
    steered(
      { repositories: [repository], statuses: [seed] },
      pushed({ before: first, after: head, repository: 'acme/docs' }),
      { prompt: 'Update the docs' },
      rerun,
    )

  it('of this step and run on its commit directs a re-run', async () => {
    expect(await run(status())).toMatchObject({ isSteered: true, jobs: 0 })
  })

  it.each<[string, Partial<SeedStatus>]>([
    ['by another account', { creator: 'mallory' }],
    ['copied to another commit', { sha: first.sha }],
    ['of another run', { description: described({ run: '1000000' }) }],
    ["another step's", { context: statusContext({ ...step, step: 'other' }) }],
    ["another project's", { description: described({}, { project: 'other' }) }],
    ['with words after it', { description: `${described()} ` }],
    ['that leads out of the jobs', { description: described().replace(planted, `../x/${planted}`) }],
  ])('%s directs none', async (_, more) => {
    const { hub: _hub, ...rest } = await run(status(more))
    expect(rest).toEqual({ isSteered: false, jobs: 1, outcome: 'detached' })
  })
})
