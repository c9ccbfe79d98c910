/** Text from outside stays text in everything that the action prints, and within limits. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Job } from '../../src/core/job.ts'
import type { AgentOutcome, SettledJob, SettleResult } from '../../src/core/outcome.ts'
import { showHidden, withoutCommands } from '../../src/core/text.ts'
import { parseJob } from '../../src/mintlify/jobs.ts'
import { agentEnding } from '../../src/say/ending.ts'
import { say } from '../../src/say/messages.ts'
import { outputsOf, settleOutputs } from '../../src/say/outputs.ts'
import { settleEnding } from '../../src/say/settle.ts'
import { agentOutcomes, anyFailure, hostileText, operations, runs, webUrl } from '../core/samples.ts'
import { decoded, elements, links, mentions, render } from './github.ts'
import { anOrigin, aResult, asked, platform, someChanges, wordsOf } from './samples.ts'

const words = wordsOf()
const serverUrl = 'https://github.com'
const isWeb = (text: string | null) => /^https?:$/.test(URL.parse(text ?? '')?.protocol ?? '')

const texts = fc.record({
  status: hostileText,
  model: hostileText,
  ref: hostileText,
  repository: fc.oneof(webUrl, hostileText),
  prLink: fc.oneof(
    webUrl,
    hostileText.map((text) => `https://e.example/${text}`),
    hostileText,
  ),
  createdAt: hostileText,
  archivedAt: hostileText,
  name: hostileText.map((text) => `x${text}`),
  title: hostileText,
  text: hostileText,
})
type Texts = typeof texts extends fc.Arbitrary<infer T> ? T : never

/** Plain words in place of each text: only whether there is a text, and whether it is a URL, makes a difference. */
function bland(job: Job): Job {
  const plain = (text: string | null) => text && (isWeb(text) ? 'https://github.com/a/b' : 'x')
  return {
    id: 'x',
    status: plain(job.status),
    model: plain(job.model && 'x'),
    branch: plain(job.branch && 'x'),
    repository: plain(job.repository),
    link: plain(job.link),
    creationTime: plain(job.creationTime && 'x'),
    archiveTime: plain(job.archiveTime && 'x'),
  }
}

/** Everything that is printed in Markdown, with texts from outside. */
function printed(job: Job, outcome: AgentOutcome, given: Texts): string[] {
  const { name: path, title, text } = given
  const url = 'https://github.com/acme/docs/pull/7/files#diff-1'
  const file = {
    path,
    id: null,
    previousPath: path,
    status: 'renamed',
    kind: 'unknown' as const,
    additions: 1,
    deletions: 1,
    url,
  }
  const changes = someChanges({ title, files: [file] })
  const detail = `x${text}`
  const problem = platform('read', { kind: 'rejected', status: 400, detail })
  const result = aResult({
    outcome,
    job,
    changes,
    problem,
    prompt: { text: `x${text}`, included: [], leftOut: [{ path, why: `x${text}` }] },
  })
  const outside = { ...result, problem: { kind: 'allowed-paths', reason: 'outside', paths: [path] } as const }
  const change = { repository: 'acme/app', repositoryId: '1', head: '4f2c9a1b8d', number: null, author: path }
  const settled: SettledJob = {
    job: path,
    since: 0,
    state: 'settled',
    result: aResult({ job }),
    link: { repository: path, commit: path },
    accounts: null,
  }
  const open = { link: job.link ?? '', openedAt: '', age: 0, hold: null, isOwn: true }
  const lists = { jobs: [settled], pulls: [open] }
  const settle: SettleResult = { outcome: 'settled', ...lists, problem, isCut: false }
  return [
    agentEnding(result, new Set()).summary,
    words.result(result, { ...asked, by: path }, null),
    words.result(outside, { ...asked, by: null }, null),
    words.provenance(outside, anOrigin({ change, requester: path }), 'acme/docs'),
    words.provenance(outside, anOrigin({ requester: path }), 'acme/docs'),
    words.documentation(job.link ?? '', changes, null),
    words.denied({ kind: 'denied', login: path, role: 'write', isBot: false, isListed: true }),
    settleEnding(settle, new Set(), serverUrl).summary,
  ]
}

it('outside text creates no element, link or mention that plain words would not create', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom(...agentOutcomes), (given, outcome) => {
      const { repository, ref, ...fields } = given
      const job = parseJob({ id: 'job_1', ...fields, source: { repository, ref } }, 'job_1') as Job
      const plain = printed(bland(job), outcome, { ...given, name: 'x', title: 'x', text: 'x' })
      const known = [job.link, job.repository].map((url) => decoded(URL.parse(url ?? '')?.href ?? ''))
      for (const value of Object.values(outputsOf(aResult({ job }), serverUrl)))
        expect(value).toMatch(/^[^\n\r]*$/)
      for (const [at, markdown] of printed(job, outcome, given).entries()) {
        const tree = render(markdown)
        expect(elements(tree)).toEqual(elements(render(plain[at] ?? '')))
        expect(mentions(tree)).toEqual([])
        for (const url of links(tree))
          if (!known.includes(url)) expect(url).toMatch(/^https:\/\/(github|app\.mintlify)\.com/)
      }
    }),
    runs(8),
  )
})

it('the output `results` is one line, and has titles of at most 200 visible characters', () => {
  fc.assert(
    fc.property(hostileText, (title) => {
      const result = aResult({ changes: someChanges({ title }) })
      const link = { repository: 'acme/app', commit: 'c' }
      const job: SettledJob = { job: 'j', since: 0, link, state: 'settled', result, accounts: null }
      const lists = { jobs: [job], pulls: [], isCut: false, problem: null }
      const { results } = settleOutputs({ outcome: 'settled', ...lists }, serverUrl)
      const [shown] = JSON.parse(results)
      expect(results).not.toMatch(/[\n\r]/)
      expect(shown.title).toBe(showHidden(shown.title))
      expect(shown.title.length).toBeLessThanOrEqual(200)
    }),
    runs(20),
  )
})

it('the log has a few short lines for each message, without hidden characters, whatever comes from outside', () => {
  const rejection = hostileText.map((detail) => ({ kind: 'rejected', status: 403, detail }) as const)
  const call = fc
    .tuple(fc.constantFrom(...operations), anyFailure)
    .map(([name, failure]) => platform(name, failure))
  fc.assert(
    fc.property(hostileText, rejection, call, (text, rejected, problem) => {
      const thread = { ...asked.thread, repository: text }
      const timeout = aResult({ outcome: 'timed-out', job: null, problem })
      const entries = [
        say.job('create', text),
        say.status(text),
        say.unknownStatus(text),
        say.failing(problem, 1),
        say.githubFailed('reply', thread, rejected),
        say.githubFailed('label', thread, rejected, [text]),
        say.foreignPull(thread, text, 'x'),
        say.jobOver(text),
        say.githubFailed('files', text, rejected),
        ...agentEnding(timeout, new Set()).entries.slice(0, 1),
      ]
      for (const { text: shown } of entries) {
        expect(shown).toMatch(/^[^\r\u2028\u202E]{5,1200}$/)
        expect(shown.split('\n').length).toBeLessThanOrEqual(6)
      }
    }),
    runs(20),
  )
})

it.each([
  ['commands', '::error::x\n ::set-output name=a::b\n##[add-path]x\n'],
  ['the end of a group', '::endgroup::\n'],
  ['a table', '| a | b |\n|---|---|\n| c | d |\n'],
  ['fences', '```\n````\n'],
  ['backticks', '`'],
  ['hidden characters', '\u202E'],
  ['wide characters', '漢'],
  ['surrogate pairs', '😀'],
  ['entities', '<&>"'],
])('100,000 characters of outside text (%s) stay in their group, within the limits of GitHub', (_, part) => {
  const text = part.repeat(100_000 / part.length)
  const path = part.repeat(1 + 1_000 / part.length)
  const leftOut = Array.from({ length: 2_000 }, () => ({ path, why: 'binary' }))
  const prompt = { text, included: [], leftOut }
  const problem = platform('read', { kind: 'rejected', status: 400, detail: part.repeat(1_000) })
  const result = aResult({ outcome: 'error', prompt, problem })
  const { summary: markdown } = agentEnding(result, new Set())
  expect(Buffer.byteLength(markdown)).toBeLessThan(1_048_576)
  const [group] = say.prompt(prompt, null)
  expect(group?.level).toBe('group')
  expect(group?.text.length).toBeLessThanOrEqual(65_536)
  expect(withoutCommands(group?.text ?? '')).not.toMatch(/^\s*::|##\[/m)
})

it('the description of a status has at most 100 characters, and that of a hold at most 140, whatever the link', () => {
  fc.assert(
    fc.property(webUrl, fc.nat(300), (start, more) => {
      const long = start + 'x'.repeat(more)
      const result = aResult({ changes: someChanges() })
      const job = parseJob({ id: 'job_1', prLink: long }, 'job_1') ?? null
      expect(words.status({ ...result, job }).length).toBeLessThanOrEqual(100)
      const code = { repository: long, repositoryId: '2', number: 1, head: 'a', hold: 'merge' } as const
      expect(words.hold(code, 'closed').length).toBeLessThanOrEqual(140)
    }),
    runs(30),
  )
})
