import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commit } from '../../../sandbox/github/commits.ts'
import {
  dispatched,
  type PullRequestEventOptions,
  type PushOptions,
  pullRequest,
  pushed,
  releasePublished,
} from '../../../sandbox/payloads.ts'
import {
  type Change,
  isCausedBy,
  newChange,
  type Range,
  rangeText,
} from '../../../src/core/trigger/change.ts'
import type { WorkflowEvent } from '../../../src/core/trigger/event.ts'
import { readTrigger } from '../../../src/core/trigger/trigger.ts'
import { hostileText } from '../samples.ts'

const agent = 'mintlify[bot]'
const before = commit({ files: { a: '1\n' }, message: 'First' })
const after = commit({ parents: [before], files: { a: '2\n' }, message: 'Second\n\nAt length.' })
const byAgent = commit({ parents: [before], files: { a: '3\n' }, message: 'Docs', author: agent })
const merge = commit({ parents: [after, byAgent], message: 'Merge pull request #101' })
const schedule: WorkflowEvent = { name: 'schedule', actor: 'mona', payload: { schedule: '0 6 * * 1' } }

const push = (more: PushOptions = {}) => pushed({ before, after, ...more })
const pull = (more: PullRequestEventOptions = {}) => pullRequest(more)
const read = (event: WorkflowEvent) =>
  readTrigger(event, { command: null, label: null, agentLogin: 'another[bot]' })

const compared: Range = { by: 'compare', base: before.sha, head: after.sha }
const alone: Range = { by: 'commit', sha: after.sha }
const fromMain: Range = { by: 'compare', base: 'main', head: after.sha }
const files: Range = { by: 'pull', number: 12 }

describe('an event', () => {
  const changes: [name: string, event: WorkflowEvent, range: Range, more: Partial<Change>][] = [
    ['a push', push(), compared, { branch: 'main', head: after.sha, number: null, subjects: ['Second'] }],
    ['a push to a branch with slashes', push({ ref: 'refs/heads/a/b' }), compared, { branch: 'a/b' }],
    ['the first push of a repository', push({ before: null }), alone, { subjects: ['Second'] }],
    ['a new branch', push({ before: null, ref: 'refs/heads/x' }), fromMain, { branch: 'x' }],
    ['a force push', push({ before: byAgent }), { ...compared, base: byAgent.sha }, {}],
    ['a push without commits', push({ commits: [] }), compared, { subjects: [] }],
    ['a push of a merge', push({ after: merge }), { ...compared, head: merge.sha }, { author: 'mona' }],
    ['a push by a bot', push({ pusher: 'renovate[bot]' }), compared, { author: 'renovate[bot]' }],
    ['a tag', pushed({ ref: 'refs/tags/v1', after }), fromMain, { noFiles: 'a tag does not change files' }],
    ['a pull request that is opened', pull(), files, { number: 12, branch: 'main', author: 'mona' }],
    ['a pull request that gets commits', pull({ action: 'synchronize' }), files, { head: 'b'.repeat(40) }],
    [
      'a pull request that is merged',
      pull({ action: 'closed', merged: after }),
      files,
      { head: after.sha, pullHead: 'b'.repeat(40) },
    ],
    [
      'a pull request that is closed without being merged',
      pull({ action: 'closed' }),
      files,
      { head: 'b'.repeat(40), noFiles: 'it was closed without being merged' },
    ],
  ]

  it.each(changes)('an event contains a change: %s', (_, event, range, more) => {
    const change = { repository: 'acme/app', noFiles: null, range, ...more }
    expect(read(event)).toEqual({ kind: 'change', change: expect.objectContaining(change) })
  })

  it.each([
    ['a deleted branch', pushed({ ref: 'refs/heads/topic', before }), 'topic was deleted'],
    ['a deleted tag', push({ ref: 'refs/tags/v1', after: null }), 'v1 was deleted'],
    [
      'the merge queue',
      pushed({ ref: 'refs/heads/gh-readonly-queue/main/pr-12-0123abc', after }),
      'the merge queue is testing',
    ],
  ])('an event contains no change: %s', (_, event, reason) => {
    expect(read(event)).toMatchObject({
      kind: 'skip',
      problem: { id: 'skipped', what: expect.stringContaining(reason) },
    })
  })

  it.each([
    ['a push', { ...push(), payload: { ref: 1 } }],
    ['a pull request', { ...pull(), payload: null }],
    ['a workflow run', { name: 'workflow_run', actor: '', payload: {} }],
    ['a release', { name: 'release', actor: '', payload: {} }],
  ])('an event with an undocumented payload is rejected: %s', (_, event) => {
    expect(read(event)).toMatchObject({ kind: 'error', problem: { id: 'defect' } })
  })

  it('an event contains at most fifty subjects, each on one line', () => {
    const hostile = commit({ message: `x\u202e ${'y'.repeat(300)}\n\nbody` })
    const many = Array.from({ length: 60 }, () => hostile)
    const reading = read(push({ commits: many }))
    const { subjects } = reading.kind === 'change' ? reading.change : { subjects: [] }
    expect(subjects).toHaveLength(50)
    expect(subjects[0]).toMatch(/^x\\u\{202E\} y+…$/)
    expect(subjects[0]?.length).toBe(200)
  })

  it('reading an event never throws, whatever its payload contains', () => {
    fc.assert(
      fc.property(fc.constantFrom('push', 'pull_request'), fc.anything(), (name, payload) => {
        const event = { name, actor: '', payload }
        expect(read(event).kind).toBe('error')
        expect(isCausedBy(event, agent)).toBe(false)
      }),
    )
  })
})

describe('the agent’s events', () => {
  const opened = { user: agent }
  const mine: [name: string, event: WorkflowEvent][] = [
    ['its own push', push({ pusher: agent })],
    ['its push to a person’s branch', push({ pusher: agent, ref: 'refs/heads/monas' })],
    ['its push, which only the pusher’s name reveals', push({ pusher: agent, sender: 'mona' })],
    ['its push, with its login in different case', push({ pusher: 'Mintlify[bot]' })],
    ['a branch that it created', push({ before: null, ref: 'refs/heads/docs', pusher: agent })],
    ['its pull request', pull(opened)],
    [
      'its pull request, with a new push by a person',
      pull({ ...opened, action: 'synchronize', sender: 'mona' }),
    ],
    [
      'its pull request, merged by a person',
      pull({ ...opened, action: 'closed', merged: merge, sender: 'mona' }),
    ],
    ['its push to a person’s pull request', pull({ action: 'synchronize', sender: agent })],
    ['its own release', releasePublished({ sender: agent })],
    ['a manual run that it started', dispatched({ sender: agent })],
  ]
  it.each(mine)('the agent caused this event: %s', (_, event) => {
    expect(isCausedBy(event, agent)).toBe(true)
  })

  it.each<[string, WorkflowEvent]>([
    ['a person’s push', push()],
    ['a person’s push of commits that name it as their author', push({ commits: [byAgent, byAgent] })],
    ['a push without commits', push({ commits: [] })],
    ['a commit without an account', push({ commits: [commit({ author: null })] })],
    ['a merge by a person, which takes a request to GitHub to check', push({ after: merge })],
    ['a person’s pull request', pull()],
    ['another bot’s pull request', pull({ user: 'renovate[bot]' })],
    ['a person whose login resembles the agent’s', pull({ user: 'mintlify' })],
    ['a schedule', schedule],
    ['a release', releasePublished()],
  ])('the agent did not cause this event: %s', (_, event) => {
    expect(isCausedBy(event, agent)).toBe(false)
  })
})

describe('the name of a range', () => {
  const change = (range: Range, head = 'f'.repeat(40)): Change =>
    newChange({ repository: 'acme/app', head, branch: 'main', range })
  it.each([
    [compared, `${before.sha.slice(0, 10)}…${after.sha.slice(0, 10)}`],
    [fromMain, `main…${after.sha.slice(0, 10)}`],
    [alone, `commit ${after.sha.slice(0, 10)}`],
    [files, 'pull request #12, at ffffffffff'],
    [{ by: 'compare', base: 'a\nb', head: 'x\u202e' } as const, 'a b…x\\u{202E}'],
  ])('the range %j is called %s', (range, text) => {
    expect(rangeText(change(range))).toBe(text)
  })

  it("a range's name is on one line", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (base, head) => {
        expect(rangeText(change({ by: 'compare', base, head }))).not.toMatch(/[\n\r\u2028]/)
      }),
    )
  })
})
