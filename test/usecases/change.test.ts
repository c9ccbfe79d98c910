import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { type AgentInputs, parseInputs } from '../../src/core/inputs/inputs.ts'
import { type DocumentedChange, writeMarker } from '../../src/core/marker.ts'
import type { Progress } from '../../src/core/progress.ts'
import type { Thread } from '../../src/core/thread.ts'
import { threadName } from '../../src/core/thread.ts'
import { type ChangePorts, prepareChange } from '../../src/usecases/change.ts'
import { tellPullRequests } from '../../src/usecases/comments.ts'
import type { PullRequest, ThreadComment } from '../../src/usecases/ports.ts'
import { aJob } from '../core/samples.ts'
import { aResult } from '../render/samples.ts'
import { answer, start } from './world.ts'

const sign = signWith('mint_0123456789')
const refused = { ok: false, refusal: { status: 403, message: 'no' } } as const

const threadOf = (name: string): Thread => {
  const [repository = '', number] = name.split('#')
  return { repository, number: Number(number), isPullRequest: true, reviewRoot: null }
}
const marker = (thread: string, job: string, changes: DocumentedChange[] = [], comment = 0) =>
  writeMarker({ thread, comment, job, changes }, sign)
const change = (number: number | null, head = 'a'): DocumentedChange => {
  return { repository: 'acme/app', head: head.repeat(40), number, author: 'mona' }
}
const resultAt = (prLink: string) =>
  aResult({ outcome: 'pull-request', jobId: 'job_1', job: aJob({ prLink }) })
const documented = 'https://github.com/acme/docs/pull/7'

interface Setting {
  /** What stands on the threads; those that are not listed can't be read. */
  threads?: Record<string, string[]>
  open?: PullRequest[]
  /** What the platform says of each job; 404 of others. */
  jobs?: Record<string, string>
}

/** GitHub's threads, whose comments have their place as their id. */
function world({ threads = {}, open = [], jobs = {} }: Setting = {}) {
  const writes: string[] = []
  const progress: Progress[] = []
  const none = async () => ({ ok: true, value: null }) as const
  const at = (thread: Thread) => threads[threadName(thread)]
  const ports: ChangePorts = {
    http: {
      async exchange({ path }) {
        const id = path.split('/').at(-1) ?? ''
        return jobs[id] === undefined ? answer(404) : answer(200, { id, status: jobs[id] })
      },
    },
    clock: { now: () => 0, date: () => start, sleep: async () => {} },
    deadline: 60_000,
    random: () => 0.5,
    cancelled: new AbortController().signal,
    onProgress: (seen) => void progress.push(seen),
    matches: posix.matchesGlob,
    sign,
    serverUrl: 'https://github.com',
    notes: {
      announcement: (changes) => changes.map(({ head }) => head.slice(0, 2)).join(),
      documentation: (prLink) => `See ${prLink}`,
    },
    github: {
      role: none,
      react: async () => refused,
      async comments(thread) {
        const bodies = at(thread)
        return bodies === undefined
          ? refused
          : { ok: true, value: bodies.map((body, id): ThreadComment => ({ id, body })) }
      },
      async reply(thread, body) {
        writes.push(`${threadName(thread)}: ${body.split('\n')[0]}`)
        return { ok: true, value: (at(thread)?.push(body) ?? 0) - 1 }
      },
      async edit(thread, id, body) {
        writes.push(`${threadName(thread)} ${id}: ${body.split('\n')[0]}`)
        at(thread)?.splice(id, 1, body)
        return { ok: true, value: undefined }
      },
      changedFiles: async () => refused,
      file: none,
      pullsOf: async () => refused,
      openPulls: async () => ({ ok: true, value: open }),
    },
  }
  return { ports, writes, progress }
}

function inputsFor(more: Record<string, string>): AgentInputs {
  const given = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'Do', 'github-token': 'x' }
  const parsed = parseInputs({ ...given, ...more }, { isComment: false, now: start })
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  return parsed.inputs
}

describe('the pull requests are told', () => {
  it('in two repositories, of each other, and nothing twice', async () => {
    const { ports, writes } = world({ threads: { 'acme/docs#7': [], 'acme/app#12': [] } })
    for (const _ of [1, 2]) await tellPullRequests(resultAt(documented), change(12), ports)
    expect(writes).toEqual(['acme/docs#7: aa', `acme/app#12: See ${documented}`])
  })

  it('where the docs moved to, in the comment that is there', async () => {
    const threads = { 'acme/docs#7': [], 'acme/docs#8': [], 'acme/app#12': ['Nice!'] }
    const { ports, writes } = world({ threads })
    await tellPullRequests(resultAt(documented), change(12), ports)
    const moved = documented.replace('7', '8')
    await tellPullRequests(resultAt(moved), change(12), ports)
    expect(writes.slice(1)).toEqual([
      `acme/app#12: See ${documented}`,
      'acme/docs#8: aa',
      `acme/app#12 1: See ${moved}`,
    ])
  })

  it.each<[string, string[], string[]]>([
    ['a first one', [], ['acme/docs#7: bb']],
    [
      'a further one, in the same comment',
      [marker('acme/docs#7', 'job_1', [change(1)])],
      ['acme/docs#7 0: aa,bb'],
    ],
    ['one that is known, not again', [marker('acme/docs#7', 'job_1', [change(null, 'b')])], []],
    [
      'the latest twenty',
      [
        marker(
          'acme/docs#7',
          'job_1',
          Array.from({ length: 20 }, (_, index) => change(index, 'c')),
        ),
      ],
      [`acme/docs#7 0: ${'cc,'.repeat(19)}bb`],
    ],
    [
      'in its own comment, not in the reply to a command',
      [marker('acme/docs#7', 'job_1', [change(1)]), marker('acme/docs#7', 'job_1', [], 400)],
      ['acme/docs#7 0: aa,bb'],
    ],
    [
      'in its own comment, not in a copy of it',
      [marker('acme/docs#7', 'job_1', [change(1)]), `Mine! ${marker('acme/docs#7', 'job_1')}`],
      ['acme/docs#7 0: aa,bb'],
    ],
    ['beside the reply to a command', [marker('acme/docs#7', 'job_1', [], 400)], ['acme/docs#7: bb']],
    ['beside that of another job', [marker('acme/docs#7', 'job_9', [change(1)])], ['acme/docs#7: bb']],
    ['beside one from elsewhere', [marker('acme/docs#8', 'job_1', [change(1)])], ['acme/docs#7: bb']],
  ])('of a change: %s', async (_, bodies, expected) => {
    const { ports, writes, progress } = world({ threads: { 'acme/docs#7': bodies } })
    await tellPullRequests(resultAt(documented), change(null, 'b'), ports)
    expect([writes, progress]).toEqual([expected, []])
  })

  it.each([
    ['acme/app#12', 'acme/docs#7', [`acme/app#12: See ${documented}`]],
    ['acme/docs#7', 'acme/app#12', ['acme/docs#7: aa']],
  ])(
    'on %s, where %s can’t be read: that costs a warning, and no second comment',
    async (one, other, told) => {
      const { ports, writes, progress } = world({ threads: { [one]: [] } })
      await tellPullRequests(resultAt(documented), change(12), ports)
      expect(writes).toEqual(told)
      const thread = threadOf(other)
      expect(progress).toEqual([{ type: 'thread-failed', act: 'read', thread, refusal: refused.refusal }])
    },
  )
})

describe('at open-limit, follow-up goes', () => {
  const pull = (number: number, author = 'mintlify[bot]'): PullRequest => {
    return {
      number,
      author,
      url: `https://github.com/acme/app/pull/${number}`,
      isMerged: false,
      mergeCommit: null,
    }
  }
  const threads = {
    'acme/app#9': [marker('acme/app#9', 'job_9')],
    'acme/app#8': [marker('acme/app#8', 'job_8')],
    'acme/app#7': ['Thanks!'],
  }
  const open = [pull(9), pull(8), pull(7)]
  const full = { kind: 'ended', outcome: 'skipped', problem: { type: 'open-limit', jobless: true } }

  it.each<[string, Setting, object]>([
    ['to the newest’s job', { threads, open, jobs: { job_9: 'completed' } }, { inputs: { jobId: 'job_9' } }],
    ['to one at work', { threads, open, jobs: { job_9: 'active' } }, { inputs: { jobId: 'job_9' } }],
    [
      'past one that is over',
      { threads, open, jobs: { job_9: 'failed', job_8: 'active' } },
      { inputs: { jobId: 'job_8' } },
    ],
    [
      'past one that is gone',
      { threads, open, jobs: { job_8: 'completed' } },
      { inputs: { jobId: 'job_8' } },
    ],
    ['nowhere, where none goes on', { threads, open }, full],
    ['nowhere, where none has a note', { threads, open: [pull(7)] }, full],
    [
      'nowhere, where a thread can’t be read',
      { open },
      { outcome: 'error', problem: { type: 'change-unread' } },
    ],
    [
      'to a new job below it',
      { threads, open: [pull(9, 'mona'), pull(8, 'ann')] },
      { inputs: { jobId: '' } },
    ],
  ])('%s', async (_, setting, expected) => {
    const { ports, writes } = world(setting)
    const inputs = inputsFor({ 'open-limit': '1', 'on-open-limit': 'follow-up' })
    expect(await prepareChange(inputs, null, 'schedule', 'acme/app', ports)).toMatchObject(expected)
    expect(writes).toEqual([])
  })

  it('nowhere else than to a job that the step names', async () => {
    const { ports } = world({ threads, open })
    const inputs = inputsFor({ 'open-limit': '1', 'job-id': 'job_5' })
    const prepared = await prepareChange(inputs, null, 'schedule', 'acme/app', ports)
    expect(prepared).toMatchObject({ kind: 'go', inputs: { jobId: 'job_5' } })
  })
})
