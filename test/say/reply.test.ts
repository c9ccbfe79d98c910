import fc from 'fast-check'
import { expect, it } from 'vitest'
import { issueComment } from '../../sandbox/payloads.ts'
import type { Failure } from '../../src/core/job/response.ts'
import type { Problem } from '../../src/core/problem.ts'
import { promptFor } from '../../src/core/prompt/context.ts'
import { readTrigger } from '../../src/core/trigger/trigger.ts'
import { prose } from '../../src/say/markdown.ts'
import { explain } from '../../src/say/problems.ts'
import {
  deniedComment,
  documentationComment,
  helpComment,
  holdDescription,
  provenanceComment,
  resultComment,
  statusDescription,
} from '../../src/say/replies.ts'
import { agentSummary } from '../../src/say/summary.ts'
import { createWords } from '../../src/say/words.ts'
import { aJob, broken, hostileText, rejected, runs, webUrl } from '../core/samples.ts'
import { elements, links, mentions, render } from './github.ts'
import { anOrigin, aResult, jobRef, platform, problems, someChanges } from './samples.ts'

const context = { command: '/docs', runUrl: 'https://github.com/acme/docs/actions/runs/1' }
const prLink = 'https://github.com/acme/docs/pull/7'

it("a reply contains only the action's own links, and no mentions, whatever the platform sends", () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (detail, ref, model) => {
      const job = aJob({ ref, model })
      const results = [
        aResult({
          outcome: 'error',
          job,
          problem: platform('read', { ...rejected(400), detail } as Failure),
        }),
        aResult({
          outcome: 'unconfirmed',
          job,
          problem: platform('create', { ...broken(500), detail } as Failure),
        }),
      ]
      for (const result of results) {
        const tree = render(resultComment(result, context, jobRef))
        expect(links(tree)).toEqual([context.runUrl])
        expect(mentions(tree)).toEqual([])
      }
    }),
    runs(20),
  )
})

it('a hostile comment adds no link or mention to the reply, and no element to the summary', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const trigger = readTrigger(issueComment({ body: `/docs ${text}` }), {
        command: '/docs',
        label: null,
        agentLogin: '',
      })
      if (trigger.kind !== 'command') throw new Error('not a command')
      const asked = promptFor(null, trigger, { text: '', leftOut: [] })
      const prompt = { text: `${asked.prompt}\n\n${asked.context.text}`, included: [], leftOut: [] }
      const result = aResult({ outcome: 'failed', job: aJob({}), prompt })
      const reply = render(resultComment(result, context, jobRef))
      const summary = render(agentSummary(result, jobRef))
      const plain = render(agentSummary({ ...result, prompt: { ...prompt, text: 'Fix it' } }, jobRef))
      expect(links(reply)).toEqual([context.runUrl])
      expect(links(summary)).toEqual(links(plain))
      expect(elements(summary)).toEqual(elements(plain))
      expect([...mentions(reply), ...mentions(summary)]).toEqual([])
    }),
    runs(20),
  )
})

it("a hostile title, file name or login causes no link besides the action's own", () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (title, path, login) => {
      const url = `${prLink}/files#diff-1`
      const file = { path, previousPath: path, status: 'renamed', additions: 1, deletions: 1, url }
      const total = { files: 1, additions: 1, deletions: 1 }
      const changes = {
        opened: { author: login, branch: null },
        title,
        head: 'h',
        files: [file],
        total,
        isCut: false,
      }
      const problem: Problem = { type: 'out-of-bounds', files: { kind: 'outside', paths: [path] } }
      const result = aResult({ outcome: 'out-of-bounds', job: aJob({ prLink }), changes, problem })
      const change = { repository: 'acme/app', head: '4f2c9a1b8d', number: null, author: login }
      const request = { login, url: 'https://github.com/acme/app/issues/3' }
      const server = { command: '/docs', serverUrl: 'https://github.com' }
      const expected: [markdown: string, links: string[]][] = [
        [resultComment(result, { ...context, request }, jobRef), [request.url, prLink, url, context.runUrl]],
        [agentSummary(result, jobRef), [prLink, url, 'https://github.com/acme/docs']],
        [
          provenanceComment(server, anOrigin({ change, requester: login }), result),
          ['https://github.com/acme/app/commit/4f2c9a1b8d', url],
        ],
        [documentationComment(prLink, changes), [prLink]],
        [deniedComment({ type: 'not-allowed', login, required: 'write', isBot: false }, context), []],
      ]
      for (const [markdown, wanted] of expected) {
        const tree = render(markdown)
        expect(links(tree)).toEqual(wanted)
        expect(mentions(tree)).toEqual([])
        expect(
          elements(tree).filter((name) => /^(img|script|h1|blockquote|ol|hr|del|em)$/.test(name)),
        ).toEqual([])
      }
    }),
    runs(20),
  )
})

it('a reply suggests nothing that only a maintainer can do', () => {
  const unsent = problems.filter(([, { type }]) => type !== 'out-of-bounds')
  const told = unsent.map(([, problem]) => ({
    text: resultComment(aResult({ outcome: 'error', jobId: null, job: null, problem }), context, jobRef),
    ...explain(problem, jobRef),
  }))
  expect(told.filter(({ text, next }) => next !== '' && text.includes(prose(next)))).toEqual([])
  expect(told.filter(({ text }) => !/comment `\/docs …` again/.test(text))).toEqual([])
})

it('a reply about invalid inputs says that the workflow is misconfigured, and points to the run', () => {
  const faults = [{ input: 'timeout', got: '"soon"', expected: 'a duration such as 90s' }]
  const result = aResult({ outcome: 'error', jobId: null, job: null, problem: { type: 'inputs', faults } })
  const reply = resultComment(result, context, jobRef)
  expect(reply).toContain(
    'The workflow is misconfigured: `timeout` got "soon", expected a duration such as 90s.',
  )
  expect(reply).toContain(`A maintainer can fix this: [the run](${context.runUrl}) says how.`)
})

it("the comment on the agent's pull request says who asked for it and where, and explains the reactions", () => {
  const thread = { repository: 'acme/app', number: 3, isPullRequest: false, reviewRoot: null }
  const server = { command: '/docs', serverUrl: 'https://github.com' }
  const comment = provenanceComment(server, anOrigin({ thread }), aResult())
  expect(comment).toContain('`mona` asked for it in acme/app#3.')
  expect(comment).toMatch(/👀 .*🚀 .*😕/)
  expect(helpComment(server, { role: 'write', bots: [] })).toMatch(/👀 .*🚀 .*😕/)
})

it.each([
  ['ACME/app', true],
  ['acme/docs', false],
])(
  'a pull request in %s invites to comment a command only if it is in the repository of the workflow',
  (repository, isHome) => {
    const step = { jobRef, runUrl: '', serverUrl: 'https://github.com', repository: 'acme/app' }
    const words = createWords({ ...step, command: '/write' })
    const code = { repository, number: 12, head: 'abc', hold: 'merge' } as const
    expect(words.provenance(aResult(), anOrigin(), repository).includes('/write')).toBe(isHome)
    expect(words.released(code, prLink, true).includes('/write')).toBe(isHome)
  },
)

it('a commit status has at most 100 characters, or 140 for a hold, whatever the link', () => {
  fc.assert(
    fc.property(webUrl, fc.nat(300), (start, more) => {
      const url = start + 'x'.repeat(more)
      const result = aResult({ job: aJob({ prLink: url }), changes: someChanges() })
      expect(statusDescription(result, jobRef).length).toBeLessThanOrEqual(100)
      const code = { repository: url, number: 12, head: 'a', hold: 'merge' } as const
      expect(holdDescription(code, 'closed').length).toBeLessThanOrEqual(140)
    }),
  )
})
