/** The context of a command on a pull request: the pull request's diff at one commit, and a review's line comments. */
import { describe, expect, it } from 'vitest'
import { contextLimit } from '../../src/core/prompt/prompt.ts'
import { Calls, rejected } from './github.ts'
import { aPull, command, issue, pullThread, Stage, type StepOptions } from './step.ts'
import { start } from './world.ts'

const [head, newer] = ['a'.repeat(40), 'c'.repeat(40)]
const patch = '@@ -0,0 +1 @@\n+flag'
const withDiff = (inputs = {}, calls = new Calls()): StepOptions => ({
  inputs: { 'context-diff': 'true', 'context-paths': 'src/**', ...inputs },
  calls,
})

function stageWith(path = 'src/a.ts'): Stage {
  const stage = new Stage()
  stage.github.details[12] = aPull(12, head)
  stage.github.files = [{ path, previousPath: null, status: 'added', additions: 1, deletions: 0, patch }]
  return stage
}

const onPull = { comment: 1, thread: pullThread(12) }

describe('a command on a pull request', () => {
  it('a command on a pull request sends the diff at one commit, and names the commit', async () => {
    const { result, calls } = await command(stageWith(), onPull, withDiff())
    expect(result?.prompt).toMatchObject({ commit: head, included: ['src/a.ts'] })
    expect(result?.prompt?.text).toContain(`pull request #12, at ${head.slice(0, 10)}`)
    expect(result?.prompt?.text).toContain('+flag')
    expect(result?.prompt?.text).not.toMatch(/moved|newer/)
    // The step does not check for loops, because people can ask about the agent's pull request.
    expect(calls.made).not.toContain('pullsOf')
  })

  it('a prompt says that the head moved while the diff was read', async () => {
    const stage = stageWith()
    const calls = new Calls((_, name) => {
      if (name === 'changedFiles') stage.github.details[12] = aPull(12, newer)
      return undefined
    })
    const { result } = await command(stage, onPull, withDiff({}, calls))
    expect(result?.prompt?.commit).toBe(head)
    expect(result?.prompt?.text).toContain(`While the diff was read, the head moved to ${newer}`)
  })

  it('a prompt says that a comment was written at another commit', async () => {
    const { result } = await command(stageWith(), { ...onPull, writtenAt: newer }, withDiff())
    expect(result?.prompt?.text).toContain(`The comment was written at ${newer}; the diff is newer.`)
  })

  it("a command runs without the diff, and its prompt says so, if none of the diff's files matter", async () => {
    const { result } = await command(stageWith('test/a.ts'), onPull, withDiff())
    expect(result).toMatchObject({ outcome: 'pull-request' })
    expect(result?.prompt?.commit).toBeUndefined()
    expect(result?.prompt?.text).toContain(
      `The pull request's diff at ${head} is not here: context-paths (src/**) matches none of the changed files: test/a.ts.`,
    )
  })

  it.each(['pull', 'changedFiles'])('a command sends nothing if GitHub rejects `%s`', async (failing) => {
    const stage = stageWith()
    const { result } = await command(stage, onPull, withDiff({}, Calls.where(rejected, failing)))
    expect(result).toMatchObject({ outcome: 'error', problem: { id: 'unread' } })
    expect(stage.platform.sends).toEqual([])
  })

  it('a file of the diff is left out if the thread fills the context limit', async () => {
    const subject = { title: 'Flags', body: 'a'.repeat(contextLimit - 10) }
    const { result } = await command(stageWith(), { ...onPull, subject }, withDiff())
    const leftOut = [{ path: 'src/a.ts', why: 'over the context limit of 256 KiB' }]
    expect(result?.prompt).toMatchObject({ included: [], leftOut })
  })

  it.each([
    ['on an issue', { comment: 1, thread: issue }, withDiff()],
    ['with `context-diff: false`', onPull, {}],
  ])('a command %s reads no diff', async (_, asked, options) => {
    const { result, calls } = await command(stageWith(), asked, options)
    expect(result?.prompt?.text).not.toContain('+flag')
    expect(calls.made.slice(0, calls.made.indexOf('send'))).not.toContain('changedFiles')
  })
})

describe('a review', () => {
  const review = { comment: 0, review: 5, thread: pullThread(12), instruction: ' do what I wrote below' }
  const location = { path: 'src/a.ts', line: 1, hunk: patch }

  it('a review sends its line comments, gets no reaction, and is recorded under its own id', async () => {
    const stage = stageWith()
    stage.github.lineComments[12] = [
      { author: 'mona', body: 'Name the flag.', location, updatedAt: start },
      { author: 'mona', body: 'Edited later.', location, updatedAt: start + 1 },
    ]
    const first = await command(stage, review)
    expect(first.result?.prompt?.text).toContain('Name the flag.')
    expect(first.result?.prompt?.text).not.toContain('Edited later.')
    expect(stage.github.reactions).toEqual([])
    expect(stage.github.said(review.thread)).toEqual(['result: pull-request job_1'])
    // A comment with the same id is a separate request. A re-run repeats the review's result.
    await command(stage, { ...onPull, comment: 5 })
    await command(stage, review, { isRerun: true })
    expect(stage.platform.sends).toEqual(['job_1: do what I wrote below', 'job_1 + request 5'])
  })

  it('a review, its thread and the diff share the context limit, in this order', async () => {
    const body = 'a'.repeat(contextLimit - 424)
    const stage = stageWith()
    stage.github.lineComments[12] = ['b', 'c'].map((letter) => ({
      author: 'mona',
      body: letter.repeat(300),
      location,
      updatedAt: start,
    }))
    const asked = { ...review, subject: { title: 'Flags', body } }
    const { result } = await command(stage, asked, withDiff())
    const { text = '', leftOut = [] } = result?.prompt ?? {}
    expect(['a', 'b', 'c'].map((letter) => text.includes(letter.repeat(300)))).toEqual([true, true, false])
    const over = 'over the context limit of 256 KiB'
    expect(leftOut).toEqual([{ path: 'a comment on src/a.ts', why: over }])
  })

  it('a review sends nothing if its comments cannot be read', async () => {
    const stage = stageWith()
    const { result } = await command(stage, review, { calls: Calls.where(rejected, 'reviewComments') })
    expect(result).toMatchObject({ outcome: 'error', problem: { id: 'unread' } })
    expect(stage.platform.sends).toEqual([])
  })

  it('a review by someone without the required role gets one reply and no reaction', async () => {
    const stage = stageWith()
    stage.github.roles.mona = 'read'
    await command(stage, review)
    expect(stage.github.said(review.thread)).toEqual(['denied mona'])
    expect(stage.github.reactions).toEqual([])
  })
})
