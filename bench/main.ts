/**
 * `npm run bench`: prints figures and their limits as Markdown. It never fails, because a busy machine can exceed the limits.
 * With section names after `--`, it prints only those sections.
 */
import { availableParallelism } from 'node:os'
import { measureBuild } from './build.ts'
import { halved, nothingFixed, type Verdicts } from './fixes.ts'
import { type Load, loads, plans, runners } from './minutes.ts'
import { monthHead, monthRows } from './month.ts'
import { backOff, type Evaluation, evaluate, lowerBounds, ours, type Schedule } from './poll.ts'
import { measureHeld, measureSettle, type SettleRequests } from './settle.ts'
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

const sections: Record<string, () => string | Promise<string>> = {
  start: startSection,
  build: buildSection,
  polling: pollSection,
  month: monthSection,
  minutes: minutesSection,
  settle: settleSection,
  visitors: visitorsSection,
  fixes: fixesSection,
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
  const figures = await measureStart(runs)
  const { emptyTime, emptyPeak, actionTime, actionPeak, distSize, bundleSize, parserSize, bareTimes } =
    figures
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

dist: ${distSize} bytes, of which index.js ${bundleSize}, and ${parserSize} for the HTML parser, which a step loads only to
read a thread or a release. The goal for the time is 2.50×; the rows below it are steps that do
nothing but send one request, by the packages that the action is made of.
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
\`scripts/bundle.ts\` if leaving it out adds 5% or more to the time to the first request, or 100 KB or more.

${table(['', 'first request', 'longer by', 'larger by'], rows)}
`
}

function pollSection(): string {
  const bounds = lowerBounds()
  const rows = Object.entries(schedules).map(([name, schedule]) => pollRow(name, evaluate(schedule), bounds))
  const head = [
    ...['schedule', 'mean lag', 'p95 lag', 'worst lag', 'requests', '60 min job'],
    ...['lag × requests', 'lag × 60 min job'],
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

function monthSection(): string {
  return `## Month

Jobs and follow-ups for 100 pushes on workdays, by how often the step runs. Mintlify's averages are 115 credits for a run of the agent in
the editor and 180 for one after code changes. Jobs take 4 min, and runs 15 s besides.

${table(monthHead, monthRows())}
`
}

function minutesSection(): string {
  const head = ['a month', ...loads.flatMap(({ name }) => runners.map((runner) => `${name}, ${runner.name}`))]
  const rows = plans.map(({ name, minutes }) => [
    name,
    ...loads.flatMap((load) => runners.map((runner) => costOf(minutes(load, runner), runner.price, load))),
  ])
  const prices = runners.map(({ name, price }) => `${name} $${price.toFixed(3)}`).join(', ')
  return `## Minutes

Runner minutes that GitHub bills: each run is rounded up to whole minutes; ${prices} a minute. Runs take 15 s besides the
action. “As they come” is the distribution of the section on polling. What settles has a daily sweep (30 runs), except for the single job.

${table(head, rows)}
`
}

function costOf(minutes: number | null, price: number, { jobs }: Load): string {
  if (minutes === null) return 'ends after 15 min'
  const digits = jobs === 1 ? 3 : 2
  return `${minutes.toFixed(0)} = $${(minutes * price).toFixed(digits)}`
}

async function settleSection(): Promise<string> {
  const counts = [1, 5]
  const rows: string[][] = []
  const row = (name: string, { github, platform, settled }: SettleRequests) => [
    name,
    ...[github, platform].map(String),
    settled,
  ]
  for (const count of counts) {
    const { active, ended } = await measureSettle(count)
    rows.push(row(`${count} open, all active`, active), row(`${count} open, one ended`, ended))
  }
  const { waiting, merged } = await measureHeld(50)
  rows.push(row('50 pull requests that wait', waiting), row('50, and the code of one is merged', merged))
  return `## Settle

Requests of one step in mode settle, for commands on threads of their own, counted at the servers. A page holds 100 comments.

${table(['', 'to GitHub', 'to Mintlify', 'settled'], rows)}
`
}

async function visitorsSection(): Promise<string> {
  const paging = await measurePaging(100, 80)
  const [small, large] = [await measureMemory(25_000, memoryRuns), await measureMemory(250_000, memoryRuns)]
  const rendering = Object.entries(await measureRendering(25_000))
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

function fixesSection(): string {
  const percent = (fraction: number) => `${(100 * fraction).toFixed(1)}%`
  const row = (name: string, { measured, clear, change }: Verdicts, limit: string) => [
    name,
    ...[measured, clear, change].map(percent),
    limit,
  ]
  const rows = [
    ...[15, 40, 150].map((events) =>
      row(`nothing fixed, ${events} a week`, nothingFixed(events, 2_000), 'at most 10%'),
    ),
    ...[12, 40].map((events) =>
      row(`halved, ${events} before`, halved(events, 4_000), events === 40 ? 'at least 75%' : ''),
    ),
  ]
  return `## Fixes

The report's answer to “Did earlier fixes help?” on made-up sites. “Clear” is the share of 90% intervals that leave out zero, of those with
enough events. The three worst pages of a week are measured against the four weeks before it.

${table(['', 'measured', 'clear', 'mean change', 'limit for clear'], rows)}
`
}
