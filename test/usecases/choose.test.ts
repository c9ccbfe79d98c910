/** Which job a request goes to. Each row lists what happens, what is sent to each job, and how the last step ends. */
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { projectName, stepName } from '../../src/core/mark.ts'
import { threadName } from '../../src/core/thread.ts'
import { writeComment } from '../../src/life/format.ts'
import { say } from '../../src/say/messages.ts'
import type { StoredPull } from '../github.ts'
import { Calls, rejected } from './github.ts'
import * as steps from './step.ts'
import {
  agentsPull,
  aPull,
  issue,
  key,
  linkOf,
  pullThread,
  Stage,
  type StepOptions,
  type StepRun,
} from './step.ts'
import { answer, start } from './world.ts'

type Act = (stage: Stage) => Promise<StepRun> | unknown
type Inputs = Record<string, string>
type Row = [title: string, acts: Act[], sent: string, outcome?: string]

const detached = { wait: 'false' }
/** A command on the agent's pull request 101. */
const onPull = { thread: pullThread(101), openedBy: 'mintlify[bot]' }

const command =
  (
    comment: number,
    asked: Partial<steps.Command> = {},
    inputs: Inputs = {},
    options: StepOptions = {},
  ): Act =>
  (stage) =>
    steps.command(stage, { comment, ...asked }, { inputs, ...options })
const push =
  (head: string, inputs: Inputs = {}, options: StepOptions = {}): Act =>
  (stage) =>
    steps.event(stage, steps.aChange(head), { run: `${Number.parseInt(head, 16)}`, inputs, ...options })
/** A push at the limit of open pull requests, which are these (newest first) unless earlier acts set them. */
const limited =
  (inputs: Inputs = {}, options: StepOptions = {}): Act =>
  (stage) =>
    push('bbbb', { 'open-limit': '1', ...inputs }, options)(stage)
const open =
  (...numbers: number[]): Act =>
  ({ github }) =>
    Object.assign(github, { pulls: numbers.map((number) => agentsPull(number)) })
const rejecting = (...names: string[]) => ({ calls: Calls.where(rejected, ...names) })
const ends =
  (...statuses: string[]): Act =>
  ({ platform }) =>
    Object.assign(platform, { ends: statuses })
const responds =
  (status: number): Act =>
  ({ platform }) =>
    Object.assign(platform, { next: answer(status) })
const changes =
  (state: StoredPull['state']): Act =>
  ({ github }) =>
    Object.assign(github.details, { 101: agentsPull(101, state) })
/** Ends a job whose step does not wait for it. */
const end =
  (id: string, prLink: string | null = linkOf(101)): Act =>
  ({ platform }) =>
    Object.assign(platform.jobs.get(id) ?? {}, { status: 'completed', prLink, activeReads: 0 })
const forgetComments: Act = ({ github }) => github.comments.splice(0)
const forgetStatuses: Act = ({ github }) => github.statuses.splice(0)

async function act(acts: readonly Act[], stage = new Stage()) {
  let last: StepRun | undefined
  for (const each of acts) {
    const done = await each(stage)
    if (typeof done === 'object' && done !== null && 'calls' in done) last = done as StepRun
  }
  const { result, calls, progress } = last ?? {}
  return { stage, result, made: calls?.made ?? [], texts: (progress ?? []).map(({ text }) => text) }
}

const opened = [push('aaaa'), open(101)]

describe('a request goes to the right job', () => {
  const first = [command(1)]
  const rows: Row[] = [
    ['a second command on a thread', [...first, command(2)], 'job_1: request 1, job_1 + request 2'],
    [
      'a second command after a timeout',
      [ends('active'), command(1, {}, { timeout: '1m' }), command(2, {}, { timeout: '1m' })],
      'job_1: request 1, job_1 + request 2',
      'timed-out',
    ],
    [
      'a second command after wait: false',
      [command(1, {}, detached), command(2)],
      'job_1: request 1, job_1 + request 2',
    ],
    ...(['step', 'workflow', 'matrixIndex'] as const).map(
      (name): Row => [
        `a command with another ${name}`,
        [...first, command(2, {}, {}, { step: { [name]: '5' } })],
        'job_1: request 1, job_2: request 2',
      ],
    ),
    [
      'a command for another project',
      [...first, command(2, {}, { 'project-id': 'other' })],
      'job_1: request 1, job_2: request 2',
    ],
    [
      'a command with job-id',
      [...first, push('aaaa'), command(2, {}, { 'job-id': 'job_2' })],
      'job_1: request 1, job_2: Do, job_2 + request 2',
    ],
    [
      'a command after a failed job',
      [ends('failed', 'completed'), ...first, command(2)],
      'job_1: request 1, job_2: request 2',
    ],
    ...(['merged', 'closed'] as const).map(
      (state): Row => [
        `a command after its pull request was ${state}`,
        [...first, changes(state), command(2, onPull)],
        'job_1: request 1, job_2: request 2',
      ],
    ),
    ...[400, 404, 409, 410].map(
      (status): Row => [
        `a follow-up that Mintlify rejects with ${status}`,
        [...first, responds(status), command(2)],
        `job_1: request 1, job_2: An earlier request here has an open pull request, ${linkOf(101)}. Do not repeat or undo its changes.`,
      ],
    ),
    [
      'a follow-up that Mintlify rejects because of the key',
      [...first, responds(401), command(2)],
      'job_1: request 1',
      'error',
    ],
    [
      'a follow-up to job-id that Mintlify rejects',
      [...first, responds(409), command(2, {}, { 'job-id': 'job_1' })],
      'job_1: request 1',
      'error',
    ],
    [
      'commands on the issue of a report',
      [
        ({ github }) => github.add(issue, '# Report\n\n<!-- docs-agent-report:2:W10=:x -->'),
        ...first,
        command(2),
      ],
      'job_1: request 1, job_2: request 2',
    ],
    [
      'a command on the pull request of a push',
      [push('aaaa'), command(2, onPull)],
      'job_1: Do, job_1 + request 2',
    ],
    [
      'a command on the pull request of a detached command',
      [command(1, {}, detached), end('job_1'), command(2, onPull)],
      'job_1: request 1, job_1 + request 2',
    ],
    [
      'a command on the pull request of a detached push',
      [push('aaaa', detached), end('job_1'), command(2, onPull)],
      'job_1: Do, job_1 + request 2',
    ],
    [
      'a command in a review thread',
      [...first, command(2, { ...onPull, thread: { ...pullThread(101), reviewRoot: 33 } })],
      'job_1: request 1, job_1 + request 2',
    ],
    [
      "a command on a person's pull request with the same link",
      [command(1, {}, detached), end('job_1'), command(2, { ...onPull, openedBy: 'mona' })],
      'job_1: request 1, job_2: request 2',
    ],
    [
      'a command on an issue by the agent',
      [
        command(1, { thread: pullThread(8) }, detached),
        end('job_1'),
        command(2, { ...onPull, thread: issue }),
      ],
      'job_1: request 1, job_2: request 2',
    ],
    [
      'a command without access to statuses',
      [
        command(
          2,
          onPull,
          {},
          { calls: Calls.where({ status: 200, message: 'no', kind: 'permission' }, 'recentStatuses') },
        ),
      ],
      'job_1: request 2',
    ],
    [
      'a command whose job may be in comments that cannot be read',
      [command(2, onPull, {}, rejecting('recentComments'))],
      '',
      'error',
    ],
    ['a push below the limit', [...opened, limited({ 'open-limit': '2' })], 'job_1: Do, job_2: Do'],
    ['a push at the limit, by a comment', [...opened, forgetStatuses, limited()], 'job_1: Do, job_1 + Do'],
    ['a push at the limit, by a status', [...opened, forgetComments, limited()], 'job_1: Do, job_1 + Do'],
    [
      'a push at the limit, after a detached push',
      [push('aaaa', detached), open(101), forgetComments, end('job_1'), limited()],
      'job_1: Do, job_1 + Do',
    ],
    [
      'a push at the limit, after a detached command',
      [command(1, {}, detached), end('job_1'), open(101), limited()],
      'job_1: request 1, job_1 + Do',
    ],
    [
      "a push beside Mintlify's own pull request",
      [push('aaaa'), open(100, 101), limited()],
      'job_1: Do, job_1 + Do',
    ],
    [
      "a push beside other people's pull requests",
      [push('aaaa'), ({ github }) => Object.assign(github, { pulls: [aPull(101)] }), limited()],
      'job_1: Do, job_2: Do',
    ],
    [
      "a push beside pull requests of Mintlify's automations",
      [push('aaaa'), open(103, 102), limited()],
      'job_1: Do, job_2: Do',
    ],
    ['a push with job-id at the limit', [...opened, limited({ 'job-id': 'job_1' })], 'job_1: Do, job_1 + Do'],
    [
      'a push at the limit if the newest job is over',
      [
        push('aaaa'),
        push('cccc'),
        open(102, 101),
        end('job_2', null),
        ends('completed', 'archived'),
        ({ platform }) => void Object.assign(platform.jobs.get('job_2') ?? {}, { status: 'archived' }),
        limited(),
      ],
      'job_1: Do, job_1 + Do, job_2: Do',
    ],
    [
      'a push at the limit if the only job failed',
      [...opened, ends('failed'), limited()],
      'job_1: Do',
      'full',
    ],
    [
      'a push at the limit if the only job is gone',
      [...opened, ({ platform }) => platform.jobs.clear(), limited()],
      '',
      'full',
    ],
    [
      'a push at the limit if the pull request was merged',
      [...opened, changes('merged'), limited()],
      'job_1: Do',
      'full',
    ],
    ...[[102], [102, 101]].map((numbers): Row => {
      const held = [
        ...opened,
        ({ github }: Stage) => Object.assign(github.details, { 12: aPull(12) }),
        command(9, { thread: pullThread(12) }, { hold: 'merge' }),
      ]
      return numbers.length === 1
        ? [
            'a push at the limit if the only pull request is held',
            [...held, open(...numbers), limited()],
            'job_1: Do, job_2: request 9',
            'full',
          ]
        : [
            'a push at the limit if the newest pull request is held',
            [...held, open(...numbers), limited()],
            'job_1: Do, job_1 + Do, job_2: request 9',
          ]
    }),
    ...['openPulls', 'comments'].map(
      (name): Row => [
        `a push at the limit if GitHub rejects ${name}`,
        [...opened, limited({}, rejecting(name))],
        'job_1: Do',
        'error',
      ],
    ),
    [
      'a push at the limit if GitHub rejects statuses',
      [...opened, forgetComments, limited({}, rejecting('recentStatuses'))],
      'job_1: Do',
      'error',
    ],
    [
      "a push at the limit beside another account's status",
      [
        ...opened,
        forgetComments,
        ({ github }) => github.statuses.map((status) => Object.assign(status, { creator: 'eve' })),
        limited(),
      ],
      'job_1: Do, job_2: Do',
    ],
    [
      "a push at the limit beside another key's status",
      [push('aaaa', {}, { sign: signWith('mint_another_key') }), open(101), forgetComments, limited()],
      'job_1: Do, job_2: Do',
    ],
  ]
  it.each(rows)('%s', async (_, acts, sent, outcome = 'pull-request') => {
    const { stage, result } = await act(acts)
    const end = result?.problem?.id === 'open-limit' ? 'full' : result?.outcome
    expect([stage.platform.sends.join(', '), end]).toEqual([sent, outcome])
  })

  it.each([
    ['replaced', [ends('failed', 'completed'), ...first, command(2)], issue],
    ['finished', [...first, changes('merged'), command(2, onPull)], pullThread(101)],
  ])('people read why there is a new job: %s', async (choice, acts, thread) => {
    const { stage } = await act(acts)
    expect(stage.github.seen[threadName(thread)]).toContain(`~ working (${choice})`)
  })

  it('a command polls at most five jobs, and lists are only read for a command on the agent’s pull request', async () => {
    const detachedCommands = [1, 2, 3, 4, 5, 6, 7].map((number) =>
      command(number, { thread: pullThread(number) }, detached),
    )
    const { stage } = await act(detachedCommands)
    for (const id of stage.platform.jobs.keys()) await end(id, id === 'job_2' ? linkOf(101) : null)(stage)
    const { made } = await act([command(9, onPull)], stage)
    expect(made.slice(0, made.indexOf('send')).filter((call) => call.startsWith('read job'))).toHaveLength(5)
    expect(stage.platform.jobs.size).toBe(8)
    const other = await act([command(10, { thread: pullThread(20) })], stage)
    expect(other.made.join()).not.toContain('recent')
  })

  it('a push reads the records once for all pull requests', async () => {
    const { made } = await act([open(103, 102, 101), limited()])
    expect(made.filter((call) => call.startsWith('recent'))).toHaveLength(3)
  })

  it('a push at the limit says that the repository has more comments than the step reads', async () => {
    const ports: StepOptions['ports'] = ({ github }) => ({
      github: {
        ...github,
        recentComments: async (...asked) => {
          const read = await github.recentComments(...asked)
          return read.ok ? { ...read, value: { ...read.value, isCut: true } } : read
        },
      },
    })
    const { texts } = await act([...opened, forgetComments, limited({}, { ports })])
    expect(texts).toContain(say.commentsCut('acme/docs').text)
  })
})

describe('an earlier command', () => {
  /** Adds the record of an earlier command, from `age` milliseconds ago. Returns its id. */
  function plant(
    stage: Stage,
    age: number,
    step = stepName({ workflow: 'Docs', job: 'docs', step: '__docs', matrixIndex: '0', project: 'docs' }),
  ) {
    const project = projectName('docs')
    const since = start
    const entry = {
      role: 'request',
      request: 'comment:1',
      step,
      project,
      attempt: 1,
      writer: 'w001',
      state: 'open',
      job: null,
      link: null,
      since,
      until: since,
      isLeft: false,
      by: 'mona',
      code: null,
      globs: null,
    } as const
    stage.now += age
    return stage.github.add(issue, writeComment('planted', entry, issue, signWith(key)))
  }

  it.each<[title: string, age: number, step: string | undefined, waits: boolean, cancelled?: AbortSignal]>([
    ['waits 90 s for one that is about to be sent', 0, undefined, true],
    ['does not wait after a cancel', 0, undefined, false, AbortSignal.abort()],
    ['does not wait for one from ten minutes ago', 600_000, undefined, false],
    ['does not wait for one of another step', 0, 'other', false],
  ])('a command %s, and deletes no open record', async (_, age, step, waits, cancelled) => {
    const stage = new Stage()
    const planted = [plant(stage, age, step), plant(stage, 0, step)]
    const before = stage.now
    await command(2, {}, {}, cancelled && { cancelled })(stage)
    expect(stage.now - before > 90_000).toBe(waits)
    expect(stage.platform.sends).toEqual(cancelled ? [] : ['job_1: request 2'])
    expect(stage.github.seen[threadName(issue)]?.includes('~ working (unclear)')).toBe(
      step === undefined && !cancelled,
    )
    expect(stage.github.comments.map(({ id }) => id)).toEqual(expect.arrayContaining(planted))
  })

  it('two simultaneous commands make one job, and the later one becomes a follow-up', async () => {
    for (let delay = 0; delay < 30; delay++) {
      const stage = new Stage()
      const later = async () => {
        for (let turn = 0; turn < delay; turn++) await Promise.resolve()
        await command(2, {}, {}, { run: '2' })(stage)
      }
      await Promise.all([command(1)(stage), later()])
      expect([stage.platform.jobs.size, stage.platform.sends.length]).toEqual([1, 2])
    }
  })
})
