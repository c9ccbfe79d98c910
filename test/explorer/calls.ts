/** The calls to GitHub and Mintlify: what they return, and what can happen to them. */
import { hash } from 'node:crypto'
import type { Lists } from '../github.ts'
import { addComment, addStatus, latest, listed, lists, missing, viewer, writes } from '../github.ts'
import type { PlatformRequest } from '../run/mintlify.ts'
import { aPull } from '../run/step.ts'
import { answer, reset } from '../run/world.ts'
import { recorded } from './actors.ts'
import { invariants, judge } from './judge.ts'
import type { Call } from './process.ts'
import { local, pullReads } from './reads.ts'
import type { At, Budget, Choice } from './search.ts'
import {
  codeNumber,
  hasFailed,
  isActive,
  isFor,
  once,
  type Setting,
  type StoredJob,
  type World,
} from './world.ts'

/** When a late link appears, in milliseconds. */
const linkDelay = 30 * 60_000
/** How long a list can lack what was written, in milliseconds. */
const listLag = 10_000

const rejected = { ok: false, failure: { kind: 'rejected', status: 403, detail: 'no' } }
const lost = { ok: false, failure: { kind: 'broken', status: 502, detail: 'lost', isUncertain: true } }

/** Whether the order of a call and of those of other actors does not matter. */
export function isLocal(
  { name, args }: Call,
  { pulls }: World,
  budget: Budget,
  { requests }: Setting,
): boolean {
  if (name in local || (name in pullReads && pulls.length === 0)) return true
  // Only a follow-up changes a job that exists, and only a second command is one.
  const isPoll = name === 'exchange' && (args[0] as PlatformRequest).method === 'GET'
  const hasFollowUps = requests.filter((request) => request.startsWith('comment:')).length > 1
  return isPoll && !hasFollowUps && budget.faults + budget.slow + budget.cancels === 0
}

/** A call in a schedule. */
export function show({ name, args }: Call): string {
  const shown = args.map((arg) => {
    const { number, path, method, description, state } = Object(arg)
    if (path !== undefined) return `${method} ${path}`
    if (description !== undefined) return `${state}: ${description}`
    return number === undefined ? String(arg).split('\n')[0] : `#${number}`
  })
  return [name, ...shown].join(' ')
}

export function elapse(world: World, now: number, keepsLists: boolean): World {
  const past = keepsLists ? world.past.filter(({ until }) => until > now - listLag) : []
  return now === world.now && past.length === world.past.length ? world : { ...world, now, past }
}

const hashOf = (value: unknown) => hash('sha1', JSON.stringify(value), 'base64')
/** Most lists are in many worlds. */
const keyOfList = once((list: readonly object[]) => hashOf(list))

/** Equal worlds have equal keys. */
export const keyOf = once(({ comments, statuses, past, ...more }: World) => {
  const versions = [...past, { comments, statuses, until: 0 }]
  const keys = versions.map((each) => [keyOfList(each.comments), keyOfList(each.statuses), each.until])
  return hashOf([more, keys])
})

const usually = (world: World, result: unknown, how = ''): Choice => ({ how, costs: null, world, result })
function fault(how: string, world: World, result: unknown): Choice {
  return { how, costs: 'faults', world, result }
}
const rejection = (world: World) => fault('→ rejected', world, rejected)

/** All results of a call. */
export function answers(world: World, call: Call, at: At, setting: Setting): Choice[] {
  const { name, args } = call
  const mayFail = at.budget.faults > 0
  if (name in local) return [usually(world, local[name])]
  if (name === 'exchange') {
    const request = args[0] as PlatformRequest
    const make = request.method === 'GET' ? poll : send
    return make(world, request, at.actor, setting).slice(0, mayFail ? undefined : 1)
  }
  const list = lists[name]
  if (list !== undefined) return look(world, (from) => listed(name, list(from, args)), at)
  const pullRead = pullReads[name]
  if (pullRead !== undefined) {
    const usual = usually(world, { ok: true, value: pullRead(world, args) })
    return mayFail ? [usual, rejection(world)] : [usual]
  }
  const write = writes[name]
  if (write === undefined) throw new Error(`GitHub does not know ${name}`)
  const { value, ...change } = write(world, args)
  if (value === missing) return [usually(world, missing, '→ 404')]
  const written = judge(world, change, { name, args, ...at }, setting)
  const done = usually(written, { ok: true, value }, `→ ${JSON.stringify(value) ?? 'done'}`)
  if (!mayFail) return [done]
  return [
    done,
    rejection(world),
    fault('→ done, but the response is lost', written, lost),
    fault('→ not done, and no response', world, lost),
  ]
}

/** A list as it is, or as it was. */
function look(world: World, list: (from: Lists) => unknown, { budget }: At): Choice[] {
  const shown = (from: Lists) => ({ ok: true, value: list(from) })
  const now = shown(world)
  const known = new Set([JSON.stringify(now)])
  const older = (budget.lags > 0 ? world.past : []).flatMap((version, index): Choice[] => {
    const result = shown(version)
    if (known.size === known.add(JSON.stringify(result)).size) return []
    return [{ how: `→ as ${world.past.length - index} writes ago`, costs: 'lags', world, result }]
  })
  return [usually(world, now), ...older, ...(budget.faults > 0 ? [rejection(world)] : [])]
}

/** The next act of people, and copies of older entries: statuses by the token's own account, and comments by anyone. */
export function others(world: World, { replays }: Budget, setting: Setting): Choice[] {
  const act = setting.acts[world.acts]
  const state = act === 'stacked' ? 'merged' : act
  const base = act === 'stacked' ? 'feature' : 'main'
  const pulls = world.pulls.map((pull) =>
    pull.number === codeNumber ? { ...aPull(codeNumber, pull.head, state), base } : pull,
  )
  const then = { ...world, pulls, acts: world.acts + 1 }
  const acted = { how: `people: the code is ${act}`, costs: null, world: then }
  return [...(act === undefined ? [] : [acted]), ...(replays === 0 ? [] : copies(world, setting))]
}

function copies(world: World, setting: Setting): Choice[] {
  const shown = new Set(latest(world.statuses))
  const statuses = world.statuses.filter((each) => !shown.has(each))
  const copied = statuses.map((status) => ({
    what: status.description,
    change: addStatus(world, status.commit, status),
  }))
  const comments = [viewer, 'mallory'].flatMap((author) =>
    world.comments.map(({ thread, body }) => ({
      what: `${body.split('\n')[0]} by ${author}`,
      change: addComment(world, thread, body, { author, isCopy: true }),
    })),
  )
  return [...copied, ...comments].map(({ what, change: { value: _, ...change } }) => ({
    how: `someone posts again: ${what}`,
    costs: 'replays',
    world: judge(world, change, { name: 'again', args: [''], actor: -1, places: [] }, setting),
  }))
}

/** Mintlify's response about a job. */
function shownJob(job: StoredJob, number: number, now: number, { linkOf }: Pick<Setting, 'linkOf'>) {
  const isDone = !isActive(job, now)
  const hasLink = isDone && (job.end === 'pull' || (job.end === 'late' && now >= job.since + linkDelay))
  const prLink = hasLink ? linkOf(number) : null
  const ended = job.end === 'failed' ? 'failed' : 'completed'
  return answer(200, { id: job.id, status: isDone ? ended : 'active', prLink, archivedAt: null })
}

function poll(world: World, { path }: PlatformRequest, _: number, setting: Setting): Choice[] {
  const number = world.jobs.findIndex(({ id }) => path.endsWith(`/${id}`))
  const job = world.jobs[number]
  const result = job === undefined ? answer(404) : shownJob(job, number + 1, world.now, setting)
  return [usually(world, result), fault('→ 404', world, answer(404))]
}

function send(world: World, { path, body }: PlatformRequest, actor: number, setting: Setting): Choice[] {
  const [request = ''] = /(?<=request )\S+/.exec(String(body?.prompt)) ?? []
  const earlier = world.jobs.filter(isFor(request))
  let broken: string | null = null
  if (earlier.some((job) => !hasFailed(job, world.now))) broken = invariants.oneJob
  else if (recorded(request, world).state !== 'open') broken = invariants.recorded
  const isMessage = path.endsWith('/message')
  const at = isMessage ? world.jobs.findIndex(({ id }) => path.includes(`/${id}/`)) : world.jobs.length
  const { ends, takes } = setting
  const fresh = { id: `job_${at + 1}`, sent: [], takes, end: ends[at] ?? ends.at(-1) ?? 'pull' }
  const job = { ...(world.jobs[at] ?? fresh), since: world.now }
  const arrived = (knownBy: number | null): World => {
    const sent = [...job.sent, { request, knownBy, isRecorded: false }]
    return { ...world, broken, jobs: world.jobs.toSpliced(at, 1, { ...job, sent }) }
  }
  const usual = usually(arrived(actor), shownJob(job, at + 1, world.now, setting), `→ ${job.id}`)
  return [
    { ...usual, unseen: arrived(null) },
    fault('→ rejected', world, answer(400)),
    fault(`→ ${job.id}, but the response is lost`, arrived(null), reset),
    fault('→ not done, and no response', world, reset),
  ]
}
