/**
 * `npm run bench`: prints figures and their limits as Markdown. It never fails, because a busy machine can exceed the limits.
 * With section names after `--`, it prints only those sections.
 */
import { availableParallelism } from 'node:os'
import { table } from '../scripts/docs.ts'
import type { PollInterval } from '../src/core/job/schedule.ts'
import { measureBuild } from './build.ts'
import { monthHead, monthRows } from './month.ts'
import { evaluate, lowerBounds } from './poll.ts'
import { measureStart, sizeOf } from './start.ts'
import { measureMemory, measurePaging } from './visitors.ts'

const runs = 20
const memoryRuns = 3

const sections: Record<string, () => string | Promise<string>> = {
  start: startSection,
  build: buildSection,
  polling: pollSection,
  month: () => `## Month

Jobs of 4 min, and 15 s besides in each run. GitHub bills whole minutes.

${table(monthHead, monthRows())}
`,
  visitors: visitorsSection,
}

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in sections))
if (unknown === undefined) {
  for (const [name, section] of Object.entries(sections))
    if (wanted.length === 0 || wanted.includes(name)) console.log(await section())
} else {
  console.error(`There is no section ${unknown}. Sections: ${Object.keys(sections).join(', ')}.`)
  process.exitCode = 2
}

async function startSection(): Promise<string> {
  const { emptyTime, emptyPeak, actionTime, actionPeak } = await measureStart(runs)
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const ratio = (value: number, over: number) => `${(value / over).toFixed(2)}×`
  const rows = [
    ['time to first request', ms(emptyTime), ms(actionTime), ratio(actionTime, emptyTime), '3.10×'],
    ['peak memory', megabytes(emptyPeak), megabytes(actionPeak), ratio(actionPeak, emptyPeak), ''],
    ['JavaScript in dist', '', megabytes(sizeOf(undefined, '.js')), '', '0.95 MB'],
    ['all of dist', '', megabytes(sizeOf()), '', ''],
  ]
  return `## Start

Medians of ${runs} runs each; node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} processors.
An empty node makes no request: its time is to its exit.

${table(['', 'empty node', 'action', 'ratio', 'limit'], rows)}
`
}

async function buildSection(): Promise<string> {
  const rows = (await measureBuild(runs)).map(({ step, time, ratio, size }) => [
    `without ${step}`,
    `${time.toFixed(1)} ms`,
    `${((ratio - 1) * 100).toFixed(0)}%`,
    `${(size / 1000).toFixed(0)} KB`,
  ])
  return `## Build

What each step of the build gains: the bundle without it over the whole bundle, medians of ${runs} pairs. A step stays in
\`scripts/build.ts\` if leaving it out adds 5% or more to the time to the first request, or 100 KB or more.

${table(['', 'first request', 'longer by', 'larger by'], rows)}
`
}

function pollSection(): string {
  const bounds = lowerBounds()
  const intervals: PollInterval[] = ['auto', 5_000, 10_000, 30_000, 60_000]
  const rows = intervals.map((interval) => {
    const { meanLag, worstLag, polls, pollsOfLongest } = evaluate(interval)
    return [
      interval === 'auto' ? interval : `every ${interval / 1000} s`,
      ...[meanLag, worstLag].map((lag) => `${lag.toFixed(1)} s`),
      ...[polls, pollsOfLongest].map((count) => count.toFixed(1)),
      ((meanLag * polls) / bounds.expected).toFixed(2),
      ((meanLag * pollsOfLongest) / bounds.longest).toFixed(2),
    ]
  })
  const head = ['schedule', 'mean lag', 'worst lag', 'polls', '60 min job', 'lag × polls', 'lag × 60 min job']
  return `## Polling

Job durations lognormal: median 4 min, sigma 0.9, conditioned on 20 s to 60 min. The last two columns are over their lower
bounds, ${bounds.expected.toFixed(1)} s and ${bounds.longest.toFixed(1)} s (derived in bench/poll.ts).

${table(head, [...rows, ['limit for auto', '', '', '', '', '1.15', '1.30']])}
`
}

async function visitorsSection(): Promise<string> {
  const paging = await measurePaging(100, 80)
  const [small, large] = [await measureMemory(25_000, memoryRuns), await measureMemory(250_000, memoryRuns)]
  const overPages = paging.took / (paging.pages * paging.roundTrip)
  const rows = [
    ['time over pages × round trip', `${overPages.toFixed(3)}`, '1.05'],
    ['requests past an end', `${paging.pastEnd} of ${paging.requests}`, '0'],
    ['peak memory, 25,000 rows', megabytes(small), ''],
    ['peak memory, 250,000 rows', megabytes(large), ''],
    ['ratio of the two', `${(large / small).toFixed(2)}×`, '2.00×'],
  ]
  return `## Visitors

Two periods of ${paging.pages} pages each, read side by side from a server that takes ${paging.roundTrip} ms for each. Memory is that of the
whole process, median of ${memoryRuns} runs, with both periods read and all files written.

${table(['', 'measured', 'limit'], rows)}
`
}

function megabytes(value: number): string {
  return `${(value / 1e6).toFixed(2)} MB`
}
