import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import type { DocumentedChange } from '../../src/core/mark.ts'
import type { AgentResult } from '../../src/core/progress.ts'
import { announce, type Origin, type RequestRef } from '../../src/usecases/pulls.ts'
import { aJob } from '../core/samples.ts'
import { aResult } from '../render/samples.ts'
import { Calls, lost, type Mishap, refused } from './github.ts'
import { issue, key, linkOf, Stage, words } from './step.ts'
import { start } from './world.ts'

const ref: RequestRef = { request: 'run:1', step: 's1', project: 'p1', since: start }
const change = (head: string, number: number | null = null): DocumentedChange => {
  return { repository: 'acme/docs', head, number, author: 'mona' }
}

interface Telling extends Partial<Pick<AgentResult, 'delivery' | 'jobId'>> {
  prLink?: string | null
  thread?: Origin['thread']
}

/** A GitHub whose calls of a name meet mishaps, in turn. */
function world(mishaps: Record<string, Mishap[]> = {}) {
  const stage = new Stage()
  const left = structuredClone(mishaps)
  const calls = new Calls((_, name) => left[name]?.shift())
  const progress: string[] = []
  const ports = {
    github: stage.github.ports(calls),
    clock: stage.clock,
    cancelled: new AbortController().signal,
    sign: signWith(key),
    words,
    serverUrl: 'https://github.com',
    onProgress: (seen: { type: string }) => void progress.push(seen.type),
  }
  const tell = (
    documented: DocumentedChange | null,
    { prLink = linkOf(101), jobId = 'job_1', thread = null, delivery = 'sent' }: Telling = {},
  ) => {
    const origin = { repository: 'acme/docs', thread, change: documented }
    return announce(aResult({ delivery, jobId, job: aJob({ prLink }) }), origin, ref, ports)
  }
  const seen = (number: number) => stage.github.seen[`acme/docs#${number}`] ?? []
  return { calls, progress, tell, seen }
}

describe("the agent's pull request", () => {
  it.each<[name: string, heads: string[], mishaps: Record<string, Mishap[]>]>([
    ['whatever comes later', ['a', 'b', 'a'], {}],
    ['if the response was lost', ['a', 'b'], { reply: [lost] }],
    ['if a re-run finds it not bound', ['a', 'a'], { edit: [refused] }],
  ])('gets one comment, which never changes: %s', async (_, heads, mishaps) => {
    const { tell, seen } = world(mishaps)
    for (const head of heads) await tell(change(head))
    const posted = seen(101).filter((line) => line.startsWith('+'))
    expect(posted).toEqual(['+ documents a'])
    expect(new Set(seen(101).slice(1))).toEqual(new Set(['~ documents a']))
  })

  it('gets one for each job', async () => {
    const { tell, seen } = world()
    await tell(change('a'))
    await tell(null, { jobId: 'job_2' })
    expect(seen(101).filter((line) => line.startsWith('+'))).toEqual([
      '+ documents a',
      '+ documents a request',
    ])
  })

  it('gets none if it cannot be read: one may be there', async () => {
    const { progress, tell, seen } = world({ comments: [refused] })
    await tell(change('a'))
    expect([seen(101), progress]).toEqual([[], ['unannounced']])
  })

  it.each<[string, Telling]>([
    ['in another repository', { prLink: 'https://github.com/acme/other/pull/101' }],
    ['on another server', { prLink: 'https://github.example/acme/docs/pull/101' }],
    ['that does not exist yet', { prLink: null }],
    ['that a follow-up may not have reached', { delivery: 'uncertain' }],
    ['on which the request was made', { thread: { ...issue, number: 101 } }],
  ])('is not written to if it is one %s', async (_, told) => {
    const { calls, tell } = world()
    await tell(change('a'), told)
    expect(calls.made).toEqual([])
  })
})

describe("the change's pull request", () => {
  it('gets one comment that links to the docs, and moves with them', async () => {
    const { tell, seen } = world()
    for (const number of [101, 101, 102]) await tell(change('a', 12), { prLink: linkOf(number) })
    expect(seen(12).filter((line) => line.startsWith('+'))).toHaveLength(1)
    expect(seen(12).at(-1)).toBe(`~ see ${linkOf(102)}`)
  })

  it('gets one for docs in another repository', async () => {
    const { tell, seen } = world()
    await tell(change('a', 12), { prLink: 'https://github.com/acme/other/pull/5' })
    expect(seen(12).at(-1)).toBe('~ see https://github.com/acme/other/pull/5')
  })

  it("gets one although the agent's cannot be read", async () => {
    const { tell, seen } = world({ comments: [refused] })
    await tell(change('a', 12))
    expect([seen(101), seen(12)[0]]).toEqual([[], `+ see ${linkOf(101)}`])
  })
})
