import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { projectName, stepName } from '../../src/core/mark.ts'
import { problems } from '../../src/core/problems.ts'
import { threadName } from '../../src/core/thread.ts'
import { minuteMs } from '../../src/core/units.ts'
import { type CommentEntry, writeComment } from '../../src/life/format.ts'
import { say } from '../../src/say/messages.ts'
import { Calls, type Mishap, rejected, viewer } from './github.ts'
import { settleOn } from './settle-step.ts'
import { aChange, aPull, command, event, issue, key, label, linkOf, pullThread, Stage } from './step.ts'
import { answer, halfway, start } from './world.ts'

const rerun = { isRerun: true }
const seen = ({ github }: Stage, thread = issue) => github.seen[threadName(thread)] ?? []
const meeting = (mishaps: Record<string, readonly (Mishap | undefined)[]>) => ({
  calls: Calls.meeting(mishaps),
})

const step = { workflow: 'Docs', job: 'docs', step: '__docs', matrixIndex: '0', project: 'docs' }

interface Planting {
  apiKey?: string
  author?: string
}

/** Adds a comment with a mark to the issue, as an earlier run left it ten minutes ago. Returns its id. */
function plant(stage: Stage, more: Partial<CommentEntry>, how: Planting = {}): number {
  const { apiKey = key, author = viewer } = how
  const id = stage.github.add(issue, '', author)
  const entry: CommentEntry = {
    role: 'request',
    request: 'comment:1',
    step: stepName(step),
    project: projectName('docs'),
    attempt: 1,
    writer: 'w001',
    state: 'open',
    job: null,
    link: null,
    since: start,
    until: start,
    isLeft: false,
    by: 'mona',
    code: null,
    globs: null,
    ...more,
  }
  const comment = stage.github.comments.find((each) => each.id === id)
  if (comment) comment.body = writeComment('planted', entry, threadName(issue), signWith(apiKey))
  stage.now += 600_000
  return id
}

describe('a command', () => {
  it('a command is marked, sent, and reported as a new comment; then the working comment is removed', async () => {
    const stage = new Stage()
    const { calls, result, saved } = await command(stage, { comment: 1 })
    expect(result).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' })
    expect(calls.made).toMatchInlineSnapshot(`
      [
        "role mona",
        "react eyes",
        "reply acme/docs#7",
        "render",
        "comments acme/docs#7",
        "viewer",
        "edit acme/docs#7",
        "send",
        "edit acme/docs#7",
        "read job",
        "read job",
        "pull",
        "changedFiles",
        "finish pull-request",
        "comments acme/docs#101",
        "viewer",
        "reply acme/docs#101",
        "reply acme/docs#7",
        "react rocket",
        "remove acme/docs#7",
      ]
    `)
    expect(seen(stage)).toMatchInlineSnapshot(`
      [
        "+ working (own)",
        "~ working (own)",
        "~ working (own)",
        "+ result: pull-request job_1",
        "- working (own)",
      ]
    `)
    expect(saved).toBeNull()
  })

  it('a command is sent at the moment at which GitHub accepts its record', async () => {
    const stage = new Stage()
    const times: Record<string, number> = {}
    const calls = new Calls((_, name) => {
      times[name] ??= stage.now
      return undefined
    })
    await command(stage, { comment: 1 }, { calls })
    expect(calls.made.indexOf('edit acme/docs#7')).toBe(calls.made.indexOf('send') - 1)
    expect(times.send).toBe(times.edit)
  })

  it('a second command goes to the job of the thread', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    const { calls } = await command(stage, { comment: 2 })
    expect(calls.made).toMatchInlineSnapshot(`
      [
        "role mona",
        "react eyes",
        "reply acme/docs#7",
        "render",
        "comments acme/docs#7",
        "viewer",
        "read job",
        "pull",
        "read job",
        "edit acme/docs#7",
        "send",
        "edit acme/docs#7",
        "read job",
        "read job",
        "pull",
        "changedFiles",
        "finish pull-request",
        "comments acme/docs#101",
        "viewer",
        "reply acme/docs#7",
        "react rocket",
        "remove acme/docs#7",
      ]
    `)
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_1 + request 2'])
    expect(seen(stage).slice(-6)).toMatchInlineSnapshot(`
      [
        "- working (own)",
        "+ working (own)",
        "~ working (thread)",
        "~ working (thread)",
        "+ result: pull-request job_1",
        "- working (thread)",
      ]
    `)
  })

  it('a command in a review gets no reaction, because reviews have none', async () => {
    const stage = new Stage()
    const review = await command(stage, { comment: 1, review: 5, thread: pullThread(8) })
    expect([review.result?.outcome, stage.github.reactions]).toEqual(['pull-request', []])
  })

  it("a command on the agent's pull request goes to the pull request's job, whichever thread requested that job", async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    await command(stage, { comment: 2, thread: pullThread(101) })
    await event(stage, aChange('aaaa'), { run: '2' })
    await command(stage, { comment: 3, thread: pullThread(102) })
    expect(stage.platform.sends).toEqual([
      'job_1: request 1',
      'job_1 + request 2',
      'job_2: Do',
      'job_2 + request 3',
    ])
  })

  it('a command on a thread whose job is over makes a new job, and says so', async () => {
    const stage = new Stage()
    stage.platform.ends = ['failed', 'completed']
    await command(stage, { comment: 1 })
    await command(stage, { comment: 2 })
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_2: request 2'])
    expect(seen(stage)).toContain('~ working (replaced)')
  })

  it('each command on the issue of a visitors report has its own job', async () => {
    const stage = new Stage()
    stage.github.add(issue, '# Report\n\n<!-- docs-agent-report:2:W10=:x -->', viewer)
    for (const comment of [8, 9]) await command(stage, { comment })
    expect([...stage.platform.jobs.keys()]).toEqual(['job_1', 'job_2'])
  })

  it('a command that times out says so in its working comment, and a second command goes to the same job', async () => {
    const stage = new Stage()
    stage.platform.ends = ['active']
    const { result } = await command(stage, { comment: 1 }, { inputs: { timeout: '1m' } })
    expect(result?.outcome).toBe('timed-out')
    expect(stage.github.said(issue)).toEqual(['unfinished: timed-out job_1'])
    await command(stage, { comment: 2 }, { inputs: { timeout: '1m' } })
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_1 + request 2'])
  })

  it('a command with wait: false says so in its working comment, and its only reaction is eyes', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: { wait: 'false' } })
    expect(stage.github.said(issue)).toEqual(['unfinished: detached job_1'])
    expect(stage.github.reactions.map(({ content }) => content)).toEqual(['eyes'])
    await command(stage, { comment: 2 })
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_1 + request 2'])
  })

  it.each([
    ['in another step', { step: { step: 'other' } }],
    ['in another workflow', { step: { workflow: 'Other' } }],
    ['in another matrix leg', { step: { matrixIndex: '1' } }],
    ['for another project', { inputs: { 'project-id': 'other' } }],
  ])('a command has its own job %s', async (_, options) => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    await command(stage, { comment: 2 }, options)
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_2: request 2'])
  })

  it.each([400, 404, 409, 410])(
    'a command whose follow-up Mintlify rejects with %i goes to a new job in the same attempt, and its prompt names the open pull request',
    async (status) => {
      const stage = new Stage()
      await command(stage, { comment: 1 })
      stage.github.details[101] = aPull(101)
      stage.platform.next = answer(status)
      const { result } = await command(stage, { comment: 2 })
      expect(result).toMatchObject({ outcome: 'pull-request', jobId: 'job_2' })
      const prompt = stage.platform.jobs.get('job_2')?.prompt
      expect(prompt).toContain(`has an open pull request, ${linkOf(101)}.`)
      expect(prompt).toContain('request 2')
      expect(seen(stage)).toContain('~ working (replaced)')
      await command(stage, { comment: 2 }, rerun)
      expect(stage.platform.jobs.size).toBe(2)
    },
  )

  it.each<[name: string, status: number, inputs: Record<string, string>]>([
    ['of the key', 401, {}],
    ['of its size', 413, {}],
    ['of the job in job-id', 409, { 'job-id': 'job_1' }],
  ])('a command whose follow-up Mintlify rejects because %s makes no new job', async (_, status, inputs) => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    stage.platform.next = answer(status)
    const { result } = await command(stage, { comment: 2 }, { inputs })
    expect([result?.outcome, stage.platform.jobs.size]).toEqual(['error', 1])
  })

  it('a command with a job-id goes to that job', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    await event(stage, aChange('aaaa'), { run: '2' })
    await command(stage, { comment: 2 }, { inputs: { 'job-id': 'job_2' } })
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_2: Do', 'job_2 + request 2'])
  })
})

describe('the gate', () => {
  it('the gate replies once on each thread to a person who is not allowed, and reacts each time', async () => {
    const stage = new Stage()
    stage.github.roles = { rita: 'read', ron: 'read' }
    const ask = (comment: number, login: string, thread = issue) =>
      command(stage, { comment, author: { login }, thread })
    for (const [comment, login] of [
      [1, 'rita'],
      [2, 'Rita'],
      [3, 'ron'],
    ] as const) {
      const { result } = await ask(comment, login.toLowerCase())
      expect(result).toMatchObject({ outcome: 'skipped', problem: { id: 'not-allowed' } })
    }
    await ask(4, 'rita', pullThread(9))
    expect(stage.github.said(issue)).toEqual(['denied rita', 'denied ron'])
    expect(stage.github.said(pullThread(9))).toEqual(['denied rita'])
    expect(stage.github.reactions).toEqual([1, 2, 3, 4].map((comment) => ({ comment, content: 'confused' })))
    expect(stage.platform.sends).toEqual([])
  })

  it('the gate sends nothing and writes nothing if GitHub does not name the role', async () => {
    const stage = new Stage()
    const { result, calls } = await command(stage, { comment: 1 }, meeting({ role: [rejected] }))
    expect(result).toMatchObject({ outcome: 'error', problem: { id: 'unread-role' } })
    expect(calls.made).toEqual(['role mona', 'finish error'])
  })
})

it.each([
  ['', false],
  ['!', false],
  ['help', true],
  [' HELP ', true],
  ['help!', true],
  ['help?', true],
])('a command with only “%s” gets the help as its reply', async (instruction, isHelp) => {
  const stage = new Stage()
  const { result } = await command(stage, { comment: 1, instruction })
  expect(result).toMatchObject({ outcome: 'skipped', problem: problems.noPrompt('/docs', isHelp) })
  expect(stage.github.said(issue)).toEqual(['help'])
  expect(stage.platform.sends).toEqual([])
})

describe('a re-run', () => {
  it('a re-run repeats a reported result, and changes nothing', async () => {
    const stage = new Stage()
    const first = await command(stage, { comment: 1 })
    const before = seen(stage).length
    // Even a key that Mintlify would reject makes no difference.
    stage.platform.next = answer(401)
    const { result, calls } = await command(stage, { comment: 1 }, rerun)
    expect(result).toMatchObject({ outcome: 'pull-request', jobId: 'job_1', problem: { id: 'reported' } })
    expect(result?.job?.prLink).toBe(first.result?.job?.prLink)
    expect(stage.platform.sends).toEqual(['job_1: request 1'])
    expect(seen(stage)).toHaveLength(before)
    expect(calls.made.filter((call) => /send|read job|react/.test(call))).toEqual([])
  })

  it('a re-run after wait: false reports the result as a new comment', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: { wait: 'false' } })
    const before = seen(stage).length
    await command(stage, { comment: 1 }, rerun)
    expect(stage.platform.sends).toEqual(['job_1: request 1'])
    expect(seen(stage).slice(before)).toMatchInlineSnapshot(`
      [
        "+ result: pull-request job_1",
        "- unfinished: detached job_1",
      ]
    `)
  })

  it.each(['failed', 'archived'])(
    "a re-run is a new attempt with its own job if the first job's status is %s",
    async (end) => {
      const stage = new Stage()
      stage.platform.ends = [end, 'completed']
      await command(stage, { comment: 1 })
      await command(stage, { comment: 1 }, rerun)
      expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_2: request 1'])
      const said = [`result: ${end} job_1`, 'result: pull-request job_2']
      expect(stage.github.said(issue)).toEqual(said)
      // A third run repeats the result.
      await command(stage, { comment: 1 }, rerun)
      expect(stage.platform.sends).toHaveLength(2)
      expect(stage.github.said(issue)).toEqual(said)
    },
  )

  it('a re-run sends what certainly was not sent, and reports the result as a new comment', async () => {
    const stage = new Stage()
    stage.platform.next = answer(401)
    const { result } = await command(stage, { comment: 1 })
    expect(result).toMatchObject({ outcome: 'error', delivery: 'not-sent' })
    expect(stage.github.said(issue)).toEqual(['result: error'])
    await command(stage, { comment: 1 }, rerun)
    expect(stage.platform.sends).toEqual(['job_1: request 1'])
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
    expect(seen(stage).filter((line) => line.includes('job_1'))).toContain('+ result: pull-request job_1')
  })

  it('a re-run never resends a request that may have been received, and a later command makes its own job', async () => {
    const stage = new Stage()
    stage.platform.next = halfway
    const first = await command(stage, { comment: 1 })
    expect(first.result).toMatchObject({ outcome: 'unconfirmed', delivery: 'uncertain' })
    for (const _ of [1, 2]) {
      const { result } = await command(stage, { comment: 1 }, rerun)
      expect(result).toMatchObject({ outcome: 'unconfirmed', problem: { id: 'reported' } })
      expect(stage.github.said(issue)).toEqual(['result: unconfirmed'])
    }
    expect(stage.platform.sends).toEqual([])
    stage.now += 600_000
    await command(stage, { comment: 2 })
    expect(stage.platform.sends).toEqual(['job_1: request 2'])
    expect(seen(stage)).toContain('~ working (unclear)')
  })

  it('a re-run after a change of key sends nothing, and the next command makes its own job', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    const sign = signWith('mint_another_key')
    const { result } = await command(stage, { comment: 1 }, { ...rerun, sign })
    expect(result).toMatchObject({ outcome: 'unconfirmed', problem: { id: 'key-changed' } })
    stage.now += 600_000
    await command(stage, { comment: 2 }, { sign })
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_2: request 2'])
  })
})

describe('an earlier command', () => {
  const pending = { request: 'comment:1', state: 'open' } as const

  it('a command waits up to 90 s for an earlier one that is about to be sent, and then makes its own job', async () => {
    const stage = new Stage()
    plant(stage, pending)
    stage.now -= 600_000
    const before = stage.now
    const { progress } = await command(stage, { comment: 2 })
    expect(progress.filter(({ text }) => text.includes('earlier request on this thread'))).toEqual([
      say.earlierCommand(true),
      say.earlierCommand(false),
    ])
    expect(stage.now - before).toBeGreaterThanOrEqual(90_000)
    expect(stage.platform.sends).toEqual(['job_1: request 2'])
    expect(seen(stage)).toContain('~ working (unclear)')
  })

  it.each([
    ['from 10 minutes ago', 0, {}],
    ['in another step', 600_000, { step: 'other' }],
  ])('a command does not wait for an earlier one %s', async (_, back, more) => {
    const stage = new Stage()
    plant(stage, { ...pending, ...more })
    stage.now -= back
    const { progress } = await command(stage, { comment: 2 })
    expect(progress.filter(({ text }) => text.includes('earlier request on this thread'))).toEqual([])
    expect(stage.platform.sends).toEqual(['job_1: request 2'])
  })

  it('a cancelled command stops waiting for an earlier one', async () => {
    const stage = new Stage()
    plant(stage, pending)
    stage.now -= 600_000
    const { result } = await command(stage, { comment: 2 }, { cancelled: AbortSignal.abort() })
    expect(result).toMatchObject({ outcome: 'cancelled', delivery: 'not-sent' })
    expect(stage.now).toBeLessThan(10_000)
  })

  it('two simultaneous commands make one job; the later one becomes a follow-up', async () => {
    for (const delay of Array.from({ length: 30 }, (_, turns) => turns)) {
      const stage = new Stage()
      const later = async () => {
        for (let turn = 0; turn < delay; turn++) await Promise.resolve()
        return command(stage, { comment: 2 }, { run: '2' })
      }
      await Promise.all([command(stage, { comment: 1 }), later()])
      expect([...stage.platform.jobs.keys()]).toEqual(['job_1'])
      expect(stage.platform.sends).toHaveLength(2)
      expect(stage.github.said(issue)).toHaveLength(2)
    }
  })
})

describe('what a command leaves alone', () => {
  it('a label by someone without the required role gets no reaction and no reply', async () => {
    const stage = new Stage()
    stage.github.roles = { mona: 'read' }
    const { result } = await label(stage)
    expect([result?.outcome, stage.github.reactions, stage.github.comments]).toEqual(['skipped', [], []])
  })

  it("a command does not hide another step's comment", async () => {
    const stage = new Stage()
    const id = plant(stage, { request: 'comment:5', step: 'other' }, { apiKey: 'mint_another_key' })
    await command(stage, { comment: 1 })
    expect(stage.github.comments.find((each) => each.id === id)?.isHidden).toBeUndefined()
  })

  it('a command deletes no record of a request that is still open', async () => {
    const stage = new Stage()
    const planted = [plant(stage, { request: 'comment:5' }), plant(stage, { request: 'comment:5' })]
    await command(stage, { comment: 1 })
    expect(stage.github.comments.map(({ id }) => id)).toEqual(expect.arrayContaining(planted))
  })
})

describe('what GitHub rejects', () => {
  it.each([
    ['the working comment', { reply: [rejected, rejected] }, 'record-unwritten'],
    ['the edit that binds the working comment, twice', { edit: [rejected, rejected] }, 'record-unwritten'],
    ['the thread', { comments: [rejected, rejected] }, 'unread'],
    ['the token’s account', { viewer: [rejected, rejected] }, 'unread'],
  ] as const)('a command sends nothing if GitHub rejects a call: %s', async (_, mishaps, id) => {
    const stage = new Stage()
    const { result } = await command(stage, { comment: 1 }, meeting(mishaps))
    expect(result).toMatchObject({ outcome: 'error', problem: { id } })
    expect(stage.platform.sends).toEqual([])
    // A re-run can send the request.
    await command(stage, { comment: 1 }, rerun)
    expect(stage.platform.sends).toEqual(['job_1: request 1'])
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })

  it('one rejected edit of the record does not prevent the send', async () => {
    const stage = new Stage()
    const { result } = await command(stage, { comment: 1 }, meeting({ edit: [rejected] }))
    expect([result?.outcome, stage.platform.sends]).toEqual(['pull-request', ['job_1: request 1']])
  })

  it('a re-run leaves one comment if GitHub rejects the edit that binds it', async () => {
    const stage = new Stage()
    stage.platform.next = answer(401)
    await command(stage, { comment: 1 })
    const { result } = await command(stage, { comment: 1 }, { ...rerun, ...meeting({ edit: [rejected] }) })
    expect(result?.outcome).toBe('pull-request')
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })

  it('a result that GitHub rejects as a new comment replaces the working comment', async () => {
    const stage = new Stage()
    // The second reply is on the agent's pull request.
    await command(
      stage,
      { comment: 1 },
      { ...meeting({ reply: [undefined, undefined, rejected] }), hasPost: false },
    )
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })

  it('a working comment that could not be deleted is deleted by the next settle', async () => {
    const stage = new Stage()
    const mishaps = { remove: [rejected] }
    await command(stage, { comment: 1 }, { ...meeting(mishaps), hasPost: false })
    expect(stage.github.said(issue)).toEqual(['working (own)', 'result: pull-request job_1'])
    stage.now += minuteMs
    await settleOn(stage)
    expect(stage.platform.sends).toEqual(['job_1: request 1'])
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })

  it('an unreadable thread prevents the send', async () => {
    const stage = new Stage()
    const { result } = await command(stage, { comment: 1 }, meeting({ comments: [rejected, rejected] }))
    expect(result).toMatchObject({ outcome: 'error', problem: { id: 'unread' } })
    expect(stage.platform.sends).toEqual([])
  })

  it('a re-run that cannot read the thread writes nothing there', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: { wait: 'false' } })
    const said = stage.github.said(issue)
    const { result } = await command(
      stage,
      { comment: 1 },
      { ...rerun, ...meeting({ comments: [rejected, rejected] }) },
    )
    expect(result).toMatchObject({ outcome: 'error', problem: { id: 'unread' } })
    expect(stage.github.said(issue)).toEqual(said)
  })

  it('an unconfirmed request does not keep later commands waiting', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { calls: Calls.where('killed before', 'send'), hasPost: false })
    const { result } = await command(stage, { comment: 1 }, rerun)
    expect(result?.outcome).toBe('unconfirmed')
    const { progress } = await command(stage, { comment: 2 })
    expect(progress.filter(({ text }) => text.includes('earlier request on this thread'))).toEqual([])
  })
})

describe('the post step after a kill', () => {
  const saidAfter = async (name: string, count: number) => {
    const stage = new Stage()
    const mishaps = { [name]: [...Array<undefined>(count - 1), 'killed after' as const] }
    await command(stage, { comment: 1 }, meeting(mishaps))
    return stage
  }

  it.each([
    ['nothing was sent, because the mark is not bound yet', 'comments', 1, 'pull-request', 1],
    ['the request may have been sent, because the mark is bound', 'edit', 1, 'unconfirmed', 0],
    ['the job is not known', 'send', 1, 'unconfirmed', 1],
    ['the job is known', 'read job', 1, 'pull-request', 1],
  ])(
    'the post step says that the run ended, and keeps the mark: %s',
    async (_, name, count, outcome, sends) => {
      const stage = await saidAfter(name, count)
      expect(stage.github.said(issue)).toEqual([expect.stringMatching(/^killed/)])
      const { result } = await command(stage, { comment: 1 }, rerun)
      expect([result?.outcome, stage.platform.sends.length]).toEqual([outcome, sends])
    },
  )

  it.each([
    ['before the result is posted', 'pull', 1],
    ['once the result is posted', 'reply', 3],
    ['once the result is bound', 'edit', 4],
  ])('the post step leaves one comment after a kill %s', async (_, name, count) => {
    const stage = await saidAfter(name, count)
    const expected = name === 'pull' ? 'killed (job)' : 'result: pull-request job_1'
    expect(stage.github.said(issue)).toEqual([expected])
  })

  it("the post step finds a comment that a re-run posted, even if the re-run never got GitHub's response", async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { ...rerun, calls: Calls.where('killed after', 'reply') })
    expect(stage.github.said(issue)).toEqual([expect.stringMatching(/^killed/)])
  })

  it('the post step never reverts a mark, even if the disk was full and the saved state is old', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { calls: Calls.where('killed after', 'send'), isDiskFull: true })
    expect(stage.github.said(issue)).toEqual([expect.stringMatching(/^killed/)])
    const { result } = await command(stage, { comment: 1 }, rerun)
    expect([result?.outcome, stage.platform.sends]).toEqual(['unconfirmed', ['job_1: request 1']])
  })
})
