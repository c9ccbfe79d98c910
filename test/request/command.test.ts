/** A command, label or review on a thread: the order of its calls, who may ask, and what the agent gets. */
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { contextLimit } from '../../src/core/prompt/prompt.ts'
import { Calls, lost, type Mishap, rejected } from '../run/github.ts'
import {
  aChange,
  aFile,
  aPull,
  type Command,
  command,
  event,
  issue,
  label,
  pullThread,
  Stage,
  type StepOptions,
  settleOn,
} from '../run/step.ts'
import { answer, start } from '../run/world.ts'

const rerun = { isRerun: true }
const onPull = { comment: 1, thread: pullThread(12) }
const review = { comment: 0, review: 5, thread: pullThread(12), instruction: ' do what I wrote below' }

it('a command is recorded, sent at once, and reported as a new comment; then the working comment is removed', async () => {
  const stage = new Stage()
  const { calls, saved } = await command(stage, { comment: 1 })
  expect([...calls.made, ...(stage.github.seen['acme/docs#7'] ?? [])]).toMatchInlineSnapshot(`
    [
      "role",
      "react acme/docs#7",
      "reply acme/docs#7",
      "render",
      "comments acme/docs#7",
      "edit acme/docs#7",
      "send",
      "edit acme/docs#7",
      "read job job_1",
      "read job job_1",
      "pull acme/docs#101",
      "changedFiles",
      "finish pull-request",
      "comments acme/docs#101",
      "reply acme/docs#101",
      "reply acme/docs#7",
      "react acme/docs#7",
      "comments acme/docs#7",
      "remove acme/docs#7",
      "+ working (own)",
      "~ working (own)",
      "~ working (own)",
      "+ result: pull-request job_1",
      "- working (own)",
    ]
  `)
  expect([saved, stage.now]).toEqual([null, 21_000])
})

it.each([
  ['GitHub rejects it as a new comment', rejected, false],
  ['the run is killed before it is posted', 'killed before', true],
] as const)('the result of a command is the only comment that is left if %s', async (_, mishap, hasPost) => {
  const stage = new Stage()
  // The second reply is on the agent's pull request.
  const calls = Calls.meeting({ reply: [undefined, undefined, mishap] })
  await command(stage, { comment: 1 }, { calls, hasPost })
  expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
})

it('a run records its job before it waits: if it is killed then, a re-run reports the job and sends nothing', async () => {
  const stage = new Stage()
  await command(stage, { comment: 1 }, { calls: Calls.where('killed before', 'read job'), hasPost: false })
  const { result } = await command(stage, { comment: 1 }, rerun)
  expect([result?.outcome, result?.jobId, stage.platform.sends]).toEqual([
    'pull-request',
    'job_1',
    ['job_1: request 1'],
  ])
  expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
})

it.each<[name: string, run: (stage: Stage, options: StepOptions) => ReturnType<typeof command>]>([
  ['a command', (stage, options) => command(stage, { comment: 1 }, options)],
  ['a push', (stage, options) => event(stage, aChange('aaaa'), options)],
])('%s that is cancelled during any call before the send sends nothing', async (_, run) => {
  const { calls: usual } = await run(new Stage(), {})
  const before = usual.made.findIndex((call) => call.startsWith('send'))
  expect(before).toBeGreaterThan(1)
  for (let at = 0; at < before; at++) {
    const stage = new Stage()
    const cancel = new AbortController()
    const calls = new Calls((number) => void (number === at && cancel.abort()))
    const { result } = await run(stage, { calls, cancelled: cancel.signal })
    expect([result?.outcome, stage.platform.sends], usual.made[at]).toEqual(['cancelled', []])
  }
})

const unavailable: Mishap = { kind: 'broken', status: 502, detail: 'no' }
it.each<[what: string, mishap: Mishap, said: string]>([
  ['a 502 for its result, which the post step reports', unavailable, 'result: pull-request job_1'],
  ['a 403 for its result, which it does not try again', rejected, 'working (own)'],
])('a command gets %s', async (_, mishap, said) => {
  const stage = new Stage()
  const calls: Calls = new Calls((_, name) => {
    const isOver = calls.made.includes('finish pull-request')
    return isOver && ['reply', 'edit'].includes(name) ? mishap : undefined
  })
  await command(stage, { comment: 1 }, { calls })
  expect(stage.github.said(issue)).toEqual([said])
})

it('a comment whose response was lost is not posted again, even if lists lag', async () => {
  const stage = new Stage()
  stage.github.lag = () => 5_000
  await command(stage, { comment: 1 }, { calls: Calls.meeting({ reply: [lost] }) })
  const posted = stage.github.seen['acme/docs#7']?.filter((line) => line.startsWith('+ working'))
  expect(posted).toHaveLength(1)
})

describe('the gate', () => {
  it('the gate reacts to each person who is not allowed, and replies once on each thread', async () => {
    const stage = new Stage()
    stage.github.roles = { rita: 'read', ron: 'read', mona: 'read' }
    const asked = [
      { comment: 1, author: { login: 'rita' } },
      { comment: 2, author: { login: 'rita' } },
      { comment: 3, author: { login: 'ron' } },
      { comment: 4, author: { login: 'rita' }, thread: pullThread(9) },
    ]
    for (const each of asked)
      expect((await command(stage, each)).result).toMatchObject({
        outcome: 'skipped',
        problem: { kind: 'denied' },
      })
    expect([issue, pullThread(9)].map((thread) => stage.github.said(thread))).toEqual([
      ['denied rita', 'denied ron'],
      ['denied rita'],
    ])
    expect(stage.github.reactions).toEqual([1, 2, 3, 4].map((comment) => ({ comment, content: 'confused' })))
    // A review has no reactions, and a label gets no reply.
    await command(stage, review)
    expect((await label(stage, { thread: pullThread(5) })).result?.outcome).toBe('skipped')
    expect([stage.github.said(review.thread), stage.github.said(pullThread(5))]).toEqual([
      ['denied mona'],
      [],
    ])
    expect([stage.github.reactions.length, stage.platform.sends]).toEqual([4, []])
  })

  const needed = ['role', 'reply', 'edit', 'comments', 'render']
  it.each(needed)('a command sends nothing if GitHub rejects `%s`, and a re-run sends it', async (name) => {
    const stage = new Stage()
    const { result, calls } = await command(stage, { comment: 1 }, { calls: Calls.where(rejected, name) })
    expect([result?.outcome, stage.platform.sends]).toEqual(['error', []])
    // Without a role, nothing is written, either.
    if (name === 'role') expect(calls.made).toEqual(['role', 'finish error'])
    await command(stage, { comment: 1 }, rerun)
    expect(stage.platform.sends).toEqual(['job_1: request 1'])
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })
})

it.each(['', '!', '\u200b', 'help', ' HELP ', 'help!', 'help？', ' \u200bhelp'])(
  'a command with only “%s” gets the help as its reply',
  async (instruction) => {
    const stage = new Stage()
    const { result } = await command(stage, { comment: 1, instruction })
    expect([result?.outcome, stage.github.said(issue), stage.platform.sends]).toEqual([
      'skipped',
      ['help'],
      [],
    ])
  },
)

describe('a re-run', () => {
  it('a re-run repeats a reported result, and changes nothing', async () => {
    const stage = new Stage()
    const first = await command(stage, { comment: 1 })
    const before = stage.github.seen['acme/docs#7']?.length
    // Even a key that Mintlify would reject makes no difference.
    stage.platform.next = answer(401)
    const { result, calls } = await command(stage, { comment: 1 }, rerun)
    expect(result).toMatchObject({ outcome: 'pull-request', jobId: 'job_1', problem: { kind: 'reported' } })
    expect(result?.job?.link).toBe(first.result?.job?.link)
    expect(stage.github.seen['acme/docs#7']).toHaveLength(before ?? 0)
    expect(calls.made.filter((call) => /send|read job|react/.test(call))).toEqual([])
  })

  it('a re-run waits for its job even if the first poll does not find it', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: { wait: 'false' } })
    let polls = 0
    stage.platform.read = () => (++polls === 1 ? answer(404) : undefined)
    const { result } = await command(stage, { comment: 1 }, rerun)
    expect([result?.outcome, result?.jobId]).toEqual(['pull-request', 'job_1'])
  })

  it('a re-run that only waited for the job writes nothing if it is cancelled', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: { wait: 'false' } })
    const cancel = new AbortController()
    stage.platform.read = () => void cancel.abort()
    const { result, calls } = await command(stage, { comment: 1 }, { ...rerun, cancelled: cancel.signal })
    expect([result?.outcome, result?.jobId]).toEqual(['cancelled', 'job_1'])
    expect(calls.made.filter((call) => /reply|edit/.test(call))).toEqual([])
  })

  it('a re-run that does not wait repeats a result that was reported just before, even if lists lag', async () => {
    const stage = new Stage()
    const detached = { inputs: { wait: 'false' } }
    await command(stage, { comment: 1 }, detached)
    stage.now += 3_600_000
    stage.platform.endJobs()
    await settleOn(stage)
    const since = stage.now
    stage.github.lag = () => Math.min(10_000, stage.now - since + 5_000)
    const { result } = await command(stage, { comment: 1 }, { ...rerun, ...detached })
    expect(result).toMatchObject({ outcome: 'pull-request', problem: { kind: 'reported' } })
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })

  it('a re-run after a change of key sends nothing, and the next command makes its own job', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    const sign = signWith('mint_another_key')
    const { result } = await command(stage, { comment: 1 }, { ...rerun, sign })
    expect(result).toMatchObject({ outcome: 'unconfirmed', problem: { kind: 'gave-up', why: 'key-changed' } })
    stage.now += 600_000
    await command(stage, { comment: 2 }, { sign })
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_2: request 2'])
  })
})

describe('what the agent gets', () => {
  const head = 'a'.repeat(40)
  const patch = '@@ -0,0 +1 @@\n+flag'
  const withDiff = (calls = new Calls()): StepOptions => ({
    inputs: { 'context-diff': 'true', 'context-paths': 'src/**' },
    calls,
  })
  function stageWith(path = 'src/a.ts'): Stage {
    const stage = new Stage()
    stage.github.details[12] = aPull(12, head)
    stage.github.files = [{ ...aFile(path, patch), status: 'added' }]
    return stage
  }
  const body = 'a'.repeat(contextLimit - 10)

  type Row = [title: string, asked: Command, says: string[], options?: () => StepOptions]
  it.each<Row>([
    ['the diff at one commit', onPull, ['+flag', `pull request #12, at ${head.slice(0, 10)}`]],
    ['that the diff is over the limit', { ...onPull, body }, ['over the context limit of 256 KiB']],
    ['only the thread on an issue', { comment: 1 }, []],
    ['only the thread with `context-diff: false`', onPull, [], () => ({})],
  ])('a prompt shows %s', async (_, asked, says, options = () => withDiff()) => {
    const stage = stageWith()
    const { result, calls } = await command(stage, asked, options())
    const { text = '', leftOut = [] } = result?.prompt ?? {}
    for (const each of says) expect(`${text}${leftOut[0]?.why}`).toContain(each)
    if (says.length === 0)
      expect(calls.made.slice(0, calls.made.indexOf('send'))).not.toContain('changedFiles')
    if (says[0] !== '+flag') return
    expect(result?.prompt).toMatchObject({ commit: head, included: ['src/a.ts'] })
    // The step does not check for loops, because people can ask about the agent's pull request.
    expect(calls.made).not.toContain('pullsOf')
  })

  it.each<[name: string, asked: Command]>([
    ['pull', onPull],
    ['changedFiles', onPull],
    ['reviewComments', review],
  ])('a command sends nothing if GitHub rejects `%s`', async (failing, asked) => {
    const stage = stageWith()
    const { result } = await command(stage, asked, withDiff(Calls.where(rejected, failing)))
    expect([result?.outcome, stage.platform.sends]).toEqual(['error', []])
  })

  it.each([
    ['test/a.ts', 'skipped', 0],
    ['src/yarn.lock', 'pull-request', 1],
  ])('a label starts nothing if context-paths matches no file: %s', async (path, outcome, sends) => {
    const stage = stageWith(path)
    const { result } = await label(stage, { ...withDiff(), thread: pullThread(12) })
    expect([result?.outcome, stage.platform.sends.length]).toEqual([outcome, sends])
  })

  it('after its wait, a re-run names the commit whose diff it reads', async () => {
    const stage = stageWith()
    const newer = 'c'.repeat(40)
    await command(stage, onPull, { ...withDiff(Calls.where(rejected, 'render')), hasPost: false })
    const { result } = await command(stage, onPull, {
      ...withDiff(),
      ...rerun,
      ports: ({ clock }) => ({
        clock: {
          ...clock,
          async sleep(...wait) {
            stage.github.details[12] = aPull(12, newer)
            await clock.sleep(...wait)
          },
        },
      }),
    })
    expect(result?.prompt?.commit).toBe(newer)
    expect(result?.prompt?.text).toContain(`pull request #12, at ${newer.slice(0, 10)}`)
  })

  it('a command runs without a diff if `context-paths` matches no file, and the log says so', async () => {
    const { result, progress } = await command(stageWith('test/a.ts'), onPull, withDiff())
    expect([result?.outcome, result?.prompt?.included]).toEqual(['pull-request', []])
    expect(progress.map(({ text }) => text).join()).toContain(
      'The prompt gets no diff: context-paths (src/**)',
    )
  })

  it('a command does not ask GitHub to render text that is empty', async () => {
    const { calls } = await command(new Stage(), { comment: 1, body: ' \n' })
    expect(calls.made).not.toContain('render')
  })

  it('a review sends its line comments after its thread and before the diff, and is recorded under its own id', async () => {
    const stage = stageWith()
    const location = { path: 'src/a.ts', line: 1, hunk: patch }
    const line = (body: string, updatedAt = start) => ({ author: 'mona', body, location, updatedAt })
    stage.github.lineComments[12] = [
      line('Edited later.', start + 1),
      line('b'.repeat(300)),
      line('c'.repeat(300)),
    ]
    const asked = { ...review, body: 'a'.repeat(contextLimit - 420) }
    const { text = '', leftOut } = (await command(stage, asked, withDiff())).result?.prompt ?? {}
    expect(
      ['a'.repeat(300), 'b'.repeat(300), 'c'.repeat(300), 'Edited later.'].map((each) => text.includes(each)),
    ).toEqual([true, true, false, false])
    expect(leftOut?.map(({ path }) => path)).toContain('a comment on src/a.ts')
    expect([stage.github.reactions, stage.github.said(review.thread)]).toEqual([
      [],
      ['result: pull-request job_1'],
    ])
    // A comment with the same id is a separate request. A re-run repeats the review's result.
    await command(stage, { ...onPull, comment: 5 })
    await command(stage, review, rerun)
    expect(stage.platform.sends).toEqual(['job_1: do what I wrote below', 'job_1 + request 5'])
  })
})
