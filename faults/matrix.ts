/** Every fault in every operation, and the rules that apply to all of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountOn, type Platform, sandboxKey, startPlatform } from '../sandbox/platform/server.ts'
import { seededTraffic } from '../sandbox/platform/traffic.ts'
import { runStep, type StepResult } from '../sandbox/runner/step.ts'
import { outcomes } from '../src/core/outcome.ts'
import { finishedJob } from '../test/service.ts'
import { type Case, cases, type Target, targets } from './cases.ts'
import { makeFront } from './front.ts'
import { brokenOf, type Verdict } from './verdict.ts'

/**
 * In seconds: the step's timeout, and the extra time that the step may take: 5 for the last poll, 1 for a late timer on a
 * busy machine, and 2 for the start.
 */
const timeout = 4
const grace = 5 + 1 + 2

const maxRequests = 12
/** Reading the visitors of the made-up site takes several requests. */
const visitorsInputs = {
  mode: 'visitors',
  'date-from': '2026-10-05',
  'date-to': '2026-10-12',
  'max-requests': String(maxRequests),
}

/** The number of connections that each operation's run opens before the operation. */
const earlier: Record<Target, number> = { create: 0, read: 1, message: 1, visitors: 0 }

/** All runs of the matrix. */
export async function matrix(): Promise<(() => Promise<Verdict>)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const startFront = await makeFront((certificate) => {
    const file = join(folder, 'ca.pem')
    writeFileSync(file, certificate)
    return file
  })
  return targets.flatMap((target) => cases().map((fault) => () => runCell(target, fault, startFront)))
}

async function runCell(
  target: Target,
  fault: Case,
  startFront: Awaited<ReturnType<typeof makeFront>>,
): Promise<Verdict> {
  const faults = fault.action
    ? [{ on: target, do: fault.action, ...(fault.times && { times: fault.times }) }]
    : []
  const platform = await startPlatform({ faults, readsUntilEnd: 1, visitors: seededTraffic() })
  const front = fault.connection && (await startFront(platform.url, fault.connection, earlier[target]))
  try {
    const known = target === 'message' ? await finishedJob(platform, 2) : ''
    const before = platform.requests.length
    const start = performance.now()
    const agentInputs = { prompt: 'Fix it', 'poll-interval': '1s', 'job-id': known }
    const step = await runStep({
      with: {
        ...accountOn(front ?? platform),
        timeout: `${timeout}s`,
        ...(target === 'visitors' ? visitorsInputs : agentInputs),
      },
      env: front?.env ?? {},
    })
    const seconds = (performance.now() - start) / 1000
    const requests = platform.requests.length - before
    return {
      name: `${target.padEnd(8)} ${fault.name}`,
      outcome: step.outputs.outcome ?? '',
      note: `${requests} requests, ${platform.jobs.size} jobs, ${seconds.toFixed(1)} s`,
      broken: judge({ target, fault, seconds, requests }, step, platform),
    }
  } finally {
    await front?.close()
    await platform.close()
  }
}

interface Cell {
  target: Target
  fault: Case
  seconds: number
  requests: number
}

function judge({ target, fault, seconds, requests }: Cell, step: StepResult, platform: Platform): string[] {
  const { outcome = '', jobId = '' } = step.outputs
  const messages = [...platform.jobs.values()].reduce((sum, job) => sum + job.messages.length, 0)
  const sent = target === 'message' ? messages : platform.jobs.size
  const isVisitors = target === 'visitors'
  const isSend = target === 'create' || target === 'message'
  const shown = [
    step.rawStdout.replace(/^::add-mask::.*$/gm, ''),
    ...[step.rawStderr, step.summary, ...Object.values(step.outputs)],
  ].join('\n')
  return brokenOf({
    'no outcome': !outcomes.some((known) => known === outcome),
    'sent twice': platform.jobs.size > 1 || messages > 1,
    'job id lost': step.log.some(({ text }) => text.startsWith('Created job')) && jobId === '',
    'a job that was not reported': sent > 0 && jobId === '' && outcome !== 'unconfirmed',
    'unconfirmed without need': isSend && !fault.hides && outcome === 'unconfirmed',
    'key leaked': [sandboxKey, btoa(sandboxKey), btoa(`Bearer ${sandboxKey}`)].some((form) =>
      shown.includes(form.replace(/=+$/, '')),
    ),
    'past its deadline': seconds > timeout + grace,
    'commanded the runner': step.rejectedCommands.length > 0,
    'wrong color': (step.exitCode === 0) !== (outcome === (isVisitors ? 'reported' : 'pull-request')),
    'over its budget': isVisitors && requests > maxRequests,
    'lacks pages and does not say so':
      outcome === 'reported' &&
      (step.outputs.complete === 'true') === /Not all pages|Nothing is compared/.test(step.summary),
    'stack trace': /\n\s+at .*\(/.test(shown),
  })
}
