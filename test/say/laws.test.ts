/** What messages, results and replies always say. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { samples } from '../../scripts/troubleshooting.ts'
import { type GitHubFailure, mayHaveArrived } from '../../src/core/http.ts'
import { agentResult, failable, failsStep, type SettledJob } from '../../src/core/outcome.ts'
import { isSend, isUnconfirmed } from '../../src/mintlify/client.ts'
import { conclude } from '../../src/say/conclusion.ts'
import { agentEnding } from '../../src/say/ending.ts'
import { prose } from '../../src/say/markdown.ts'
import { outputNames, outputsOf, settleOutputs } from '../../src/say/outputs.ts'
import { explain, mayPass } from '../../src/say/problems.ts'
import { agentOutcomes, aJob, anyFailure, failures, operations, rejected } from '../core/samples.ts'
import { aResult, asked, platform, runUrl, wordsOf } from './samples.ts'

const all = [
  ...samples,
  ...operations.flatMap((name) => failures.map(([, failure]) => platform(name, failure))),
]
const fault = (input: string, got = 'nothing') => ({ input, got, expected: 'x' })

it('a problem says what happened and what to do next, in complete sentences', () => {
  for (const { what, next } of all.map(explain)) {
    for (const sentence of [what, next].filter((each) => each !== '')) {
      expect(sentence).toMatch(/^[“"`\w][\s\S]*[.]$/)
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\.\.$| {2}|\s\./)
    }
    expect(what).not.toMatch(/\. [A-Z]/)
  }
})

it('a problem that a change to the workflow file fixes asks for a new run, because a re-run would use the old file', () => {
  const changes = all
    .map(explain)
    .filter(({ next }) => /Give the workflow|in the job's `env`\. Commit/.test(next))
  expect(changes.length).toBeGreaterThan(10)
  for (const { next } of changes)
    expect(next).toMatch(/^(?!.*re-run).* Commit the change, and start a new run or comment again\.$/)
})

it.each([
  [
    [fault('api-key')],
    /^Create an admin key \(`mint_…`\) on \S+\. Store it in the secret that `api-key` reads\.$/,
  ],
  [[fault('project-id')], /^Store the project ID in the variable that `project-id` reads\.$/],
  [[fault('timeout')], /^Correct the workflow file\.$/],
  [[fault('api-key'), fault('timeout')], /secret.* Correct the workflow file\.$/],
])('a problem says where to correct %j', (faults, remedy) => {
  expect(explain({ kind: 'inputs', faults }).next).toMatch(remedy)
})

it('text from outside cannot end the code in a sentence', () => {
  expect(explain({ kind: 'own-change', login: 'a`b` c' }).what).toContain("from `a'b' c`, the account")
})

it('a problem lists ten files out of bounds, and the number of others', () => {
  const paths = Array.from({ length: 12 }, (_, at) => `src/${at}.ts`)
  const { what, list = [] } = explain({ kind: 'allowed-paths', reason: 'outside', paths })
  expect([what.includes('12 files'), list.length, list.at(-1)]).toEqual([true, 11, 'and 2 more'])
})

const forbidden = { kind: 'permission', status: 403, detail: 'no' } as const
it.each<[GitHubFailure, RegExp, boolean]>([
  [forbidden, /^Give the workflow `contents: read`/, false],
  [{ ...forbidden, kind: 'rejected' }, /^$/, false],
  [{ kind: 'rejected', status: 404, detail: 'Not Found' }, /^Check that it still exists/, false],
  [{ kind: 'rejected', status: 403, detail: 'issue is locked' }, /^Unlock/, false],
  [{ kind: 'rejected', status: 200, detail: 'issue is locked' }, /^Unlock/, false],
  [{ kind: 'rejected', status: 200, detail: 'Could not resolve to a node' }, /^$/, false],
  [
    { kind: 'rate-limit', status: 403, detail: 'no', wait: 2_970_000 },
    /for this token .* Wait 50 minutes/,
    true,
  ],
  [{ kind: 'too-long' }, /^Use another issue/, false],
  [{ kind: 'broken', status: 502, detail: 'Server Error' }, /GitHub may be unavailable.*later/, true],
  [{ kind: 'no-response', code: 'ECONNRESET' }, /GitHub may be unavailable.*later/, true],
])('the advice after a failed call to GitHub helps: %j', (failure, advice, isTemporary) => {
  const problem = { kind: 'github-failed', need: 'pull-requests', failure } as const
  expect(explain(problem).next).toMatch(advice)
  expect(mayPass(problem)).toBe(isTemporary)
})

it('a problem says that the request is not sent again if and only if it may have arrived', () => {
  fc.assert(
    fc.property(fc.constantFrom(...operations), anyFailure, (operation, failure) => {
      const problem = platform(operation, failure)
      const isOpen = isSend(operation) && mayHaveArrived(failure)
      const saysSo = explain(problem).next.includes('so the request is not sent again')
      expect([isUnconfirmed(problem), saysSo]).toEqual([isOpen, isOpen])
    }),
  )
})

it.each(agentOutcomes)(
  'the last lines for the outcome %s are an error if and only if the step fails',
  (outcome) => {
    for (const named of [undefined, ...failable]) {
      const failOn = new Set(named === undefined ? [] : [named])
      const { entries } = agentEnding(aResult({ outcome }), failOn)
      expect(entries[0]?.level === 'error').toBe(failsStep(outcome, failOn))
    }
  },
)

it('a result says how to wait for its job if the job has the prompt, may continue, and its id is right', () => {
  const isShown = (...[more]: Parameters<typeof aResult>) =>
    conclude(aResult(more)).next.includes('To wait for the job')
  const waiting = agentOutcomes.filter((outcome) => isShown({ outcome }))
  expect(waiting).toEqual(['timed-out', 'detached', 'cancelled', 'error'])
  for (const outcome of waiting) {
    expect(isShown({ outcome, jobId: null })).toBe(false)
    expect(isShown({ outcome, delivery: 'not-sent' })).toBe(false)
  }
  for (const call of ['message', 'read'] as const)
    expect(isShown({ outcome: 'error', problem: platform(call, rejected(404)) })).toBe(false)
})

it("the outputs repeat the job's fields, and all others are empty", () => {
  const none = Object.fromEntries(outputNames.map((name) => [name, '']))
  const prLink = 'https://github.com/acme/docs/pull/7'
  const job = aJob({ link: prLink, archiveTime: '2026-11-02' })
  const { id: jobId, status, repository, branch: ref, model, creationTime: createdAt } = job
  const fields = { jobId, status, repository, ref, model, createdAt, archivedAt: '2026-11-02' }
  const known = { ...none, ...fields, outcome: 'pull-request', prLink, prNumber: '7' }
  expect(outputsOf(aResult({ job }), 'https://github.com')).toEqual(known)
  const unknown = { ...none, outcome: 'unconfirmed', jobId: 'job_1' }
  expect(outputsOf(aResult({ outcome: 'unconfirmed', job: null }), 'https://github.com')).toEqual(unknown)
})

it('a reply suggests nothing that only a maintainer can do, and links the run once', () => {
  for (const problem of all.filter(({ kind }) => kind !== 'allowed-paths')) {
    const result = aResult({ outcome: 'error', jobId: null, job: null, problem })
    const text = wordsOf().result(result, asked, null)
    const { next } = explain(problem)
    if (next !== '') expect(text).not.toContain(prose(next))
    expect(text).toMatch(/comment `\/docs …` again/)
    expect(text.split(runUrl)).toHaveLength(2)
  }
})

it('the outputs of settle list results and pull requests with all their fields, the first 100 of each', () => {
  const code = { repository: 'acme/app', repositoryId: '1', number: 12, head: 'a' } as const
  const link = 'https://github.com/acme/docs/pull/7'
  const hold = { ...code, hold: 'release', state: 'held' } as const
  const openedAt = '2026-11-02T10:00:00Z'
  const open = { link, openedAt, age: 0, hold, isOwn: true }
  const page = { repository: 'acme/app', commit: 'c' }
  const endOf = (at: number) => agentResult('no-changes', null, { jobId: `job_${at}` })
  const jobs = Array.from({ length: 101 }, (_, at): SettledJob => {
    return { job: `job_${at}`, since: at, link: page, state: 'settled', result: endOf(at), accounts: null }
  })
  const blank = { job: null, link: page, result: null, accounts: null }
  const pending: SettledJob = { ...blank, since: -999, state: 'pending' }
  const pulls = [open, { ...open, hold: null, isOwn: false }, ...Array(99).fill(open)]
  const lists = { jobs: [pending, ...jobs], pulls, isCut: false, problem: null }
  const outputs = settleOutputs({ outcome: 'settled', ...lists }, 'https://github.com')
  const [results, waiting] = [JSON.parse(outputs.results), JSON.parse(outputs.waiting)]
  expect([results.length, waiting.length, outputs.settled, outputs.pending]).toEqual([100, 100, '101', '1'])
  const url = 'https://github.com/acme/app/commit/c'
  expect(results[0]).toEqual({ outcome: 'no-changes', jobId: 'job_0', prLink: '', title: '', url })
  expect(waiting.slice(0, 2)).toEqual([
    { prLink: link, openedAt, waitsFor: 'a release with acme/app#12', own: true },
    { prLink: link, openedAt, waitsFor: '', own: false },
  ])
})
