/** Values that several tests start from, and fast-check's arbitraries for outside text. */
import fc from 'fast-check'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { Failure, UnreachableReason } from '../../src/core/http.ts'
import { inputNames, type RawInputs } from '../../src/core/inputs/schema.ts'
import type { Job } from '../../src/core/job.ts'
import { type AgentOutcome, outcomes } from '../../src/core/outcome.ts'
import type { CallName } from '../../src/core/problems.ts'

/** Number of samples for a property: the environment variable `RUNS`, or `usual` if it is not set. */
export const runs = (usual: number) => ({ numRuns: Number(process.env.RUNS ?? usual) })

/** How many cases are compared with an outside tool: a twentieth, or all with `npm run test:judges`, as in CI. */
export const judged = (all: number) => (process.env.JUDGES === 'all' ? all : Math.ceil(all / 20))

/** The rows of a table written as text: a row on each line, with cells between bars. */
export function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
}

/** All inputs, not set. */
export const noInputs = Object.fromEntries(inputNames.map((name) => [name, ''])) as RawInputs

/** The outcomes of mode agent. */
export const agentOutcomes = outcomes.filter(
  (outcome): outcome is AgentOutcome => !['settled', 'reported', 'alert', 'dry-run'].includes(outcome),
)

/** The calls to Mintlify. */
export const operations: CallName[] = ['create', 'read', 'message', 'analytics']

const reasons: UnreachableReason[] = ['certificate', 'proxy', 'connection']

/** An active job; `more` sets what is different. */
export function aJob(more: Partial<Job> = {}): Job {
  return {
    id: 'job_1',
    status: 'active',
    link: null,
    repository: 'https://github.com/acme/docs',
    branch: 'docs-agent/job_1',
    model: 'docs-writer-2',
    creationTime: '2026-11-02T10:00:00Z',
    archiveTime: null,
    ...more,
  }
}

export const unreachable = (reason: UnreachableReason): Failure => ({
  kind: 'unreachable',
  reason,
  code: 'E_CODE',
})
export const noResponse: Failure = { kind: 'no-response', code: 'ECONNRESET' }
export const unreadable: Failure = { kind: 'unreadable', status: 200, reason: 'not-json', code: '' }
export const redirected: Failure = { kind: 'redirected', status: 301, location: 'https://elsewhere.example/' }
const failed =
  (kind: 'rejected' | 'broken', detail: string) =>
  (status: number, wait?: number): Failure => {
    return { kind, status, detail, ...(wait !== undefined && { wait }) }
  }
export const rejected = failed('rejected', 'no')
export const broken = failed('broken', 'oops')

/** Failures of every kind, each with a name. */
export const failures: [name: string, failure: Failure][] = [
  ...reasons.map((reason): [string, Failure] => [`unreachable (${reason})`, unreachable(reason)]),
  ['no response', noResponse],
  ['unreadable', unreadable],
  ['redirected', redirected],
  ...[400, 401, 403, 404, 408, 409, 413, 418, 422, 429].map((status): [string, Failure] => [
    `${status}`,
    rejected(status),
  ]),
  ...[500, 502, 503, 504, 199].map((status): [string, Failure] => [`${status}`, broken(status)]),
]

const anyRetryAfter = fc.option(fc.nat(), { nil: undefined })
export const anyFailure: fc.Arbitrary<Failure> = fc.oneof(
  fc.constantFrom(...failures.map(([, failure]) => failure)),
  fc.tuple(fc.integer({ min: 400, max: 499 }), anyRetryAfter).map((values) => rejected(...values)),
  fc.tuple(fc.integer({ min: 500, max: 599 }), anyRetryAfter).map((values) => broken(...values)),
)

/** Parts of harmful outside text: Markdown, HTML, commands, mentions, hidden characters. */
const fragments = [
  ...'<b> </details> <script> </code> </a> <!-- --> | || ` ``` ~~~ * ** _ __ ~~ [x](//e.example) ![x](y)'.split(
    ' ',
  ),
  ...'@octocat #1 acme/docs#2 GH-3 4f2c9a1b8d :x: www.e.example https://e.example a@e.example [^1]'.split(
    ' ',
  ),
  ...'&amp; &#60; \\ : ::error:: ##[error] [!NOTE] $x$ %0A 😀 é a .'.split(' '),
  ...[
    '<img src=x onerror=1>',
    '<a href="//e.example">',
    '- ',
    '1. ',
    '# ',
    '> ',
    ' ',
    '    ',
    '\u0024{{ x }}',
  ],
  ...['\n', '\n\n', '\r', '\r\n', '\t', '\u202E', '\u200B', '\u{E0041}', '\uFEFF', '\u2028', '\u0000'],
  ...['\u001B[31m', '\uD800'],
]

/** Any character. fast-check has the unit `binary` for this, but it takes a second to create. */
export const anyCharacter = fc
  .oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))

const inUrls = fc.oneof(
  fc.constantFrom(..."abcXYZ019-._~!$&'()*+,;=:@"),
  anyCharacter.map((character) => encodeURIComponent(character)),
)

/** The path of a URL. fast-check has an arbitrary for this, but it takes a second to create. */
export const urlPath: fc.Arbitrary<string> = fc
  .array(fc.string({ unit: inUrls, maxLength: 12 }), { maxLength: 8 })
  .map((segments) => segments.map((segment) => `/${segment}`).join(''))

/** A web URL, sometimes with a query and a fragment. */
export const webUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    urlPath,
    fc.option(fc.string({ unit: inUrls }), { nil: '' }).map((query) => query && `?${query}`),
    fc.option(fc.string({ unit: inUrls }), { nil: '' }).map((fragment) => fragment && `#${fragment}`),
  )
  .map(([scheme, host, ...rest]) => `${scheme}://${host}${rest.join('')}`)

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

/** A key that the action accepts: at least eight visible ASCII characters. */
export const aKey: fc.Arbitrary<string> = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 40,
  }),
  fc
    .string({ unit: fc.constantFrom(...'abcXYZ0189-_'), minLength: 8, maxLength: 40 })
    .map((rest) => `mint_${rest}`),
)

/** The top level of a Markdown text: the kinds of its blocks, and the contents of its code blocks. */
export function blocksOf(markdown: string) {
  const { children } = unified().use(remarkParse).parse(markdown)
  return {
    kinds: children.map(({ type }) => type),
    code: children.flatMap((node) => (node.type === 'code' ? [node.value] : [])),
  }
}
