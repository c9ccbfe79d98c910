/**
 * The cost of large work: requests to GitHub and to Mintlify, CPU time and memory of the bundle, for much work and for
 * half of it. Records are written as the action writes them.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stepOn } from '../sandbox/demo.ts'
import { type Commit, commit, commits, historyOf } from '../sandbox/github/commits.ts'
import { type PullRequestOptions, Repository } from '../sandbox/github/repository.ts'
import { startGitHub } from '../sandbox/github/server.ts'
import type { SeedStatus } from '../sandbox/github/statuses.ts'
import type { SeedComment } from '../sandbox/github/threads.ts'
import { issueComment, pullRequest, scheduled } from '../sandbox/payloads.ts'
import type { JobEnd } from '../sandbox/platform/jobs.ts'
import { accountOn, sandboxKey, startPlatform } from '../sandbox/platform/server.ts'
import { projectDir } from '../sandbox/runner/action.ts'
import { FastClock } from '../sandbox/runner/fast-clock.ts'
import { runStep } from '../sandbox/runner/step.ts'
import { signWith } from '../src/adapters/sign.ts'
import { fingerprint } from '../src/core/mark.ts'
import { globsName } from '../src/core/pull-changes.ts'
import type { RawEvent } from '../src/core/trigger/event.ts'
import type { RunIdentity } from '../src/ports.ts'
import { writeComment, writeStatus } from '../src/record/format.ts'
import { dist, inFolder } from './process.ts'

const home = 'acme/docs'
const project = 'sandbox-docs'
const viewer = 'github-actions[bot]'
const agent = 'mintlify[bot]'
const globs = ['docs/**']
const sign = signWith(sandboxKey)
const hourMs = 3_600_000
/** Milliseconds that the platform takes for each request, in the measurement of time. */
const roundTrip = 80
/** Maximum number of runs until nothing is left. */
const maxRuns = 10

/** What one or more runs took. */
export interface Cost {
  runs: number
  github: number
  mintlify: number
  /** Milliseconds. */
  cpu: number
  /** Bytes, of the largest run. */
  peak: number
  /** Milliseconds that the runs took. */
  took: number
  /** How many requests were reported. */
  settled: number
  /** What the last run left. */
  pending: number
  /** Whether each run was green. */
  isGreen: boolean
}

/** Work of a size. */
interface Work {
  event: RawEvent
  inputs?: Record<string, string>
  repository: Repository
  comments?: readonly SeedComment[]
  statuses?: readonly SeedStatus[]
  /** How many jobs exist. Their numbers are from 1. */
  jobs?: number
  ends?: JobEnd
  /** Whether it repeats the run until nothing is left. */
  untilDone?: boolean
  delay?: number
  left?: number
}

type Make = (size: number, now: number) => Work

const jobId = (number: number) => `job_${String(number).padStart(4, '0')}`
const time = (at: number) => new Date(at).toISOString()

/** What an entry says about a job whose run ended two hours ago. */
function jobEntry(number: number, now: number, checked: boolean) {
  return {
    attempt: 1,
    writer: 'bench',
    state: 'job',
    job: jobId(number),
    link: null,
    since: now - 2 * hourMs + number * 1000,
    until: now - hourMs,
    isLeft: true,
    globs: checked ? globsName(globs) : null,
  } as const
}

/** The thread of a job, with the comment that asked and the working comment. */
function threadOfJob(number: number, now: number, home: Repository, checked: boolean): SeedComment[] {
  const issue = 10_000 + number
  const [ask, working] = [2 * number, 2 * number + 1]
  const thread = { number: issue, reviewRoot: null }
  const place = { ...thread, repository: home.name, repositoryId: `${home.id}`, isPullRequest: false }
  const names = { request: `comment:${ask}`, step: fingerprint('bench'), project: fingerprint(project) }
  const entry = { ...jobEntry(number, now, checked), ...names }
  const body = writeComment(
    'Working on it.',
    { ...entry, role: 'request', by: 'mona', isBot: false, code: null },
    place,
    sign,
  )
  const createdAt = time(entry.since)
  return [
    { id: ask, thread, body: '/docs Describe it.', user: 'mona', createdAt },
    { id: working, thread, body, user: viewer, createdAt },
  ]
}

/** The status of a job on a commit. */
function statusOfJob(
  number: number,
  now: number,
  home: Repository,
  { sha }: Commit,
  checked: boolean,
): SeedStatus {
  // Each commit has the requests of up to two steps.
  const context = `Docs agent / Docs / docs / step ${number % 2}`
  const targetUrl = `https://github.com/${home.name}/actions/runs/${number}`
  const entry = {
    ...jobEntry(number, now, checked),
    run: String(number),
    follows: 'commit',
    number: null,
    hides: false,
    writtenAt: now - 2 * hourMs + number * 1000,
  } as const
  const run = { repositoryId: `${home.id}`, step: { project } } as RunIdentity
  const target = { commit: sha, context, targetUrl }
  const description = writeStatus('The agent is working.', entry, target, { run, sign })
  const shown = { context, state: 'pending', description, targetUrl, creator: viewer } as const
  return { ...shown, repository: home.name, sha, createdAt: time(entry.since) }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const settling = { event: scheduled(home), inputs: { mode: 'settle', timeout: '6h' } }
const checking = { 'allowed-paths': globs.join(), 'pull-request-labels': 'docs' }

/** Jobs that were requested on threads. */
function onThreads(ends: JobEnd, checked: boolean, more: Partial<Work> = {}): Make {
  return (size, now) => {
    const repository = new Repository({ name: home, branches: { main: commits(3) } })
    const comments = numbers(size).flatMap((number) => threadOfJob(number, now, repository, checked))
    const inputs = { ...settling.inputs, ...(checked && checking) }
    return {
      ...settling,
      inputs,
      repository,
      comments,
      jobs: size,
      ends,
      untilDone: ends !== 'never',
      ...more,
    }
  }
}

/** Jobs that were requested on the last 50 commits of the default branch and on the heads of 50 pull requests. */
function onCommits(ends: JobEnd, checked: boolean, more: Partial<Work> = {}): Make {
  return (size, now) => {
    const main = commits(50)
    const heads = numbers(50).map((number) =>
      commit({ parents: [main], message: `Topic ${number}`, files: { [`src/${number}.ts`]: 'new\n' } }),
    )
    const pulls = heads.map((head, index): PullRequestOptions => {
      const updatedAt = time(now - hourMs)
      return { number: 1000 + index, head: { branch: `topic-${index}`, commit: head }, updatedAt }
    })
    const repository = new Repository({ name: home, branches: { main }, pulls })
    const places = [...historyOf(main).values(), ...heads]
    const statuses = numbers(size).flatMap((number) => {
      const place = places[Math.floor((number - 1) / 2)]
      return place === undefined ? [] : statusOfJob(number, now, repository, place, checked)
    })
    const inputs = { ...settling.inputs, ...(checked && checking) }
    const untilDone = ends !== 'never'
    return { ...settling, inputs, repository, statuses, jobs: size, ends, untilDone, ...more }
  }
}

const asking = { prompt: 'Update the docs', wait: 'false' }

/** A pull request whose files are in their own folders. */
const manyFiles: Make = (size) => {
  const main = commits(1)
  const files = Object.fromEntries(numbers(size).map((number) => [`folder-${number}/file.ts`, 'new\n']))
  const head = commit({ parents: [main], files })
  const pulls = [{ number: 12, head: { branch: 'topic', commit: head } }]
  const repository = new Repository({ name: home, branches: { main }, pulls })
  const event = pullRequest({ repository: home, head: { sha: head.sha } })
  return { event, inputs: asking, repository }
}

/** A command on a thread with many comments, of which the last ones are the command and the action's own. */
const manyComments: Make = (size) => {
  const repository = new Repository({ name: home, branches: { main: commits(1) } })
  const last = size - 2
  const event = issueComment({ id: last })
  const thread = { number: 7, reviewRoot: null }
  const comments = numbers(last).map((id) => {
    return { id, thread, body: id === last ? '/docs Describe it.' : `Comment ${id}`, user: 'mona' }
  })
  return { event, inputs: { command: '/docs', wait: 'false' }, repository, comments }
}

/** Everything since the last job, which was more than a week ago. */
const sinceLast: Make = (size, now) => {
  const pulls: PullRequestOptions[] = []
  let main = commit({ message: 'First', date: time(now - 48 * hourMs).replace(/\.\d+/, '') })
  for (let number = 1; number <= size; number++) {
    const files = { [`src/${number}.ts`]: `${number}\n` }
    const next = commit({ parents: [main], message: `Change ${number}`, files })
    const isPull = number % 25 < 12
    if (isPull) {
      const head = { branch: `topic-${number}`, commit: next }
      pulls.push({ number, head, base: { commit: main }, merged: { commit: next } })
    }
    main = next
  }
  const repository = new Repository({ name: home, branches: { main }, pulls })
  const inputs = { ...asking, 'context-diff': 'since-last' }
  return { event: scheduled(home), inputs, repository }
}

/** What is measured: the larger size, and what the requests to GitHub may grow to, compared with half the size. */
export const works: readonly [name: string, size: number, limit: string, make: Make][] = [
  ['finished jobs, with `allowed-paths`, labels and replies', 200, '2.00×', onThreads('pull-request', true)],
  ['finished jobs with replies', 200, '2.00×', onThreads('pull-request', false)],
  ['finished jobs without a pull request', 200, '2.00×', onThreads('failed', false)],
  [
    'finished jobs on commits, with `allowed-paths` and labels',
    200,
    '2.00×',
    onCommits('pull-request', true),
  ],
  ['active jobs on threads', 200, '2.00×', onThreads('never', false)],
  ['active jobs on commits', 200, '2.00×', onCommits('never', false)],
  ['files of a pull request, each in its own folder', 3000, '2.00×', manyFiles],
  ['comments on a thread', 3000, '2.00×', manyComments],
  ['commits in `since-last`, half of them in pull requests', 250, '2.00×', sinceLast],
]

/** What a workflow's token has in an hour. Each run uses at most half of it. */
const hourly = { left: 1_000, untilDone: false }

/** Runs in which GitHub or the platform have limits. */
export const limited: readonly [name: string, size: number, make: Make][] = [
  [
    `active jobs on threads, ${roundTrip} ms for each request`,
    200,
    onThreads('never', false, { delay: roundTrip }),
  ],
  [
    'finished jobs with `allowed-paths` and labels, 300 requests left',
    100,
    onThreads('pull-request', true, { left: 300, untilDone: false }),
  ],
  [
    'finished jobs without a pull request, 300 requests left',
    100,
    onThreads('failed', false, { left: 300, untilDone: false }),
  ],
  [
    'finished jobs with `allowed-paths`, labels and replies, 1,000 left',
    200,
    onThreads('pull-request', true, hourly),
  ],
  ['finished jobs with replies, 1,000 left', 200, onThreads('pull-request', false, hourly)],
  ['finished jobs without a pull request, 1,000 left', 200, onThreads('failed', false, hourly)],
  [
    'finished jobs on commits, with `allowed-paths` and labels, 1,000 left',
    200,
    onCommits('pull-request', true, hourly),
  ],
]

/** Writes the CPU time and the peak memory of the main script when it exits; see `peakRecorder`. */
const recorder = `
  const { appendFileSync, readFileSync } = require('node:fs')
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    const peak = process.platform === 'linux'
      ? /VmHWM:\\\\s+(\\\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
      : process.resourceUsage().maxRSS
    appendFileSync(process.env.BENCH_FILE, JSON.stringify({ cpu: (user + system) / 1000, peak: peak * 1024 }) + '\\n')
  })
`.replaceAll('\\\\', '\\')

/** Measures work of a size. @param build the folder with the bundle */
export function measure(make: Make, size: number, build = dist): Promise<Cost> {
  return inFolder(async (folder) => {
    const clock = new FastClock(100)
    const work = make(size, clock.now().getTime())
    const { event, inputs, repository, delay = 0, ends = 'never', jobs = 0, left } = work
    const slow = delay === 0 ? [] : [{ kind: 'meanwhile', run: () => sleep(delay) } as const]
    const hub = await startGitHub({
      ...work,
      repository: home,
      repositories: [repository],
      now: clock.now,
      viewer,
      roles: { mona: { permission: 'write', role_name: 'write' } },
      faults: slow,
      ...(left !== undefined && { left }),
    })
    const service = await startPlatform({
      ends,
      readsUntilEnd: 0,
      now: clock.now,
      opens: opensIn(repository, clock),
      faults: slow,
    })
    for (let number = 1; number <= jobs; number++) await createJob(service.url)
    const polled = service.requests.length
    const paths = { recorder: join(folder, 'recorder.cjs'), costs: join(folder, 'costs') }
    writeFileSync(paths.recorder, recorder)
    const actionDir = actionIn(folder, build)
    const total = { runs: 0, took: 0, settled: 0, pending: 0, isGreen: true }
    const options = stepOn(event, hub.url)
    do {
      const { took, outputs, exitCode } = await runStep({
        ...options,
        actionDir,
        hasPost: false,
        with: { ...accountOn(service), ...inputs },
        env: {
          ...options.env,
          GITHUB_REPOSITORY: home,
          GITHUB_SHA: repository.find('HEAD')?.sha ?? '',
          GITHUB_REPOSITORY_ID: `${repository.id}`,
          BENCH_FILE: paths.costs,
          NODE_OPTIONS: `--require ${paths.recorder} ${clock.options}`,
        },
      })
      total.runs++
      total.took += took
      total.settled += Number(outputs.settled || 0)
      total.pending = Number(outputs.pending || 0)
      total.isGreen &&= exitCode === 0
    } while (work.untilDone && total.pending > 0 && total.runs < maxRuns)
    const lines = readFileSync(paths.costs, 'utf8').trim().split('\n')
    const costs = lines.map((line): Pick<Cost, 'cpu' | 'peak'> => JSON.parse(line))
    const github = hub.requests.length
    const mintlify = service.requests.length - polled
    await Promise.all([hub.close(), service.close()])
    const cpu = costs.reduce((sum, each) => sum + each.cpu, 0)
    return { ...total, github, mintlify, cpu, peak: Math.max(...costs.map(({ peak }) => peak)) }
  })
}

/** Creates a job on the platform. */
async function createJob(url: string) {
  const headers = { authorization: `Bearer ${sandboxKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ prompt: 'Describe it.' })
  await fetch(`${url}/v2/agent/${project}/job`, { method: 'POST', headers, body })
}

/** A folder with the action's description and a build of it. */
function actionIn(folder: string, build: string) {
  const actionDir = join(folder, 'action')
  mkdirSync(actionDir)
  cpSync(join(projectDir, 'action.yml'), join(actionDir, 'action.yml'))
  cpSync(build, join(actionDir, 'dist'), { recursive: true })
  return actionDir
}

/** Opens the pull request of a job when the job ends. */
function opensIn(repository: Repository, clock: FastClock) {
  return (number: number, branch: string) => {
    const base = repository.find('HEAD')
    if (repository.pull(number) !== undefined || base === undefined) return
    const files = { [`docs/${number}.md`]: 'New\n' }
    const head = commit({ parents: [base], message: `Update the docs ${number}`, author: agent, files })
    const at = time(clock.now().getTime() - hourMs)
    const times = { createdAt: at, updatedAt: at }
    repository.setPull({ number, user: agent, head: { branch, commit: head }, ...times })
  }
}
