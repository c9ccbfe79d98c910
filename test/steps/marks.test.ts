import { describe, expect, it } from 'vitest'
import type { SeedStatus } from '../../sandbox/github/statuses.ts'
import { projectName, stepName } from '../../src/core/mark.ts'
import { statusContext } from '../../src/life/format.ts'
import { createSteering, described, first, id, markOf, planted, step } from './marks-world.ts'
import { runStep } from './run.ts'

const { byComment, byStatus } = createSteering(runStep)

describe('a mark in a comment', () => {
  type Row = [name: string, body: string, user?: string | null]
  const rows: Row[] = [
    ["in a stranger's comment, signed", markOf(), 'mallory'],
    ["in a writer's comment", markOf(), 'mona'],
    ['in a comment by a deleted account', markOf(), null],
    ['of another thread', markOf({ thread: 'acme/docs#8' })],
    ['of another repository', markOf({ thread: 'evil/docs#7' })],
    ['of a review thread with the same number', markOf({ thread: 'acme/docs#7/901' })],
    ['signed with another key', markOf({ key: 'mint_somebody_elses' })],
    ['whose job was replaced, with the old signature', markOf().replace(/:[^:]{40,}:/, otherJob)],
    ['followed by other text', `${markOf()}\n\nWhat is this?`],
    ['of another step', markOf({ step: stepName({ ...step, step: 'other' }) })],
    ['of another project', markOf({ role: 'pull', project: projectName('other') })],
  ]

  it("a later command takes its job from a mark by the token's own account", async () => {
    expect(await byComment(markOf())).toMatchObject({ isSteered: true })
  })

  it.each(rows)('a later command does not take its job from a mark %s', async (_, body, user) => {
    const { hub, ...rest } = await byComment(body, user)
    expect(rest).toEqual({ isSteered: false, jobs: 1, outcome: 'detached' })
    expect(hub.comments.find((comment) => comment.id === id)?.body).toBe(body)
  })

  const rerun = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' }
  const ofRequest = { request: 'comment:1001' }
  it.each<Row>([
    ["in a stranger's comment", markOf(ofRequest), 'mallory'],
    ['of another thread', markOf({ ...ofRequest, thread: 'acme/docs#8' })],
    ['signed with another key', markOf({ ...ofRequest, key: 'mint_somebody_elses' })],
  ])('a re-run does not take its job from a mark %s', async (name, body, user) => {
    const { hub, ...rest } = await byComment(body, user, rerun)
    // An unverifiable mark by the token's own account stops a re-run, because the key may have changed since.
    const isUnverifiable = /signed|of another thread/.test(name)
    expect(rest).toEqual(
      isUnverifiable
        ? { isSteered: false, jobs: 0, outcome: 'unconfirmed' }
        : { isSteered: false, jobs: 1, outcome: 'detached' },
    )
    expect(hub.comments.find((comment) => comment.id === id)?.body).toBe(body)
  })
})

/** The encoded content of a mark for another job, without its signature. */
function otherJob(): string {
  return `:${/:([^:]{40,}):/.exec(markOf({ job: 'job_6666' }))?.[1]}:`
}

describe('a mark in a status', () => {
  it("a re-run follows the job in a status of the same step and run, on the status's own commit", async () => {
    expect(await byStatus()).toMatchObject({ isSteered: true, jobs: 0 })
  })

  it.each<[string, Partial<SeedStatus>]>([
    ['by another account', { creator: 'mallory' }],
    ['copied to another commit', { sha: first.sha }],
    ['of another run', { description: described({ run: '1000000' }) }],
    ['of another step', { context: statusContext({ ...step, step: 'other' }, 'push') }],
    ['of another project', { description: described({ project: 'other' }) }],
    ['with text after its record', { description: `${described()} ` }],
    ['whose job ID is a path to elsewhere', { description: described().replace(planted, `../x/${planted}`) }],
  ])('a re-run does not follow the job in a status %s', async (_, more) => {
    const { hub: _hub, ...rest } = await byStatus(more)
    expect(rest).toEqual({ isSteered: false, jobs: 1, outcome: 'detached' })
  })

  it.each<[string, Partial<SeedStatus>]>([
    ['signed with another key', { description: described({ key: 'mint_somebody_elses' }) }],
    ['signed for another commit', { description: described({ commit: first.sha }) }],
    ['changed to another job', { description: described().replace(planted, 'job_6666') }],
    ['with another target', { targetUrl: 'https://github.com/acme/docs/pull/6' }],
  ])('a status %s stops a re-run', async (_, more) => {
    const { hub: _hub, ...rest } = await byStatus(more)
    expect(rest).toEqual({ isSteered: false, jobs: 0, outcome: 'unconfirmed' })
  })
})
