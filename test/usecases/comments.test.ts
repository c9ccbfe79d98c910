import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { type Mark, writeMark } from '../../src/core/mark.ts'
import { threadName } from '../../src/core/thread.ts'
import { findMarks, postMarked, putMarked } from '../../src/usecases/comments.ts'
import type { GitHubPorts } from '../../src/usecases/ports.ts'
import { Calls, type GitHub, lost, type Mishap, refused, viewer } from './github.ts'
import { issue, pullThread, Stage } from './step.ts'

const sign = signWith('mint_0123456789')
const mark: Omit<Mark, 'at'> = {
  role: 'reply',
  request: 'comment:1',
  step: 's1',
  project: 'p1',
  state: 'open',
  job: null,
  outcome: null,
  prLink: null,
  since: 1,
  by: null,
}

/** The ports over a GitHub in which the calls of these names meet mishaps, in turn. */
function world(mishaps: Record<string, (Mishap | undefined)[]> = {}, more: Partial<GitHubPorts> = {}) {
  const stage = new Stage()
  const { github } = stage
  const left = structuredClone(mishaps)
  const calls = new Calls((_, name) => left[name]?.shift())
  const ports = {
    github: { ...github.ports(calls), ...more },
    sign,
    clock: stage.clock,
    onProgress: () => {},
  }
  return { github, calls, ports }
}

const text = (body: string) => ({ text: body, mark })
const names = (calls: Calls) => calls.made.map((call) => call.split(' ')[0])

describe('a marked comment', () => {
  it('is posted, and then bound to its own id', async () => {
    const { github, calls, ports } = world()
    const posted = await postMarked(issue, text('Hello'), ports)
    const [comment] = github.on(issue)
    expect(posted).toEqual({ ok: true, value: comment?.id })
    expect(comment?.body).toMatch(/^Hello\n\n<!-- docs-agent:2:\S+ -->$/)
    expect(names(calls)).toEqual(['reply', 'edit'])
    expect(await findMarks(issue, ports)).toMatchObject({
      value: [{ comment: comment?.id, mark: { ...mark, at: comment?.id }, isSigned: true, isBound: true }],
    })
  })

  type Row = [
    name: string,
    mishaps: Record<string, Mishap[]>,
    calls: string[],
    comments: number,
    isOk: boolean,
  ]
  const gone: Mishap = { status: 502, message: 'lost', isUncertain: true }
  const rows: Row[] = [
    [
      'is taken over if the answer was lost',
      { reply: [lost] },
      ['reply', 'comments', 'viewer', 'edit'],
      1,
      true,
    ],
    [
      'is posted once more if it is not there',
      { reply: [gone] },
      ['reply', 'comments', 'viewer', 'reply', 'edit'],
      1,
      true,
    ],
    ['is not posted again if GitHub refused it', { reply: [refused] }, ['reply'], 0, false],
    [
      'is not posted again if the thread cannot be read',
      { reply: [lost], comments: [refused] },
      ['reply', 'comments'],
      1,
      false,
    ],
    ['is no success before it is bound', { edit: [refused] }, ['reply', 'edit'], 1, false],
  ]
  it.each(rows)('%s', async (_, mishaps, expected, comments, isOk) => {
    const { github, calls, ports } = world(mishaps)
    const posted = await postMarked(issue, text('Hello'), ports)
    expect([posted.ok, names(calls), github.on(issue).length]).toEqual([isOk, expected, comments])
  })

  it('is posted again if someone deleted it', async () => {
    const { github, ports } = world()
    const id = github.add(issue, 'Old')
    await ports.github.remove(issue, id)
    expect(await putMarked(issue, id, text('New'), ports)).toMatchObject({ ok: true })
    expect(github.said(issue)).toEqual(['New'])
  })
})

describe('the marks on a thread', () => {
  /** A comment as the action writes it, on another thread. */
  async function aBody() {
    const { github, ports } = world()
    await postMarked(issue, text('Hello'), ports)
    return github.on(issue)[0]?.body ?? ''
  }

  it.each<[string, (github: GitHub, body: string) => unknown]>([
    ['written by another account', (github, body) => github.add(issue, body, 'eve')],
    ['copied into another comment', (github, body) => [github.add(issue, 'Hi'), github.add(issue, body)]],
    [
      'on another thread',
      (github, body) => github.add(pullThread(7), body) && github.add(pullThread(8), body),
    ],
  ])('leave out what is %s', async (_, plant) => {
    const { github, ports } = world()
    plant(github, await aBody())
    const thread = github.comments.at(-1)?.thread ?? issue
    const found = await findMarks(thread, ports)
    if (!found.ok) throw new Error('unread')
    expect(found.value.filter(({ isSigned, isBound }) => isSigned && isBound)).toEqual([])
  })

  it.each([
    ['the list is cut', (github: GitHub) => Object.assign(github, { isCut: true }), {}],
    ['the comments cannot be read', () => {}, { comments: [refused] }],
    ['the token’s account cannot be read', () => {}, { viewer: [refused] }],
  ])('are unknown if %s', async (_, change, mishaps) => {
    const { github, ports } = world(mishaps)
    github.add(issue, await aBody())
    change(github)
    expect(await findMarks(issue, ports)).toMatchObject({ ok: false })
  })

  it('cost no signature on comments of others, and one at most on each of its own', async () => {
    const { github, calls, ports } = world()
    const unbound = writeMark({ ...mark, at: 0 }, threadName(issue), () => 'forged')
    for (let count = 0; count < 2_499; count++)
      github.add(issue, unbound.repeat(100), count % 100 === 0 ? viewer : 'eve')
    let signatures = 0
    const counting = (given: string) => {
      signatures++
      return sign(given)
    }
    const found = await findMarks(issue, { ...ports, sign: counting })
    if (!found.ok) throw new Error('unread')
    expect(found.value.some(({ isSigned }) => isSigned)).toBe(false)
    expect([found.value.length, signatures, names(calls)]).toEqual([25, 25, ['comments', 'viewer']])
  })
})
