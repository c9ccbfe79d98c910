import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { type Mark, projectName, writeMark } from '../../src/core/mark.ts'
import { threadName } from '../../src/core/thread.ts'
import {
  findMarks,
  keepFirst,
  postMarked,
  postUnbound,
  putMarked,
  recentMarks,
} from '../../src/usecases/comments.ts'
import type { GitHubPorts } from '../../src/usecases/ports.ts'
import { Calls, type GitHub, lost, type Mishap, rejected, viewer } from './github.ts'
import { issue, Stage } from './step.ts'

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

/** Ports to a GitHub whose calls with these names have these mishaps, in turn. */
function world(mishaps: Record<string, (Mishap | undefined)[]> = {}) {
  const stage = new Stage()
  const { github } = stage
  const calls = Calls.meeting(mishaps)
  const ports = {
    github: github.ports(calls),
    sign,
    clock: stage.clock,
    cancelled: new AbortController().signal,
    onProgress: () => {},
  }
  return { github, calls, ports }
}

const text = (body: string) => ({ text: body, mark })
const names = (calls: Calls) => calls.made.map((call) => call.split(' ')[0])

describe('a marked comment', () => {
  it('a marked comment is posted, and then bound to its own id', async () => {
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

  const unanswered: Mishap = { status: 502, message: 'lost', isUncertain: true }
  const missing: Mishap = { status: 404, message: 'Not Found' }
  const look = ['comments', 'viewer']
  it.each<[name: string, isOk: boolean, posted: number, calls: string[], mishaps: Record<string, Mishap[]>]>([
    ['is found again if the response was lost', true, 1, ['reply', ...look, 'edit'], { reply: [lost] }],
    [
      'is posted again if GitHub does not list it within 15 seconds',
      true,
      1,
      ['reply', ...Array(5).fill(look).flat(), 'reply', 'edit'],
      { reply: [unanswered] },
    ],
    ['is not posted again if GitHub rejected it', false, 0, ['reply'], { reply: [rejected] }],
    [
      'is not posted again if the thread cannot be read',
      false,
      1,
      ['reply', 'comments'],
      { reply: [lost], comments: [rejected] },
    ],
    [
      'is not bound again after a 404 that may come from a proxy',
      false,
      1,
      ['reply', 'edit'],
      { edit: [{ ...missing, isUncertain: true }] },
    ],
    [
      'counts as failed if GitHub rejects the edit that binds it',
      false,
      1,
      ['reply', 'edit'],
      { edit: [rejected] },
    ],
    [
      'is not posted again if GitHub does not find it at once',
      true,
      1,
      ['reply', ...Array<string>(5).fill('edit')],
      { edit: Array(4).fill(missing) },
    ],
  ])('a marked comment %s', async (_, isOk, count, expected, mishaps) => {
    const { github, calls, ports } = world(mishaps)
    const posted = await putMarked(issue, null, text('Hello'), ports)
    expect([posted.ok, names(calls), github.on(issue).length]).toEqual([isOk, expected, count])
  })

  it.each([0, 1, 4])(
    'a marked comment is found by its text, even if it is missing from the first %i lists',
    async (lag) => {
      const { github, ports } = world({ reply: [lost] })
      let looks = 0
      const comments: GitHubPorts['comments'] = async (thread) =>
        looks++ < lag ? { ok: true, value: { items: [], isCut: false } } : ports.github.comments(thread)
      expect(
        await postMarked(issue, text('Hello'), { ...ports, github: { ...ports.github, comments } }),
      ).toEqual({
        ok: true,
        value: github.on(issue)[0]?.id,
      })
      expect(github.on(issue)).toHaveLength(1)
    },
  )

  it('the wait for a marked comment ends once the step is cancelled', async () => {
    const { calls, ports } = world({ reply: [unanswered] })
    await postMarked(issue, text('Hello'), { ...ports, cancelled: AbortSignal.abort() })
    expect([names(calls), ports.clock.now()]).toEqual([['reply', ...look], 1000])
  })

  it('a marked comment is posted again if someone deleted it', async () => {
    const { github, ports } = world()
    const id = github.add(issue, 'Old')
    await ports.github.remove(issue, id)
    expect(await putMarked(issue, id, text('New'), ports)).toMatchObject({ ok: true })
    expect(github.said(issue)).toEqual(['New'])
  })

  it('a marked comment stays if it was posted first, and is deleted if an identical one was posted earlier', async () => {
    const { github, ports } = world()
    const ids: number[] = []
    for (const words of ['One', 'Two']) {
      const posted = await postMarked(issue, text(words), ports)
      if (posted.ok) ids.push(posted.value)
    }
    const [first, second] = ids
    const isSame = () => true
    for (const own of ids) expect(await keepFirst(issue, own, isSame, ports)).toBe(first)
    expect(second).not.toBe(first)
    expect(github.said(issue)).toEqual(['One'])
  })
})

describe('the recent marks of a project', () => {
  const project = projectName('docs')
  const marked = (more: Partial<Mark>) => ({ text: 'Hello', mark: { ...mark, project, ...more } })
  it('the recent marks of a project leave out those of other accounts and projects, and those that are not bound', async () => {
    const { github, ports } = world()
    for (const more of [{ job: 'job_1' }, { job: 'job_2', project: projectName('other') }])
      await postMarked(issue, marked(more), ports)
    await postUnbound(issue, marked({ job: 'job_3' }), ports)
    const copied = await postMarked(issue, marked({ job: 'job_4' }), ports)
    const copy = github.comments.find(({ id }) => copied.ok && id === copied.value)
    if (copy !== undefined) copy.author = 'eve'
    const found = await recentMarks('issue', 'acme/docs', 'docs', 0, ports)
    if (!found.ok) throw new Error('unread')
    expect(found.value.items.map((item) => item.mark.job)).toEqual(['job_1'])
  })
})

describe('the marks on a thread', () => {
  it.each([
    ['the list is cut', (github: GitHub) => Object.assign(github, { isCut: true }), {}],
    ['the comments cannot be read', () => {}, { comments: [rejected] }],
    ['the token’s account cannot be read', () => {}, { viewer: [rejected] }],
  ])('the marks on a thread are unknown if %s', async (_, change, mishaps) => {
    const { github, ports } = world(mishaps)
    change(github)
    expect(await findMarks(issue, ports)).toMatchObject({ ok: false })
  })

  it("the marks on a thread cost no signature check for other accounts' comments, and at most one for each comment by the action", async () => {
    const { github, calls, ports } = world()
    const unbound = writeMark({ ...mark, at: 0 }, threadName(issue), () => 'forged')
    for (let count = 0; count < 499; count++)
      github.add(issue, unbound.repeat(100), count % 100 === 0 ? viewer : 'eve')
    let signatures = 0
    const counting = (given: string) => {
      signatures++
      return sign(given)
    }
    const found = await findMarks(issue, { ...ports, sign: counting })
    if (!found.ok) throw new Error('unread')
    expect(found.value.some(({ isSigned }) => isSigned)).toBe(false)
    expect([found.value.length, signatures, names(calls)]).toEqual([5, 5, ['comments', 'viewer']])
  })
})
