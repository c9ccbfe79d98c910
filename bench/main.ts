/** `npm run bench`: figures beside their limits, as Markdown. It never judges: a machine under load would fail it. */
import { availableParallelism } from 'node:os'
import { backOff, type Evaluation, evaluate, lowerBounds, ours, type Schedule } from './poll.ts'
import { measureStart } from './start.ts'
import { table } from './table.ts'
import { measureMemory, measurePaging, measureRendering } from './visitors.ts'

const runs = 20
const memoryRuns = 3
const schedules: Record<string, Schedule> = {
  auto: ours('auto'),
  'every 5 s': ours(5_000),
  'every 10 s': ours(10_000),
  'every 30 s': ours(30_000),
  'every 60 s': ours(60_000),
  'back-off ×1.5': backOff(5, 1.5),
}

console.log(await startSection())
console.log(pollSection())
console.log(await visitorsSection())

async function startSection(): Promise<string> {
  const figures = await measureStart(runs)
  const { emptyTime, emptyPeak, actionTime, actionPeak, distSize, bundleSize, bareTimes } = figures
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const ratio = (value: number, over: number) => `${(value / over).toFixed(2)}×`
  const rows = [
    ['time to first request', ms(emptyTime), ms(actionTime), ratio(actionTime, emptyTime), '3.50×'],
    ...Object.entries(bareTimes).map(([name, time]) => [
      `the same, ${name}`,
      ms(emptyTime),
      ms(time),
      ratio(time, emptyTime),
      '',
    ]),
    ['peak memory', megabytes(emptyPeak), megabytes(actionPeak), ratio(actionPeak, emptyPeak), ''],
    ['dist', '', megabytes(distSize), '', '1.20 MB'],
  ]
  return `## Start

Medians of ${runs} runs each, shuffled; node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} processors.
An empty node makes no request: its time is to its exit. Time and memory are measured in runs of their own.

${table(['', 'empty node', 'action', 'ratio', 'limit'], rows)}

dist: ${distSize} bytes, of which index.js ${bundleSize}. The goal for the time is 2.50×; the rows below it are steps that do
nothing but send one request, by the packages that the action is made of.
`
}

function pollSection(): string {
  const bounds = lowerBounds()
  const rows = Object.entries(schedules).map(([name, schedule]) => pollRow(name, evaluate(schedule), bounds))
  const head = [
    ...['schedule', 'mean lag', 'p95 lag', 'worst lag', 'requests', 'of 60 min'],
    ...['lag × requests', 'lag × of 60 min'],
  ]
  return `## Polling

Job durations lognormal: median 4 min, sigma 0.9, conditioned on 20 s to 60 min. Requests are the reads until the end is seen:
expected, and of a job of 60 min. The last two columns are mean lag × these, over the lower bounds
of ${bounds.expected.toFixed(1)} s and ${bounds.longest.toFixed(1)} s (derived in bench/poll.ts). Back-off starts at 5 s and has no cap.

${table(head, [...rows, ['limit for auto', '', '', '', '', '', '1.15', '1.30']])}
`
}

function pollRow(
  name: string,
  { meanLag, p95Lag, worstLag, requests, requestsOfLongest }: Evaluation,
  bounds: { expected: number; longest: number },
): string[] {
  return [
    name,
    ...[meanLag, p95Lag, worstLag].map((lag) => `${lag.toFixed(1)} s`),
    ...[requests, requestsOfLongest].map((count) => count.toFixed(1)),
    ((meanLag * requests) / bounds.expected).toFixed(2),
    ((meanLag * requestsOfLongest) / bounds.longest).toFixed(2),
  ]
}

async function visitorsSection(): Promise<string> {
  const paging = await measurePaging(100, 80)
  const [small, large] = [await measureMemory(25_000, memoryRuns), await measureMemory(250_000, memoryRuns)]
  const rendering = Object.entries(measureRendering(25_000))
  const overPages = paging.took / (paging.pages * paging.roundTrip)
  const rows = [
    ['time over pages × round trip', `${overPages.toFixed(3)}`, '1.05'],
    ['requests past an end', `${paging.pastEnd} of ${paging.requests}`, '0'],
    ['peak memory, 25,000 rows', megabytes(small), ''],
    ['peak memory, 250,000 rows', megabytes(large), ''],
    ['ratio of the two', `${(large / small).toFixed(2)}×`, '2.00×'],
    ...rendering.map(([name, ms]) => [`${name}, 25,000 rows`, `${ms.toFixed(0)} ms`, '']),
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
