/** What real tools and services do where a guess is easily wrong. */
import { expect, it } from 'vitest'
import { issueComment } from '../../sandbox/payloads.ts'
import { createWorld, report } from './world.ts'

const counts = { human: 5, ai: 1, total: 6 }
const question = (id: string, query: string, resolutionStatus = 'unanswered') => ({
  id,
  timestamp: '2025-11-04T00:00:00Z',
  query,
  response: 'It depends.',
  sources: [],
  resolutionStatus,
  queryCategory: null,
  pageUrl: '/guides',
})

it.each([
  ['A year', '2024-11-01', '2025-11-01', ['Nov 2017', 'Nov 2024']],
  ['Two months', '2025-08-01', '2025-10-01', ['May 2024', 'Aug 2025']],
  ['An hour', '2025-11-03T08:00:00Z', '2025-11-03T09:00:00Z', ['Nov 3, 01:00', 'Nov 3, 08:00']],
])('the chart has eight labels that differ: %s', async (_, from, to, ends) => {
  const site = { visitors: () => ({ totals: counts, rows: [] }) }
  const run = await report({ 'date-from': from, 'date-to': to, 'report-dir': 'report' }, site)
  const labels = /x-axis \[(.*)\]/.exec(run.read('report.md'))?.[1]?.match(/"[^"]*"/g) ?? []
  expect([labels.length, new Set(labels).size]).toEqual([8, 8])
  expect([labels[0], labels.at(-1)]).toEqual(ends.map((label) => `"${label}"`))
})

const paths = ['/guides', '/guides/install', '/guides/', '/es', '/es/a', '/api/what-is-new?', '/api/100%']

it.each([
  ['/guides/**', ['/guides', '/guides/', '/guides/install']],
  ['!/es/**\n!/api/**', ['/guides', '/guides/', '/guides/install']],
  ['/api/**', ['/api/100%', '/api/what-is-new?']],
])('a report with the paths %j has the pages %j', async (globs, expected) => {
  const rows = paths.map((path) => ({ path, ...counts }))
  const site = { visitors: () => ({ totals: counts, rows }) }
  const inputs = { paths: globs, 'site-url': 'https://docs.example.com', 'report-dir': 'report' }
  const run = await report(inputs, site)
  const pages = JSON.parse(run.read('report.json')).pages.rows.map(({ path }: { path: string }) => path)
  expect(pages.sort()).toEqual(expected)
  const page = run.read('report.html')
  expect(page.includes('/api/what-is-new%3F"')).toBe(expected.includes('/api/what-is-new?'))
  expect(page.includes('/api/100%25"')).toBe(expected.includes('/api/100%'))
})

it('turns without conversationId are grouped by their id, and an empty batch is passed over', async () => {
  const conversations = [
    question('c1', 'How?'),
    question('c1', 'How exactly?'),
    question('c2', 'Why?'),
    question('c3', 'Where?', 'answered'),
  ]
  const readers = () => ({ votes: [], comments: [], searches: [], conversations })
  const empty = { status: 200, body: { totals: counts, visitors: [], hasMore: true } } as const
  const faults = [{ on: 'visitors', times: 1, ...empty } as const]
  const rows = Array.from({ length: 300 }, (_, at) => ({ path: `/${at}`, ...counts }))
  const site = { visitors: () => ({ totals: counts, rows }), readers, faults }
  const run = await report({ sections: 'questions', 'report-dir': 'report' }, site)
  expect(run.read('report.md')).toContain('2 of 3 conversations went unanswered')
  expect(run.outputs).toMatchObject({ outcome: 'reported', complete: 'true' })
})

const text = `0. Install
1. Run step 0 again

   7) Nested

     loose

10<sup>6</sup> rows, 2<sup>-10</sup> bytes, H<sub>2</sub>O, <kbd>Ctrl</kbd><kbd>C</kbd>

| type | default |
|---|---|
| \`string \\| null\` | a \\| b |

<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">c</td><td>d</td></tr><tr><td>e</td></tr></table>`

it('the agent reads numbers, powers, keys and cells as people see them', async () => {
  const world = await createWorld()
  await world.run(issueComment({ text }))
  const [sent = ''] = world.prompts()
  for (const line of [
    '0. Install',
    '1. Run step 0 again',
    '10^6 rows, 2^-10 bytes, H_2O, [Ctrl][C]',
    '| `string \\| null` | a \\| b |',
    '| c | d |',
    '|  | e |',
  ])
    expect(sent).toContain(`${line}\n`)
  expect(sent).toContain('7. Nested')
})
