/** Which job a request goes to. Each row lists what happens, what is sent to each job, and how the last step ends. */
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { fingerprint, stepName } from '../../src/core/mark.ts'
import { nameOf } from '../../src/core/thread.ts'
import { writeComment } from '../../src/record/format.ts'
import { say } from '../../src/say/messages.ts'
import { rowsOf } from '../core/samples.ts'
import type { StoredPull } from '../github.ts'
import { aboutCommand, stated } from '../record/samples.ts'
import { Calls, rejected } from '../run/github.ts'
import { key } from '../run/mintlify.ts'
import {
  aChange,
  agentsPull,
  aPull,
  command,
  event,
  issue,
  linkOf,
  pullThread,
  Stage,
  type StepOptions,
  type StepRun,
  theRun,
} from '../run/step.ts'
import { answer, start } from '../run/world.ts'

type Settings = Record<string, string>

const denied = { kind: 'permission', status: 200, detail: 'no' } as const

/** The options of a step: inputs, `another` part of the step's name, the key, and the calls that GitHub rejects. */
function optionsOf({ another, sign, rejects, denies, ...inputs }: Settings): StepOptions {
  return {
    inputs,
    ...(another && { step: { [another]: '5' } }),
    ...(sign && { sign: signWith(sign) }),
    ...(rejects && { calls: Calls.where(rejected, rejects) }),
    ...(denies && { calls: Calls.where(denied, denies) }),
  }
}

const push = (stage: Stage, head: string, settings: Settings) =>
  event(stage, aChange(head), { run: `${Number.parseInt(head, 16)}`, ...optionsOf(settings) })

/** What happens in a story, by the first word of each part. */
const acts: Record<string, (stage: Stage, words: string[], settings: Settings) => unknown> = {
  /** On the issue, or on a pull request, which the agent opened unless `by` names someone else. */
  command(stage, [comment], { on, by = on ? 'mintlify[bot]' : 'mona', root, ...settings }) {
    const thread = on ? { ...pullThread(Number(on)), reviewRoot: root ? Number(root) : null } : issue
    return command(stage, { comment: Number(comment), thread, openedBy: by }, optionsOf(settings))
  },
  push: (stage, [head = 'aaaa'], settings) => push(stage, head, settings),
  /** A push at the limit of open pull requests. */
  limited: (stage, _, settings) => push(stage, 'bbbb', { 'open-limit': '1', ...settings }),
  /** Opens the agent's pull requests, newest first. */
  open: ({ github }, numbers) => {
    github.pulls = numbers.map((number) => agentsPull(Number(number)))
  },
  ends: ({ platform }, statuses) => {
    platform.ends = statuses
  },
  responds: ({ platform }, [status]) => {
    platform.next = answer(Number(status))
  },
  pull: ({ github }, [state]) => {
    github.details[101] = agentsPull(101, state as StoredPull['state'])
  },
  /** Ends a job whose step does not wait for it. */
  end: ({ platform }, [id = '', number = '101', status = 'completed']) =>
    Object.assign(platform.jobs.get(id) ?? {}, {
      status,
      prLink: number === 'without' ? null : linkOf(Number(number)),
      activeReads: 0,
    }),
  forget: ({ github }, [what]) => (what === 'comments' ? github.comments : github.statuses).splice(0),
  lose: ({ platform }) => platform.jobs.clear(),
  /** Lets one poll of the next step get a 404. */
  miss({ platform }, [poll]) {
    let polls = 0
    platform.read = () => (++polls === Number(poll) ? answer(404) : undefined)
  },
  report: ({ github }, [number]) =>
    github.add(number ? pullThread(Number(number)) : issue, '# Report\n\n<!-- docs-agent-report:W10=:x -->'),
  mona: ({ github }) => {
    github.pulls = [aPull(101)]
  },
  eve: ({ github }) => github.statuses.map((status) => Object.assign(status, { author: 'eve' })),
  /** A command on the code's pull request. */
  hold(stage) {
    stage.github.details[12] = aPull(12)
    return acts.command?.(stage, ['9'], { on: '12', by: 'mona', hold: 'merge' })
  },
}

/** Plays a story, and returns what its last step did. */
async function play(story: string, stage = new Stage()) {
  let last: Partial<StepRun> = {}
  for (const part of story.split(', ')) {
    const [verb = '', ...words] = part.split(' ')
    const settings = Object.fromEntries(
      words.flatMap((word) => (word.includes('=') ? [word.split('=')] : [])),
    )
    const done = await acts[verb]?.(
      stage,
      words.filter((word) => !word.includes('=')),
      settings,
    )
    if (typeof done === 'object' && done !== null && 'calls' in done) last = done as StepRun
  }
  const { result, calls, progress = [] } = last
  return { stage, result, made: calls?.made ?? [], texts: progress.map(({ text }) => text) }
}

describe('a request goes to the right job', () => {
  const rows = rowsOf(`
    a second command on a thread | command 1, command 2 | job_1: 1, job_1 + 2
    a second command after a timeout | ends active, command 1 timeout=1m, command 2 timeout=1m | job_1: 1, job_1 + 2 | timed-out
    a second command after wait: false | command 1 wait=false, command 2 | job_1: 1, job_1 + 2
    a command with another step | command 1, command 2 another=step | job_1: 1, job_2: 2
    a command with another workflow | command 1, command 2 another=workflow | job_1: 1, job_2: 2
    a command with another job of the workflow | command 1, command 2 another=job | job_1: 1, job_2: 2
    a command with another matrix leg | command 1, command 2 another=matrixIndex | job_1: 1, job_2: 2
    a command for another project | command 1, command 2 project-id=other | job_1: 1, job_2: 2
    a command with job-id | command 1, push aaaa, command 2 job-id=job_2 | job_1: 1, job_2: Do, job_2 + 2
    a command after a failed job | ends failed completed, command 1, command 2 | job_1: 1, job_2: 2
    a command after its pull request was merged | command 1, pull merged, command 2 on=101 | job_1: 1, job_2: 2
    a command after its pull request was closed | command 1, pull closed, command 2 on=101 | job_1: 1, job_2: 2
    a follow-up that Mintlify rejects because of the key | command 1, responds 401, command 2 | job_1: 1 | error
    a follow-up to job-id that Mintlify rejects | command 1, responds 409, command 2 job-id=job_1 | job_1: 1 | error
    a follow-up that Mintlify rejects, to a job without a pull request | command 1 wait=false, responds 409, command 2 | job_1: 1, job_2: 2
    a command on a pull request on which anyone copied the mark of a report | push, report 101, command 2 on=101 | job_1: Do, job_1 + 2
    commands on the issue of a report | report, command 1, command 2 | job_1: 1, job_2: 2
    a command on the pull request of a push | push, command 2 on=101 | job_1: Do, job_1 + 2
    a command on the pull request of a detached command | command 1 wait=false, end job_1, command 2 on=101 | job_1: 1, job_1 + 2
    a command on the pull request of a detached push | push aaaa wait=false, end job_1, command 2 on=101 | job_1: Do, job_1 + 2
    a command in a review thread | command 1, command 2 on=101 root=33 | job_1: 1, job_1 + 2
    a command on a person's pull request with the same link | command 1 wait=false, end job_1, command 2 on=101 by=mona | job_1: 1, job_2: 2
    a command on an issue by the agent | command 1 on=8 by=mona wait=false, end job_1, command 2 by=mintlify[bot] | job_1: 1, job_2: 2
    a command without access to statuses | command 2 on=101 denies=recentStatuses | job_1: 2
    a command whose job may be in comments that cannot be read | command 2 on=101 rejects=recentComments | | error
    a push below the limit | push, open 101, limited open-limit=2 | job_1: Do, job_2: Do
    a push at the limit, by a comment | push, open 101, forget statuses, limited | job_1: Do, job_1 + Do
    a push at the limit, by a status | push, open 101, forget comments, limited | job_1: Do, job_1 + Do
    a push at the limit, after a detached push | push aaaa wait=false, open 101, forget comments, end job_1, limited | job_1: Do, job_1 + Do
    a push at the limit, after a detached command | command 1 wait=false, end job_1, open 101, limited | job_1: 1, job_1 + Do
    a push beside Mintlify's own pull request | push, open 100 101, limited | job_1: Do, job_1 + Do
    a push beside other people's pull requests | push, mona, limited | job_1: Do, job_2: Do
    a push beside pull requests of Mintlify's automations | push, open 103 102, limited | job_1: Do, job_2: Do
    a push with job-id at the limit | push, open 101, limited job-id=job_1 | job_1: Do, job_1 + Do
    a push at the limit if the newest job is over | push, push cccc, open 102 101, ends completed archived, end job_2 without archived, limited | job_1: Do, job_1 + Do, job_2: Do
    a push at the limit if the only job failed | push, open 101, ends failed, limited | job_1: Do | full
    a push at the limit if the only job is gone | push, open 101, lose, limited | | full
    a push at the limit if a poll does not find the job | push, open 101, miss 1, limited | job_1: Do, job_1 + Do
    a push at the limit if the last poll before the send does not find the job | push, open 101, miss 2, limited | job_1: Do, job_1 + Do
    a push at the limit if the pull request was merged | push, open 101, pull merged, limited | job_1: Do | full
    a push at the limit if the only pull request is held | push, open 101, hold, open 102, limited | job_1: Do, job_2: 9 | full
    a push at the limit if the newest pull request is held | push, open 101, hold, open 102 101, limited | job_1: Do, job_1 + Do, job_2: 9
    a push at the limit if GitHub rejects openPulls | push, open 101, limited rejects=openPulls | job_1: Do | error
    a push at the limit if GitHub rejects comments | push, open 101, limited rejects=comments | job_1: Do | error
    a push at the limit if GitHub rejects statuses | push, open 101, forget comments, limited rejects=recentStatuses | job_1: Do | error
    a push at the limit beside another account's status | push, open 101, forget comments, eve, limited | job_1: Do, job_2: Do
    a push at the limit beside another key's status | push aaaa sign=mint_another_key, open 101, forget comments, limited | job_1: Do, job_2: Do
  `)
  const replaced = `An earlier request here has an open pull request, ${linkOf(101)}. Do not repeat or undo its changes.`
  it.each([
    ...rows,
    ...[400, 404, 409, 410].map((status) => [
      `a follow-up that Mintlify rejects with ${status}`,
      `command 1, responds ${status}, command 2`,
      `job_1: 1, job_2: ${replaced}`,
    ]),
  ])('%s: “%s” sends “%s”', async (_, story = '', sent, outcome = 'pull-request') => {
    const { stage, result } = await play(story)
    const end = result?.problem?.kind === 'open-limit' ? 'full' : result?.outcome
    const sends = stage.platform.sends.map((each) => each.replace(/request (?=\d)/, ''))
    expect([sends.join(', '), end]).toEqual([sent, outcome])
  })

  it.each([
    ['replaced', 'ends failed completed, command 1, command 2', issue],
    ['replaced', 'command 1, pull merged, command 2 on=101', pullThread(101)],
    ['unclear', 'responds 500, command 1, command 2', issue],
  ])('people read why there is a new job: %s', async (choice, story, thread) => {
    const { stage } = await play(story)
    expect(stage.github.seen[nameOf(thread)]).toContain(`~ working (${choice})`)
  })

  it('a command polls at most five jobs, and lists are only read for a command on the agent’s pull request', async () => {
    const numbers = [1, 2, 3, 4, 5, 6, 7]
    const story = numbers.map((number) => `command ${number} on=${number + 20} by=mona wait=false`)
    const ends = numbers.map((number) => `end job_${number} ${number === 2 ? 101 : 'without'}`)
    const { stage, made } = await play([...story, ...ends, 'command 9 on=101'].join(', '))
    expect(made.slice(0, made.indexOf('send')).filter((call) => call.startsWith('read job'))).toHaveLength(5)
    expect(stage.platform.jobs.size).toBe(8)
    for (const other of ['10 on=20 by=mona', '11 by=mintlify[bot]', '12 on=101'])
      expect((await play(`command ${other}`, stage)).made.join()).not.toContain('recent')
  })

  it.each([
    'push, open 101, ends failed, limited',
    'push, push cccc, open 102 101, ends completed archived, end job_2 without archived, limited',
  ])('a push at the limit does not say that it starts a job: “%s”', async (story) => {
    const { texts } = await play(story)
    expect(texts.join()).not.toContain('Starting a new one')
  })

  it('a push at the limit starts no job if a link with an earlier name of the repository cannot be read', async () => {
    const { stage } = await play('push, open 101, forget comments')
    const again = (run: string, calls: Calls) =>
      event(stage, aChange('bbbb'), {
        run,
        inputs: { 'open-limit': '1' },
        calls,
        ports: (usual) => ({ run: { ...usual.run, repository: 'acme/new-docs' } }),
      })
    const { result } = await again('8', Calls.where(rejected, 'pull'))
    expect([result?.outcome, stage.platform.sends]).toEqual(['error', ['job_1: Do']])
    await again('9', new Calls())
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + Do'])
  })

  it('a link that cannot be read for one pull request does not make the step fail at another', async () => {
    const { stage } = await play('push, open 101, limited, forget comments, open 101 100')
    let isRejected = false
    const calls = new Calls((_, name) => {
      if (name !== 'pull' || isRejected) return undefined
      isRejected = true
      return rejected
    })
    const { result } = await event(stage, aChange('cccc'), {
      run: '8',
      inputs: { 'open-limit': '1' },
      calls,
      ports: (usual) => ({ run: { ...usual.run, repository: 'acme/new-docs' } }),
    })
    expect([isRejected, result?.outcome, stage.platform.sends.length]).toEqual([true, 'pull-request', 3])
  })

  it('a push at the limit finds the newest job, although five earlier ones have no link either', async () => {
    const before = [1, 2, 3, 4, 5].map((number) => `command ${number} on=${number + 20} by=mona wait=false`)
    const story = [...before, 'push aaaa wait=false', 'end job_6 106', 'open 106', 'limited'].join(', ')
    expect((await play(story)).stage.platform.sends.slice(5)).toEqual(['job_6: Do', 'job_6 + Do'])
  })

  it('a push at the limit reads the records once', async () => {
    const { made } = await play('open 103 102 101, limited')
    expect(made.filter((call) => call.startsWith('recent'))).toHaveLength(3)
  })
})

describe('an earlier command', () => {
  /** Adds the record of an earlier command, from `age` milliseconds ago. Returns its id. */
  function plant(stage: Stage, age: number, step = stepName(theRun.step)) {
    const entry = { ...stated('open', { until: start }), ...aboutCommand, step, project: fingerprint('docs') }
    stage.now += age
    return stage.github.add(issue, writeComment('planted', entry, issue, signWith(key)))
  }

  const tooShort = { inputs: { timeout: '1m' } }
  it.each<[title: string, age: number, step: string | undefined, waits: boolean, StepOptions?]>([
    ['waits 90 s for one that is about to be sent', 0, undefined, true],
    ['waits until its own deadline', 0, undefined, true, tooShort],
    ['does not wait after a cancel', 0, undefined, false, { cancelled: AbortSignal.abort() }],
    ['does not wait for one from ten minutes ago', 600_000, undefined, false],
    ['does not wait for one of another step', 0, 'other', false],
  ])('a command %s, and deletes no open record', async (_, age, step, waits, options) => {
    const stage = new Stage()
    const planted = [plant(stage, age, step), plant(stage, 0, step)]
    const before = stage.now
    const { progress } = await command(stage, { comment: 2 }, options)
    const texts = progress.map(({ text }) => text)
    expect(texts.includes(say.waitingForEarlier().text)).toBe(waits)
    expect(stage.now - before > 90_000).toBe(waits && options === undefined)
    expect(stage.platform.sends).toEqual(options ? [] : ['job_1: request 2'])
    expect(stage.github.seen[nameOf(issue)]?.includes('~ working (unclear)')).toBe(
      step === undefined && options === undefined,
    )
    expect(stage.github.comments.map(({ id }) => id)).toEqual(expect.arrayContaining(planted))
  })

  it('a command on the issue of a report does not wait for an earlier one, because it is unrelated', async () => {
    const { stage } = await play('report')
    plant(stage, 0)
    const { progress } = await command(stage, { comment: 2 })
    expect(progress.map(({ text }) => text)).not.toContain(say.waitingForEarlier().text)
    expect(stage.github.seen[nameOf(issue)]?.includes('~ working (own)')).toBe(true)
  })

  it('two simultaneous commands make one job, and the later one becomes a follow-up', async () => {
    for (let delay = 0; delay < 30; delay++) {
      const stage = new Stage()
      const later = async () => {
        for (let turn = 0; turn < delay; turn++) await Promise.resolve()
        await command(stage, { comment: 2 }, { run: '2' })
      }
      await Promise.all([command(stage, { comment: 1 }), later()])
      expect([stage.platform.jobs.size, stage.platform.sends.length]).toEqual([1, 2])
    }
  })
})
