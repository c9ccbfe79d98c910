import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import type { DocumentedChange } from '../../src/core/mark.ts'
import { writeStatus } from '../../src/core/status.ts'
import { findMarks } from '../../src/usecases/comments.ts'
import { type ProvenanceRef, tellPullRequests } from '../../src/usecases/provenance.ts'
import { aJob } from '../core/samples.ts'
import { aResult } from '../render/samples.ts'
import { Calls, type GitHub, type Mishap, refused } from './github.ts'
import { linkOf, pullThread, Stage, words } from './step.ts'
import { start } from './world.ts'

const ref: ProvenanceRef = { request: 'run:1', step: 's1', project: 'p1', since: start }
const home = { repository: 'acme/docs', serverUrl: 'https://github.com', projectId: 'docs' }
const change = (head: string, number: number | null = null): DocumentedChange => {
  return { repository: 'acme/docs', head, number, author: 'mona' }
}
const resultAt = (prLink: string | null, jobId: string) => aResult({ jobId, job: aJob({ prLink }) })
const docs = pullThread(101)

/** A GitHub whose calls of a name meet mishaps. */
function world(mishaps: Record<string, Mishap[]> = {}) {
  const stage = new Stage()
  const left = structuredClone(mishaps)
  const calls = new Calls((_, name) => left[name]?.shift())
  const refusals: string[] = []
  const ports = {
    github: stage.github.ports(calls),
    clock: stage.clock,
    sign: signWith('mint_0123456789'),
    words,
    onProgress: (seen: { type: string }) => void refusals.push(seen.type),
  }
  const tell = (documented: DocumentedChange | null, link: string | null = linkOf(101), jobId = 'job_1') =>
    tellPullRequests(resultAt(link, jobId), documented, ref, home, ports)
  /** A whole step: the commit's status stands before the pull requests are told. */
  const push = async (head: string) => {
    const owner = { project: 'docs', hasChange: true }
    const description = writeStatus('x', { state: 'ended', job: 'job_1', run: '1' }, owner)
    const status = { context: 'Docs agent / a', state: 'success', description, targetUrl: '' } as const
    await ports.github.setStatus('acme/docs', head, status)
    await tell(change(head))
  }
  return { github: stage.github, ports, calls, refusals, tell, push }
}

const said = (github: GitHub, number = 101) => github.said(pullThread(number))

describe('the agent’s pull request', () => {
  it('has one comment that lists each change once, the latest twenty of them', async () => {
    const { github, tell } = world()
    for (const head of ['a', 'b', 'b', 'a']) await tell(change(head))
    expect(said(github)).toEqual(['documents a,b'])
    for (let number = 0; number < 20; number++) await tell(change(`c${number}`))
    const last = Array.from({ length: 20 }, (_, number) => `c${number}`).join()
    expect(said(github)).toEqual([`documents ${last}`])
  })

  it('has one for each job', async () => {
    const { github, tell } = world()
    await tell(change('a'))
    await tell(change('b'), linkOf(101), 'job_2')
    expect(said(github)).toEqual(['documents a', 'documents b'])
  })

  it.each([
    ['the first ones', []],
    ['further ones', ['z']],
    ['further ones after twenty', Array.from({ length: 20 }, (_, number) => `c${number}`)],
  ])('keeps both changes of two pushes that come at once, in one comment: %s', async (_, known) => {
    for (let delay = 0; delay < 40; delay++) {
      const { github, ports, tell, push } = world()
      for (const head of known) await tell(change(head))
      const later = async () => {
        for (let turn = 0; turn < delay; turn++) await Promise.resolve()
        await push('b')
      }
      await Promise.all([push('a'), later()])
      const marks = await findMarks(docs, ports)
      const lists = marks.ok ? marks.value.map(({ mark }) => mark.changes?.map(({ head }) => head)) : []
      expect(lists, `after ${delay} turns`).toEqual([expect.arrayContaining(['a', 'b', ...known.slice(2)])])
      expect(said(github)).toHaveLength(1)
    }
  })

  it('is not written to if it cannot be read: a comment may be there', async () => {
    const { github, refusals, tell } = world({ comments: [refused] })
    await tell(change('a'))
    expect([said(github), refusals]).toEqual([[], ['thread-failed']])
  })

  it.each([
    ['in another repository', 'https://github.com/acme/other/pull/101'],
    ['on another server', 'https://github.example/acme/docs/pull/101'],
    ['that does not exist yet', null],
  ])('is not written to: one %s', async (_, link) => {
    const { calls, tell } = world()
    await tell(change('a'), link)
    expect(calls.made).toEqual([])
  })
})

describe('the change’s pull request', () => {
  it('has one comment that links to the docs, and moves with them', async () => {
    const { github, tell } = world()
    await tell(change('a', 12))
    await tell(change('a', 12))
    expect(said(github, 12)).toEqual([`see ${linkOf(101)}`])
    await tell(change('a', 12), linkOf(102))
    expect(said(github, 12)).toEqual([`see ${linkOf(102)}`])
  })

  it('is told of docs in another repository', async () => {
    const { github, tell } = world()
    await tell(change('a', 12), 'https://github.com/acme/other/pull/5')
    expect(said(github, 12)).toEqual(['see https://github.com/acme/other/pull/5'])
  })

  it('is told although the agent’s cannot be', async () => {
    const { github, tell } = world({ comments: [refused] })
    await tell(change('a', 12))
    expect([said(github), said(github, 12)]).toEqual([[], [`see ${linkOf(101)}`]])
  })
})
