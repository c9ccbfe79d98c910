/** Every fault in every operation, and the rules that apply to all of them. */
import type { FaultAction } from '../sandbox/faults.ts'
import { accountOn, type Platform, sandboxKey, startPlatform } from '../sandbox/platform/server.ts'
import { seededTraffic } from '../sandbox/platform/traffic.ts'
import { runStep, type StepResult } from '../sandbox/runner/step.ts'
import { makeCertificate, remoteName, startTls } from '../sandbox/tls.ts'
import { finishedJob } from '../test/service.ts'
import type { Verdict } from './verdict.ts'

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

const targets = ['create', 'read', 'message', 'visitors'] as const
type Target = (typeof targets)[number]

/** A fault of an operation. `hides`: it can hide that a send was carried out, so that the send ends unconfirmed. */
type Case = [name: string, hides: boolean, action: FaultAction, times?: number]

const status = (code: number, headers: Record<string, string> = {}): FaultAction => {
  return { status: code, body: { error: `made to answer ${code}` }, headers }
}
const keyForms = [sandboxKey, btoa(sandboxKey), btoa(`Bearer ${sandboxKey}`)]
const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()

const cases: Case[] = [
  ['reset before processing', true, { kind: 'reset', when: 'before' }],
  ['reset after processing', true, { kind: 'reset', when: 'after' }],
  ['hang at headers', true, { kind: 'hang', at: 'headers' }],
  ['hang at body', true, { kind: 'hang', at: 'body' }],
  ['truncated', true, { kind: 'cut' }],
  ['not JSON', true, { kind: 'raw', body: '<html>Welcome</html>' }],
  ['wrong shape', true, { kind: 'raw', body: '{"jobs":[]}' }],
  ['21 MB', true, { kind: 'raw', body: `{}${' '.repeat(21_000_000)}` }],
  ['redirect elsewhere', false, status(301, { location: 'http://127.0.0.1:9/' })],
  ['key echoed', false, { status: 400, message: keyForms.join(' ') }],
  ['401', false, status(401)],
  ['404', false, status(404)],
  ['408', true, status(408)],
  ['429 once', false, status(429), 1],
  ['429, in 1 s', false, status(429, { 'retry-after': '1' })],
  ['429, in an hour by date', false, status(429, { 'retry-after': inAnHour })],
  ['502 once', true, status(502), 1],
  ['503 for ever', true, status(503)],
]

/** All runs of the matrix. */
export async function matrix(): Promise<(() => Promise<Verdict>)[]> {
  const certificate = await makeCertificate()
  return [
    ...targets.flatMap((target) => cases.map((fault) => () => runCell(target, fault))),
    ...(['create', 'visitors'] as const).flatMap((target) => [
      () => runUnreachable(target, 'refused', 'http://127.0.0.1:1'),
      () => runUnreachable(target, 'proxy down', `https://${remoteName}:1`),
      async () => {
        const tls = await startTls(1, certificate)
        const run = runUnreachable(target, 'wrong certificate', `https://localhost:${tls.port}`)
        return run.finally(() => tls.close())
      },
    ]),
  ]
}

async function runCell(target: Target, [name, hides, action, times]: Case): Promise<Verdict> {
  const faults = [{ on: target, ...action, ...(times && { times }) }]
  const platform = await startPlatform({ faults, readsUntilEnd: 1, visitors: seededTraffic() })
  try {
    const known = target === 'message' ? await finishedJob(platform, 2) : ''
    const before = platform.requests.length
    const step = await run(target, platform.url, known)
    return judge(target, name, hides, platform.requests.length - before, step, platform.jobs)
  } finally {
    await platform.close()
  }
}

async function runUnreachable(target: Target, name: string, url: string): Promise<Verdict> {
  const step = await run(target, url, '', { https_proxy: 'http://127.0.0.1:1' })
  return judge(target, name, false, 0, step, new Map())
}

function run(target: Target, url: string, known: string, env = {}): Promise<StepResult> {
  const inputs =
    target === 'visitors' ? visitorsInputs : { prompt: 'Fix it', 'poll-interval': '1s', 'job-id': known }
  return runStep({ with: { ...accountOn({ url }), ...inputs, timeout: `${timeout}s` }, env })
}

function judge(
  target: Target,
  name: string,
  hides: boolean,
  requests: number,
  step: StepResult,
  jobs: Platform['jobs'],
): Verdict {
  const { outcome = '', jobId = '', complete } = step.outputs
  const messages = [...jobs.values()].reduce((sum, job) => sum + job.messages.length, 0)
  const sent = target === 'message' ? messages : jobs.size
  const isVisitors = target === 'visitors'
  const isSend = target === 'create' || target === 'message'
  const log = step.rawStdout.replace(/^::add-mask::.*$/gm, '')
  const shown = [log, step.rawStderr, step.summary, ...Object.values(step.outputs)].join('\n')
  return {
    name: `${target.padEnd(8)} ${name}`,
    outcome,
    note: `${requests} requests, ${jobs.size} jobs, ${(step.took / 1000).toFixed(1)} s`,
    rules: {
      'no outcome': outcome === '',
      'sent twice': jobs.size > 1 || messages > 1,
      'job id lost': /^Created job/m.test(log) && jobId === '',
      'a job that was not reported': sent > 0 && jobId === '' && outcome !== 'unconfirmed',
      'unconfirmed without need': isSend && !hides && outcome === 'unconfirmed',
      'key leaked': keyForms.some((form) => shown.includes(form.replace(/=+$/, ''))),
      'past its deadline': step.took > (timeout + grace) * 1000,
      'commanded the runner': step.rejectedCommands.length > 0,
      'wrong color': (step.exitCode === 0) !== (outcome === (isVisitors ? 'reported' : 'pull-request')),
      'over its budget': isVisitors && requests > maxRequests,
      'lacks pages and does not say so':
        outcome === 'reported' &&
        (complete === 'true') === /Not all pages|Nothing is compared/.test(step.summary),
      'stack trace': /\n\s+at .*\(/.test(shown),
    },
  }
}
