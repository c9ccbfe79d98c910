/**
 * `npm run faults`: runs the committed bundle over real sockets, with every fault in every operation. Prints a line for
 * each combination: the outcome, the requests, the jobs, and whether the key leaked. Then cancels runs at many
 * moments (cancel.ts), and tests a slow GitHub (slow.ts). Fails if a run breaks a rule.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountOn, type Platform, sandboxKey, startPlatform } from '../sandbox/platform/server.ts'
import { seededTraffic } from '../sandbox/platform/traffic.ts'
import { runStep, type StepResult } from '../sandbox/runner/step.ts'
import { outcomes } from '../src/core/outcome.ts'
import { finishedJob } from '../test/service.ts'
import { cancelSweep } from './cancel.ts'
import { type Case, cases, type Target, targets } from './cases.ts'
import { type Certificates, makeCertificates, startFront } from './front.ts'
import { inParallel } from './parallel.ts'
import { hangs, type SlowRun, showSlow, slowCancels } from './slow.ts'

/**
 * In seconds: the step's timeout, and the extra time that the step may take: 5 for the last poll, 1 for a late timer on a
 * busy machine, and 2 for the start.
 */
const timeout = 4
const grace = 5 + 1 + 2
const atOnce = 6

const maxRequests = 12
/** A week and the one before it. Reading the visitors of the made-up site takes several requests. */
const visitorsInputs = {
  mode: 'visitors',
  'date-from': '2026-10-05',
  'date-to': '2026-10-12',
  trend: '2',
  'max-requests': String(maxRequests),
}

interface Cell {
  target: Target
  fault: Case
  outcome: string
  jobId: string
  requests: number
  jobs: number
  messages: number
  leaked: boolean
  seconds: number
  broken: string[]
}

const folder = mkdtempSync(join(tmpdir(), 'faults-'))
const certificates = await makeCertificates()
const caFile = join(folder, 'ca.pem')
writeFileSync(caFile, String(certificates.valid.cert))

const jobs = targets.flatMap((target) => cases().map((fault) => () => runCell(target, fault, certificates)))
const cells = await inParallel(jobs, atOnce, show)
const swept = await cancelSweep(atOnce)
const slow = await slowGitHub()
slow.forEach(showSlow)
rmSync(folder, { recursive: true })

const broken = [...cells, ...swept, ...slow].filter((cell) => cell.broken.length > 0)
const count = (holds: (cell: Cell) => boolean) => cells.filter(holds).length
console.log(
  [
    `\n${cells.length} cells: ${count((cell) => cell.jobs > 1 || cell.messages > 1)} with a job or message twice,`,
    `${count((cell) => cell.broken.includes('job id lost'))} job ids lost, ${count((cell) => cell.leaked)} leaks,`,
    `${count((cell) => cell.broken.includes('past its deadline'))} past their deadline; ${swept.length} cancels.`,
  ].join(' '),
)
console.log(
  `${slow.length} runs with a slow GitHub: ${slow.filter((run) => run.broken.length > 0).length} broken.`,
)
const all = cells.length + swept.length + slow.length
console.log(`${all - broken.length} passed, ${broken.length} failed`)
if (broken.length > 0) process.exitCode = 1

async function slowGitHub(): Promise<SlowRun[]> {
  return [...(await hangs()), ...(await slowCancels(atOnce))]
}

async function runCell(target: Target, fault: Case, certificates: Certificates): Promise<Cell> {
  const faults = fault.action
    ? [{ on: target, do: fault.action, ...(fault.times && { times: fault.times }) }]
    : []
  const platform = await startPlatform({ faults, readsUntilEnd: 1, visitors: seededTraffic() })
  const first = { create: 0, read: 1, message: 1, visitors: 0 }[target]
  const front = fault.connection
    ? await startFront(platform.url, fault.connection, first, certificates, caFile)
    : undefined
  try {
    const known = target === 'message' ? await finishedJob(platform, 2) : ''
    const before = platform.requests.length
    const start = performance.now()
    const step = await runStep({
      with: {
        ...accountOn(front ?? platform),
        timeout: `${timeout}s`,
        ...(target === 'visitors'
          ? visitorsInputs
          : { prompt: 'Fix it', 'poll-interval': '1s', 'job-id': known }),
      },
      env: front?.env ?? {},
    })
    const seconds = (performance.now() - start) / 1000
    return judge({ target, fault, seconds, requests: platform.requests.length - before }, step, platform)
  } finally {
    await front?.close()
    await platform.close()
  }
}

/** Checks the rules that apply to every fault. */
function judge(
  cell: Pick<Cell, 'target' | 'fault' | 'seconds' | 'requests'>,
  step: StepResult,
  platform: Platform,
): Cell {
  const { outcome = '', jobId = '' } = step.outputs
  const messages = [...platform.jobs.values()].reduce((sum, job) => sum + job.messages.length, 0)
  const shown = [
    step.rawStdout.replace(/^::add-mask::.*$/gm, ''),
    step.rawStderr,
    step.summary,
    ...Object.values(step.outputs),
  ]
  const leaked = [sandboxKey, btoa(sandboxKey), btoa(`Bearer ${sandboxKey}`)].some((dress) =>
    shown.join('\n').includes(dress.replace(/=+$/, '')),
  )
  const isVisitors = cell.target === 'visitors'
  const sent = cell.target === 'message' ? messages : platform.jobs.size
  const answered = step.log.some(({ text }) => text.startsWith('Created job'))
  const faults: [boolean, string][] = [
    [!outcomes.some((known) => known === outcome), 'no outcome'],
    [platform.jobs.size > 1 || messages > 1, 'sent twice'],
    [answered && jobId === '', 'job id lost'],
    [sent > 0 && jobId === '' && outcome !== 'unconfirmed', 'a job that was not reported'],
    [
      cell.target !== 'read' && !isVisitors && !cell.fault.hides && outcome === 'unconfirmed',
      'unconfirmed without need',
    ],
    [leaked, 'key leaked'],
    [cell.seconds > timeout + grace, 'past its deadline'],
    [step.rejectedCommands.length > 0, 'commanded the runner'],
    [(step.exitCode === 0) !== (outcome === (isVisitors ? 'reported' : 'pull-request')), 'wrong color'],
    [isVisitors && cell.requests > maxRequests, 'over its budget'],
    [outcome === 'reported' && isSilentlyIncomplete(step), 'lacks pages and does not say so'],
    [/\n\s+at .*\(/.test(shown.join('\n')), 'stack trace'],
  ]
  const broken = faults.filter(([isBroken]) => isBroken).map(([, name]) => name)
  return { ...cell, outcome, jobId, jobs: platform.jobs.size, messages, leaked, broken }
}

function isSilentlyIncomplete({ outputs, summary }: StepResult): boolean {
  return (outputs.complete === 'true') === summary.includes('Incomplete')
}

function show(cell: Cell): void {
  const cells = [
    cell.target.padEnd(8),
    cell.fault.name.padEnd(26),
    cell.outcome.padEnd(13),
    `${cell.requests} requests`.padEnd(12),
    `${cell.jobs} jobs, ${cell.messages} messages`,
    cell.leaked ? 'LEAKED' : 'no leak',
    `${cell.seconds.toFixed(1)} s`,
    ...cell.broken.map((name) => `BROKEN: ${name}`),
  ]
  console.log(cells.join('  '))
}
