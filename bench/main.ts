/**
 * `npm run bench`: prints figures and their limits as Markdown. It never fails, because a busy machine can exceed the limits.
 * With section names after `--`, it prints only those sections.
 */
import { availableParallelism } from 'node:os'
import { table } from '../scripts/docs.ts'
import { monthRows } from './month.ts'
import { evaluate } from './poll.ts'
import { type Cost, limited, measure, works } from './scale.ts'
import { measureStart, runs, scriptSize } from './start.ts'
import { measureMemory, measurePaging } from './visitors.ts'

const memoryRuns = 3
/** The `dist` of another build, which is measured beside this one in the section "Scale". */
const otherBuild = process.env.BENCH_BEFORE
const [pages, roundTrip] = [100, 80]

const ms = (value: number) => `${value.toFixed(1)} ms`
const times = (value: number, over: number) => `${(value / over).toFixed(2)}×`
const megabytes = (value: number) => `${(value / 1e6).toFixed(2)} MB`

const sections: Record<string, () => string | Promise<string>> = {
  async start() {
    const { empty, action } = await measureStart()
    const rows = [
      ['time to first request', ms(empty), ms(action), times(action, empty), '3.10×'],
      ['JavaScript in dist', '', megabytes(scriptSize()), '', '0.95 MB'],
    ]
    return `Medians of ${runs} runs each; node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} processors.
An empty node makes no request: its time is to its exit.

${table(['', 'empty node', 'action', 'ratio', 'limit'], rows)}`
  },

  polling() {
    const rows = (['auto', 5_000, 10_000, 30_000, 60_000] as const).map((interval) => {
      const [meanLag, polls] = evaluate(interval)
      const name = interval === 'auto' ? interval : `every ${interval / 1000} s`
      return [name, `${meanLag.toFixed(1)} s`, polls.toFixed(1)]
    })
    return `Job durations lognormal: median 4 min, sigma 0.9, from 20 s to 60 min.

${table(['schedule', 'mean lag', 'polls'], rows)}`
  },

  month() {
    const head = ['100 pushes a month', 'jobs and follow-ups', 'minutes', 'minutes without waiting']
    return `Jobs of 4 min, and 15 s besides in each run. GitHub bills whole minutes.

${table(head, monthRows())}`
  },

  async visitors() {
    const { requests, pastEnd, took } = await measurePaging(pages, roundTrip)
    const [small, large] = [await measureMemory(12_500, memoryRuns), await measureMemory(25_000, memoryRuns)]
    const rows = [
      ['time over pages × round trip', (took / (pages * roundTrip)).toFixed(3), '1.05'],
      ['requests past an end', `${pastEnd} of ${requests}`, '0'],
      ['peak memory, 12,500 rows', megabytes(small), ''],
      ['peak memory, 25,000 rows, which Mintlify allows in an hour', megabytes(large), ''],
      ['ratio of the two', times(large, small), '2.00×'],
    ]
    return `Two periods of ${pages} pages each, read side by side from a server that takes ${roundTrip} ms for each. Memory is that of the
whole process, median of ${memoryRuns} runs, with both periods read and all files written.

${table(['', 'measured', 'limit'], rows)}`
  },

  async scale() {
    const rows: string[][] = []
    for (const [name, size, limit, make] of works) {
      const before = otherBuild === undefined ? undefined : await measure(make, size, otherBuild)
      const half = await measure(make, size / 2)
      const whole = await measure(make, size)
      const ratio = times(whole.github, half.github)
      rows.push([`${size} ${name}`, ...costCells(whole), ratio, limit, ...beforeCells(whole, before)])
    }
    const rest: string[][] = []
    for (const [name, size, make] of limited) {
      const before = otherBuild === undefined ? undefined : await measure(make, size, otherBuild)
      const cost = await measure(make, size)
      const { settled, pending, github, took, isGreen } = cost
      const cells = [settled, pending, github, isGreen ? 'green' : 'red', ms(took)].map(String)
      rest.push([`${size} ${name}`, ...cells, before === undefined ? '' : ms(before.took)])
    }
    const heads = ['', 'runs', 'reported', 'GitHub', 'Mintlify', 'CPU', 'memory', 'half', 'limit']
    return `Requests to GitHub and Mintlify, of all runs until nothing is left. "half": GitHub requests compared with half the size.
With \`BENCH_BEFORE\`, the folder of another build's \`dist\`, that build is measured beside this one.

${table([...heads, 'GitHub before', 'ratio'], rows)}

${table(['', 'reported', 'left', 'GitHub', 'step', 'time', 'time before'], rest)}`
  },
}

function costCells({ runs, settled, github, mintlify, cpu, peak }: Cost) {
  return [`${runs}`, `${settled}`, `${github}`, `${mintlify}`, ms(cpu), megabytes(peak)]
}

function beforeCells(whole: Cost, before: Cost | undefined) {
  return before === undefined ? ['', ''] : [`${before.github}`, times(whole.github, before.github)]
}

const wanted = process.argv.slice(2)
for (const [name, section] of Object.entries(sections))
  if (wanted.length === 0 || wanted.includes(name))
    console.log(`## ${name.replace(/^./, (letter) => letter.toUpperCase())}\n\n${await section()}\n`)
