import { expect, it } from 'vitest'
import { minuteMs } from '../../src/core/units.ts'
import type { HistoryCommit } from '../../src/ports.ts'
import { commitsSince, lastJob } from '../../src/request/since-last.ts'

/** A commit of a history: its name, date, and first parent. */
function a(sha: string, date: number, parent: string | null): HistoryCommit {
  return { sha, subject: `Subject ${sha}`, date, parent, isMarked: false }
}

/** main has `a`, `b`, the merge `m`, and `c`. `t` is older than `b`, but on a branch from `a` that `m` merged. */
const history = [a('c', 40, 'm'), a('m', 30, 'b'), a('b', 20, 'a'), a('t', 15, 'a'), a('a', 10, null)]

it.each([
  ['contain the commits of merged branches', 'a', 'c', 'cmbt'],
  ['end at the head of the run', 'a', 'b', 'bt'],
  ['are none if the start is the head', 'c', 'c', ''],
  ['are none if a later commit was sent', 'c', 'b', ''],
  ['are none if the branch does not contain the head', 'a', 'x', ''],
  ['are all but the oldest known one if the start is not known', 'x', 'c', 'cmbt'],
])('the new commits %s', (_, start, head, expected) => {
  expect(commitsSince(history, start, head).map(({ sha }) => sha)).toEqual([...expected])
})

/** A job on a commit: whether it is good, when it began, and when its end was reported, in minutes. */
const job = (commit: string, isGood: boolean, begun: number, ended?: number) => ({
  commit,
  job: `job_${commit}`,
  isGood,
  begunAt: begun * minuteMs,
  endedAt: ended === undefined ? null : ended * minuteMs,
  accounts: null,
})
const [c, first] = [job('c', true, 40), job('a', true, 10)]

it.each([
  ['is unknown without a job', [], undefined],
  ['is the newest job that did not fail', [c, job('b', true, 20)], 'c'],
  ['goes back before a failed job', [job('c', false, 40, 50), job('b', true, 20)], 'b'],
  ['goes back before a job that failed later', [c, job('b', false, 20, 45), first], 'a'],
  ['stays if the later run knew of the failure', [c, job('b', false, 20, 30), first], 'c'],
  ['goes back if the failure was reported too shortly before', [c, job('b', false, 20, 38), first], 'a'],
  ['goes back before a failure that is not reported yet', [c, job('b', false, 20), first], 'a'],
  [
    'goes back before a failed job that ran again in vain',
    [job('c', false, 40), job('b', false, 20, 30), first],
    'a',
  ],
  [
    'goes back if only an older commit was sent later',
    [job('c', true, 15), job('b', false, 10, 20), job('a', true, 40)],
    'a',
  ],
  ['stays if a re-run of the failed job was good', [job('b', true, 40), job('b', false, 20, 30), first], 'b'],
  [
    'goes back before a commit of which one job failed',
    [job('b', true, 20), job('b', false, 20), first],
    'a',
  ],
  ['is unknown if every job failed', [job('c', false, 40, 50)], undefined],
])('the start of the next range %s', (_, jobs, start) => {
  expect(lastJob(history, jobs)?.commit).toBe(start)
})
