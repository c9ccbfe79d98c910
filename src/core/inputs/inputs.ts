/** The action's inputs: what each takes, and what they must not be together. All faults are found at once. */
import * as z from 'zod/mini'
import { isPathSegment } from '../job/job.ts'
import type { PollInterval } from '../job/schedule.ts'
import { type Failable, failable } from '../outcome.ts'
import { cut, oneLine } from '../text.ts'
import { type Role, roles } from '../trigger/permission.ts'
import { parseSize } from '../units.ts'
import { dayIn, isTimeZone } from '../visitors/calendar.ts'
import { namedPeriod, type Period, periodNames, readEnd } from '../visitors/period.ts'
import {
  boolean,
  durationWithin,
  field,
  integerWithin,
  leastKeyLength,
  longestKey,
  readBaseUrl,
  readBoolean,
  readFailOn,
  readGlobs,
  readKey,
  readLogin,
  readLogins,
  readPathGlobs,
  readPercentage,
  readSiteUrl,
  text,
} from './field.ts'

/** What both modes read. Durations are in milliseconds. */
export interface CommonInputs {
  projectId: string
  apiKey: string
  /** Without a slash at its end. */
  baseUrl: string
  timeout: number
  failOn: ReadonlySet<Failable>
  dryRun: boolean
  githubToken: string
}

/** The inputs of mode `agent`, read and checked. Durations are in milliseconds, sizes in bytes. */
export interface AgentInputs extends CommonInputs {
  mode: 'agent'
  prompt: string
  promptFile: string
  contextFiles: string[]
  contextLimit: number
  jobId: string
  wait: boolean
  pollInterval: PollInterval
  /** Empty where the step is not run by comments. */
  command: string
  requiredPermission: Role
  allowedBots: string[]
  reply: boolean
  followUp: boolean
  contextDiff: boolean
  contextPaths: string[]
  agentLogin: string
  /** null where any number of the agent's pull requests may stand open. */
  openLimit: number | null
  onOpenLimit: 'skip' | 'follow-up'
}

/** The inputs of mode `visitors`, read and checked. */
export interface VisitorsInputs extends CommonInputs {
  mode: 'visitors'
  period: Period
  timezone: string
  /** Whether the period before is read too. */
  compare: boolean
  /** Points of the trend chart, the current period and the one before among them. */
  trend: number
  top: number
  include: string[]
  exclude: string[]
  /** Empty where pages are not linked. */
  siteUrl: string
  /** The fraction of people whose loss is an alert; null for none. */
  alertDrop: number | null
  maxRequests: number
  /** Empty where no files are written. */
  reportDir: string
  /** null where no issue is written to. */
  issueNumber: number | null
}

export type Inputs = AgentInputs | VisitorsInputs

/** An input that can't be used. `got` is never a secret's value. */
export interface InputFault {
  input: string
  got: string
  expected: string
}

export type ParsedInputs = { ok: true; inputs: Inputs } | { ok: false; faults: InputFault[] }

/** What inputs are read against. */
export interface InputContext {
  /** Whether a comment's event started the workflow, so that `command` brings the instruction. */
  isComment: boolean
  /** Milliseconds since the epoch: periods end before today. */
  now: number
}

type RawInputs = Readonly<Record<string, string>>

const minute = 60_000
const day = 24 * 60 * minute
/** A self-hosted runner ends a job after five days (GitHub's usage limits). */
const longestTimeout = 5 * day
/** node's timers hold no more than about 24 days; nobody polls that seldom. */
const longestInterval = day

const modes = ['agent', 'visitors'] as const

const schema = z.object({
  mode: field('agent or visitors', (value) => modes.find((mode) => mode === value), 'agent'),
  'project-id': field("the project's id, from the API keys page of the platform's dashboard", (value) =>
    isPathSegment(value) ? value : undefined,
  ),
  'api-key': field('an admin API key (mint_…), from a secret', readKey),
  'base-url': field(
    'an https address (plain http only for localhost)',
    readBaseUrl,
    'https://api.mintlify.com',
  ),
  prompt: text('an instruction'),
  'prompt-file': text('a path inside the workspace'),
  'context-files': field('globs inside the workspace, one a line, without `..` and not absolute', readGlobs),
  'context-limit': field('a size such as 64KiB or 1MiB', parseSize, '256KiB'),
  'job-id': field("a job's id", (value) => (value === '' || isPathSegment(value) ? value : undefined)),
  wait: boolean('true'),
  timeout: field(
    'a duration such as 90s, 15m or 2h, from 1s to 120h',
    (value) => durationWithin(value, 1000, longestTimeout),
    '60m',
  ),
  'poll-interval': field(
    'auto, or a duration such as 10s, from 1s to 24h',
    (value) => (value === 'auto' ? value : durationWithin(value, 1000, longestInterval)),
    'auto',
  ),
  'fail-on': field(
    `a comma-separated choice of ${failable.join(', ')}; or none, alone`,
    readFailOn,
    'failed, timed-out',
  ),
  'dry-run': boolean('false'),
  command: field('one word such as /docs', (value) => (/^\S{0,50}$/.test(value) ? value : undefined)),
  'required-permission': field(
    `one of ${roles.join(', ')} (not read: on a public repository that is everybody)`,
    (value) => roles.find((role) => role === value),
    'write',
  ),
  'allowed-bots': field('logins of bots, comma-separated, without a wildcard', readLogins),
  reply: boolean('true'),
  'follow-up': boolean('true'),
  'context-diff': boolean('false'),
  'context-paths': field("globs of the change's paths, one a line; ! excludes", readGlobs),
  'agent-login': field("the login of the agent's account", readLogin, 'mintlify[bot]'),
  'open-limit': field('a number of pull requests from 1 to 100', (value) =>
    value === '' ? null : integerWithin(value, 1, 100),
  ),
  'on-open-limit': field(
    'skip or follow-up',
    (value) => (['skip', 'follow-up'] as const).find((word) => word === value),
    'skip',
  ),
  'github-token': text('a token'),
  period: field(
    `one of ${periodNames.join(', ')}`,
    (value) => periodNames.find((name) => name === value),
    'last-week',
  ),
  'date-from': text('a day'),
  'date-to': text('a day'),
  timezone: field(
    'a time zone such as UTC or Europe/Berlin',
    (value) => (isTimeZone(value) ? value : undefined),
    'UTC',
  ),
  compare: field(
    'previous or none',
    (value) => (['previous', 'none'] as const).find((word) => word === value),
    'previous',
  ),
  trend: field('a number of periods from 0 to 52', (value) => integerWithin(value, 0, 52), '8'),
  top: field('a number of rows from 1 to 1000', (value) => integerWithin(value, 1, 1000), '20'),
  include: field("globs of pages' paths, one a line", readPathGlobs),
  exclude: field("globs of pages' paths, one a line", readPathGlobs),
  'site-url': field("the site's address, such as https://docs.example.com", readSiteUrl),
  'alert-drop': field('a percentage such as 20%, up to 100%', readPercentage),
  'max-requests': field(
    'a number of requests from 1 to 10000',
    (value) => integerWithin(value, 1, 10_000),
    '40',
  ),
  'report-dir': text('a folder inside the workspace'),
  'issue-number': field("an issue's number", (value) =>
    value === '' ? null : integerWithin(value, 1, 999_999_999),
  ),
})

/** Every input's name, as action.yml has it. */
export const inputNames = Object.keys(schema.shape) as (keyof typeof schema.shape)[]

/** Inputs without a default that one mode alone reads: in the other one they would be silently without effect. */
const only: Record<Inputs['mode'], string[]> = {
  agent: [
    ...['prompt', 'prompt-file', 'context-files', 'job-id', 'command', 'allowed-bots'],
    ...['context-paths', 'open-limit'],
  ],
  visitors: [
    ...['date-from', 'date-to', 'include', 'exclude', 'site-url', 'alert-drop', 'report-dir'],
    'issue-number',
  ],
}

/** Reads and checks the inputs; an input that is absent reads as empty, and an empty one as its default. */
export function parseInputs(raw: RawInputs, context: InputContext): ParsedInputs {
  const parsed = schema.safeParse(raw)
  const isVisitors = raw.mode === 'visitors'
  const chosen = isVisitors ? choosePeriod(raw, context.now) : { faults: [] }
  const malformedOnes = (parsed.error?.issues ?? []).map((issue) => malformed(issue, raw))
  // What goes with a mode that is none can't be told.
  if (malformedOnes.some(({ input }) => input === 'mode')) return { ok: false, faults: malformedOnes }
  const faults = [
    ...malformedOnes,
    ...inputsOfOtherMode(raw, isVisitors ? 'agent' : 'visitors'),
    ...(isVisitors ? visitorsContradictions(raw) : agentContradictions(raw, context.isComment)),
    ...chosen.faults,
  ]
  if (!parsed.success || faults.length > 0) return { ok: false, faults }
  const { data } = parsed
  const common = {
    projectId: data['project-id'],
    apiKey: data['api-key'],
    baseUrl: data['base-url'],
    timeout: data.timeout,
    failOn: data['fail-on'],
    dryRun: data['dry-run'],
    githubToken: data['github-token'],
  }
  return {
    ok: true,
    inputs:
      chosen.period === undefined
        ? { ...common, ...agentInputs(data) }
        : { ...common, ...visitorsInputs(data, chosen.period) },
  }
}

type Data = z.infer<typeof schema>

function agentInputs(data: Data): Omit<AgentInputs, keyof CommonInputs> {
  return {
    mode: 'agent',
    prompt: data.prompt,
    promptFile: data['prompt-file'],
    contextFiles: data['context-files'],
    contextLimit: data['context-limit'],
    jobId: data['job-id'],
    wait: data.wait,
    pollInterval: data['poll-interval'],
    command: data.command,
    requiredPermission: data['required-permission'],
    allowedBots: data['allowed-bots'],
    reply: data.reply,
    followUp: data['follow-up'],
    contextDiff: data['context-diff'],
    contextPaths: data['context-paths'],
    agentLogin: data['agent-login'],
    openLimit: data['open-limit'],
    onOpenLimit: data['on-open-limit'],
  }
}

function visitorsInputs(data: Data, period: Period): Omit<VisitorsInputs, keyof CommonInputs> {
  return {
    mode: 'visitors',
    period,
    timezone: data.timezone,
    compare: data.compare === 'previous',
    trend: data.trend,
    top: data.top,
    include: data.include,
    exclude: data.exclude,
    siteUrl: data['site-url'],
    alertDrop: data['alert-drop'],
    maxRequests: data['max-requests'],
    reportDir: data['report-dir'],
    issueNumber: data['issue-number'],
  }
}

function malformed(issue: { path: PropertyKey[]; message: string }, raw: RawInputs): InputFault {
  const input = String(issue.path[0])
  const value = raw[input] ?? ''
  return { input, got: input === 'api-key' ? describeKey(value) : describe(value), expected: issue.message }
}

/** What no single input can know. Reads the raw texts, so that it speaks up beside a malformed one. */
function agentContradictions(raw: RawInputs, isComment: boolean): InputFault[] {
  const has = (name: string) => isGiven(raw, name)
  const hasPrompt = has('prompt') || has('prompt-file')
  const isResume = has('job-id') && !hasPrompt
  const isCommand = isComment && has('command')
  const hasDiff = readBoolean(raw['context-diff'] ?? '') === true
  const rules: (InputFault & { isBroken: boolean })[] = [
    {
      isBroken: has('prompt') && has('prompt-file'),
      input: 'prompt-file',
      got: 'a file beside a prompt',
      expected: 'the place of prompt: give one of the two',
    },
    {
      isBroken: !hasPrompt && !has('job-id') && !isCommand,
      input: 'prompt',
      got: 'nothing',
      expected: 'an instruction (or give prompt-file; or job-id, to wait for a job)',
    },
    {
      isBroken: isCommand && !has('github-token'),
      input: 'github-token',
      got: 'nothing',
      expected: 'a token, such as the default: without one nobody’s role can be asked',
    },
    {
      isBroken: (hasDiff || has('open-limit')) && !has('github-token'),
      input: 'github-token',
      got: 'nothing',
      expected: 'a token, such as the default: context-diff and open-limit ask GitHub',
    },
    {
      isBroken: has('context-paths') && !hasDiff,
      input: 'context-paths',
      got: 'globs without a diff',
      expected: 'context-diff: true beside it',
    },
    {
      isBroken: has('context-files') && isResume,
      input: 'context-files',
      got: 'files without a prompt',
      expected: 'a prompt beside it, to append them to',
    },
    {
      isBroken: isResume && readBoolean(raw.wait ?? '') === false,
      input: 'wait',
      got: 'false, with a job-id and no prompt',
      expected: 'true there: waiting is all there is to do',
    },
  ]
  return rules
    .filter(({ isBroken }) => isBroken)
    .map(({ input, got, expected }) => ({ input, got, expected }))
}

function visitorsContradictions(raw: RawInputs): InputFault[] {
  const faults: InputFault[] = []
  if (isGiven(raw, 'alert-drop') && raw.compare === 'none')
    faults.push({
      input: 'alert-drop',
      got: 'a percentage beside compare: none',
      expected: 'compare: previous beside it, to fall from',
    })
  if (isGiven(raw, 'issue-number') && !isGiven(raw, 'github-token'))
    faults.push({
      input: 'github-token',
      got: 'nothing',
      expected: 'a token, such as the default: without one no comment can be written',
    })
  return faults
}

function inputsOfOtherMode(raw: RawInputs, mode: Inputs['mode']): InputFault[] {
  return only[mode]
    .filter((name) => isGiven(raw, name))
    .map((input) => ({ input, got: describe(raw[input] ?? ''), expected: `mode: ${mode} beside it` }))
}

/** The period that is asked for: by dates, or by its name. */
function choosePeriod(raw: RawInputs, now: number): { period?: Period; faults: InputFault[] } {
  const zone = raw.timezone || 'UTC'
  // These are told by their own fields.
  if (!isTimeZone(zone)) return { faults: [] }
  const today = dayIn(zone, now)
  const [from = '', to = ''] = [raw['date-from'], raw['date-to']]
  if (from === '' && to === '') {
    const name = periodNames.find((each) => each === (raw.period || 'last-week'))
    return name === undefined ? { faults: [] } : { period: namedPeriod(name, today), faults: [] }
  }
  const period = { from: readEnd(from, 'from', zone) ?? '', to: readEnd(to, 'to', zone) ?? '' }
  const faults = (['from', 'to'] as const).flatMap((side): InputFault[] =>
    period[side] === ''
      ? [{ input: `date-${side}`, got: describe(raw[`date-${side}`] ?? ''), expected: dateTakes[side] }]
      : [],
  )
  if (faults.length > 0) return { faults }
  if (period.from >= period.to)
    return {
      faults: [{ input: 'date-to', got: describe(to), expected: 'a day after date-from (it is exclusive)' }],
    }
  if (period.to > today)
    return {
      faults: [
        { input: 'date-to', got: describe(to), expected: `${today} at the latest: only complete days count` },
      ],
    }
  return { period, faults: [] }
}

const dateTakes = {
  from: 'a day such as 2026-11-02, or an ISO 8601 date-time (and date-to beside it)',
  to: 'the day after the last one, such as 2026-11-09, or an ISO 8601 date-time (and date-from beside it)',
}

function isGiven(raw: RawInputs, name: string): boolean {
  return (raw[name] ?? '') !== ''
}

function describe(value: string): string {
  return value === '' ? 'nothing' : `"${oneLine(cut(value, 200), 80)}"`
}

/** Says what is wrong with a key without a character of it beyond its public prefix. */
function describeKey(key: string): string {
  if (key === '') return 'nothing (is the secret set, and does its name match?)'
  if (key.startsWith('mint_dsc_')) return 'an assistant key (mint_dsc_…), which this interface does not take'
  if (key.startsWith('mint_us_')) return 'an index key (mint_us_…), which this interface does not take'
  if (key.length < leastKeyLength) return `only ${key.length} characters`
  if (key.length > longestKey) return `${key.length} characters (something else than a key pasted?)`
  return 'white space or special characters inside (a line break pasted along?)'
}
