/**
 * `npm start -- --weeks 12`: a docs team's weeks with the report on an issue. People ask for fixes and dismiss a
 * suggestion, the agent's pull requests are merged, and later reports say whether the fixes helped.
 */
import { type Commit, commit } from './github/commits.ts'
import { Repository } from './github/repository.ts'
import { sandboxGitHubToken, startGitHub } from './github/server.ts'
import { issueComment } from './payloads.ts'
import { demoReaders } from './platform/demo-readers.ts'
import type { ReadersSource } from './platform/readers.ts'
import { accountOn, startPlatform } from './platform/server.ts'
import { seededTraffic } from './platform/traffic.ts'
import type { StepOptions } from './runner/types.ts'

const issue = 7
const dayMs = 86_400_000
const hourMs = dayMs / 24
const timeOf = (time: number) => new Date(time).toISOString().replace('.000', '')
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/**
 * What people do in the days after a report, by the number of the week, counted from 1. `ask` and `dismiss` are
 * positions in the report's commands; `merge` is the position of a pull request.
 */
const story: Record<number, { ask?: number; dismiss?: number; merge?: number }> = {
  1: { ask: 0 },
  2: { merge: 0, dismiss: 1 },
  4: { ask: 0 },
  5: { merge: 1 },
}

/** A week as the team sees it. */
export interface TeamWeek {
  /** The Monday of the report. */
  monday: string
  /** The report as GitHub emails it, without its mark. */
  mail: string
  /** What people did after the report. */
  deeds: string[]
}

/**
 * Plays the weeks.
 * @param today YYYY-MM-DD; the last report is on this day if it is a Monday, otherwise on the Monday before
 * @param run runs a step of the action
 * @param onWeek called after each week
 */
export async function runWeeks(
  weeks: number,
  today: string,
  run: (options: StepOptions) => Promise<unknown>,
  onWeek: (week: TeamWeek) => void = () => undefined,
): Promise<TeamWeek[]> {
  const lastMonday = Date.parse(today) - ((new Date(today).getUTCDay() + 6) % 7) * dayMs
  const mondays = Array.from({ length: weeks }, (_, at) => lastMonday - (weeks - 1 - at) * 7 * dayMs)
  const team = await startTeam(dayOf(lastMonday), run)
  try {
    const done: TeamWeek[] = []
    for (const [at, monday] of mondays.entries()) {
      const mail = await team.report(monday)
      const deeds = await team.live(story[at + 1] ?? {}, monday)
      const week = { monday: dayOf(monday), mail, deeds }
      done.push(week)
      onWeek(week)
    }
    return done
  } finally {
    await team.close()
  }
}

/** Starts the team's repository and its docs, and returns what happens there each week. */
async function startTeam(today: string, run: (options: StepOptions) => Promise<unknown>) {
  /** For each page, the day from which it answers readers' questions. */
  const fixed = new Map<string, string>()
  const asked: { page: string; number: number; head: Commit }[] = []
  const repository = new Repository({ name: 'acme/docs', branches: { main: base } })
  const github = await startGitHub({
    repositories: [repository],
    roles: { mona: { permission: 'write', role_name: 'write' } },
  })
  const platform = await startPlatform({
    visitors: seededTraffic({ today, events: dayOf(Date.parse(today) - 45 * dayMs) }),
    readers: readersWith(today, fixed),
    readsUntilEnd: 1,
    visitorsLimit: 10_000,
  })
  const env = { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: repository.name, GITHUB_RUN_ID: '1' }
  const runWith = (inputs: Record<string, string>, trigger: Pick<StepOptions, 'event' | 'eventName'> = {}) =>
    run({ ...trigger, githubToken: sandboxGitHubToken, env, with: { ...accountOn(platform), ...inputs } })

  /** The latest report on the issue. */
  const latest = () => github.comments.findLast(({ body }) => body.includes('docs-agent-report:'))?.body ?? ''

  const comment = async (body: string): Promise<string> => {
    const id = 5000 + github.comments.length
    const { name, payload } = issueComment({ id, body, number: issue })
    await runWith({ command: '/docs', 'poll-interval': '1s' }, { eventName: name, event: payload })
    return `mona comments ${body}`
  }

  /** If the comment started a job, opens its pull request. */
  const openPull = (time: number): void => {
    const job = [...platform.jobs.values()].at(-1)
    const number = Number(/\d+$/.exec(job?.view.prLink ?? '')?.[0])
    const [page] = /\/[\w/-]+\w/.exec(job?.prompt ?? '') ?? []
    if (page === undefined || Number.isNaN(number) || repository.pull(number)) return
    const files = { 'docs/a.mdx': `# ${number}\n` }
    const head = commit({ parents: [base], message: `Docs ${number}`, files })
    asked.push({ page, number, head })
    repository.setPull({
      number,
      createdAt: timeOf(time),
      user: 'mintlify[bot]',
      head: { branch: `docs-agent/${number}`, commit: head },
    })
  }

  const mergePull = (at: number, time: number): string => {
    const pull = asked[at]
    if (pull === undefined) return 'nothing to merge'
    const merged = { commit: pull.head, by: 'mona' }
    repository.changePull(pull.number, { merged, updatedAt: timeOf(time) })
    fixed.set(pull.page, dayOf(time))
    return `mona merges pull request ${pull.number}`
  }

  return {
    /** Posts the report for the week before a Monday, and returns it as GitHub emails it. */
    async report(monday: number): Promise<string> {
      const before = github.comments.length
      await runWith({
        mode: 'visitors',
        'date-from': dayOf(monday - 7 * dayMs),
        'date-to': dayOf(monday),
        sections: 'feedback, searches, questions',
        'issue-number': String(issue),
      })
      const posted = github.comments[before]
      if (posted === undefined) throw new Error(`The report of ${dayOf(monday)} was not posted.`)
      return withoutMark(posted.body)
    },
    /** What people do in the days after the report. */
    async live({ ask, dismiss, merge }: (typeof story)[number], monday: number): Promise<string[]> {
      const commands = [...latest().matchAll(/\/docs fix (s-[\da-f]+)/g)].map(([, key = '']) => key)
      const [wanted, unwanted] = [commands[ask ?? -1], commands[dismiss ?? -1]]
      const deeds: string[] = []
      if (merge !== undefined) deeds.push(mergePull(merge, monday + 2 * dayMs))
      if (unwanted !== undefined) deeds.push(await comment(`/docs dismiss ${unwanted}`))
      if (wanted !== undefined) {
        deeds.push(await comment(`/docs fix ${wanted}`))
        openPull(monday + 2 * hourMs)
      }
      return deeds
    },
    async close(): Promise<void> {
      await platform.close()
      await github.close()
    },
  }
}

const base = commit({ message: 'Docs', files: { 'docs/a.mdx': '# Docs\n' } })

/** The demo's readers. After a page is fixed, only every fourth question about it is still asked. */
function readersWith(today: string, fixed: ReadonlyMap<string, string>): ReadersSource {
  const readers = demoReaders(today)
  return (from, to) => {
    const words = readers(from, to)
    const conversations = words.conversations.filter(({ pageUrl, timestamp }, at) => {
      const since = fixed.get(URL.parse(pageUrl ?? '')?.pathname ?? '')
      return since === undefined || timestamp < since || at % 4 === 0
    })
    return { ...words, conversations }
  }
}

/** Removes the mark, which is not meant for people. An email shows the comment's Markdown, so the mark would be visible. */
function withoutMark(body: string): string {
  return body.replace(/\n*<!-- docs-agent-report:[^>]*-->\s*$/, '')
}
