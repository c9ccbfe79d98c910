/** The month of 100 pushes that bench/month.ts calculates, with real runs. */
import { expect, it } from 'vitest'
import { agentRuns, pushes, rhythms } from '../../bench/month.ts'
import { aChange, agentsPull, event, Stage } from '../usecases/step.ts'
import { agent, Days } from './since-last-world.ts'

const inputs = { 'open-limit': '1' }
/** When the agent's pull request is merged: each Friday at 19:00, in days since the start. */
const fridays = [4, 11, 18, 25].map((day) => day + 19 / 24)

interface Month {
  jobs: number
  followUps: number
  prompts: string[]
}

async function inOrder(events: { at: number; act(at: number): unknown }[]): Promise<void> {
  for (const { at, act } of events.toSorted((one, other) => one.at - other.at)) await act(at)
}

/** One run for each push. GitHub and the platform are in memory: with real HTTP, this would be the longest test. */
async function asTheyCome(): Promise<Month> {
  const stage = new Stage()
  const { github, platform } = stage
  let merged = 0
  const push = async (at: number) => {
    const index = pushes.indexOf(at)
    await event(stage, aChange(`commit${index}`), { run: String(index + 1), inputs })
    const number = 100 + platform.jobs.size
    github.pulls = number > merged ? [agentsPull(number)] : []
  }
  const merge = () => {
    merged = 100 + platform.jobs.size
    github.pulls = []
  }
  await inOrder([...pushes.map((at) => ({ at, act: push })), ...fridays.map((at) => ({ at, act: merge }))])
  const jobs = [...platform.jobs.values()]
  const prompts = jobs.flatMap(({ prompt, messages }) => [prompt, ...messages])
  return { jobs: jobs.length, followUps: prompts.length - jobs.length, prompts }
}

/** One run at each of these times, for everything new since the previous run. */
async function onSchedule(runs: readonly number[]): Promise<Month> {
  const days = await Days.begin({ age: 0, platform: { readsUntilEnd: 0 } })
  const { service, home } = days.world
  const run = async () => {
    const { outputs, text } = await days.run({ inputs })
    expect(['pull-request', 'skipped'], text).toContain(outputs.outcome)
    days.openAgentsPull()
  }
  const merge = (at: number) => {
    for (const { number } of home.pulls.filter(({ user, state }) => user === agent && state === 'open'))
      days.merge(`docs-${number}`, at, { number, user: agent, files: { [`docs/${number}.md`]: 'x\n' } })
  }
  const moveClock = (act: (at: number) => unknown) => (at: number) => {
    days.clock.now = at
    return act(at)
  }
  await inOrder([
    ...pushes.map((at, index) => ({ at, act: moveClock(() => days.push(`push${index}`, at)) })),
    ...runs.map((at) => ({ at, act: moveClock(run) })),
    ...fridays.map((at) => ({ at, act: moveClock(merge) })),
  ])
  const jobs = [...service.jobs.values()]
  const prompts = jobs.flatMap(({ prompt, messages }) => [prompt, ...messages])
  return { jobs: jobs.length, followUps: prompts.length - jobs.length, prompts }
}

it('a month of 100 pushes starts as many jobs and follow-ups as the README says', async () => {
  const rows: string[] = []
  for (const rhythm of rhythms) {
    const { name, runs } = rhythm
    const isPush = runs === pushes
    const { jobs, followUps, prompts } = isPush ? await asTheyCome() : await onSchedule(runs)
    expect(jobs + followUps).toBe(agentRuns(rhythm))
    // On a schedule, every push before the last run is sent to the agent exactly once.
    const due = isPush ? [] : pushes.flatMap((at, index) => (at <= (runs.at(-1) ?? 0) ? [index] : []))
    const told = due.map(
      (index) => prompts.filter((text) => text.includes(`### src/push${index}.ts `)).length,
    )
    expect(told).toEqual(due.map(() => 1))
    rows.push(`${name} | ${jobs} | ${followUps}`)
  }
  expect(rows).toEqual(['as they come | 5 | 95', 'once a day | 5 | 16', 'once a week | 4 | 0'])
}, 120_000)
