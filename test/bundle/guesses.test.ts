/** What real tools and services do where a guess is easily wrong, in the committed bundle. test/steps/guesses.test.ts has more. */
import { expect, it } from 'vitest'
import { issueComment } from '../../sandbox/payloads.ts'
import { bundle } from './run.ts'

it.concurrent('the chart of a year has eight labels that differ', async () => {
  const site = { visitors: () => ({ totals: { human: 5, ai: 1, total: 6 }, rows: [] }) }
  const dates = { 'date-from': '2024-11-01', 'date-to': '2025-11-01' }
  const run = await bundle.report({ ...dates, 'report-dir': 'report' }, site)
  const labels = /x-axis \[(.*)\]/.exec(run.read('report.md'))?.[1]?.match(/"[^"]*"/g) ?? []
  expect([labels.length, new Set(labels).size]).toEqual([8, 8])
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

it.concurrent('the agent reads numbers, powers, keys and cells as people see them', async () => {
  const world = await bundle.createWorld()
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
