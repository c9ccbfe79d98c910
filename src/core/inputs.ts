/** The action's inputs: what each takes, and what they must not be together. All faults are found at once. */
import * as z from 'zod/mini'
import { isPathSegment } from './job.ts'
import { type Failable, failable } from './outcome.ts'
import { type Role, roles } from './permission.ts'
import type { PollInterval } from './schedule.ts'
import { cut, oneLine } from './text.ts'
import { parseDuration, parseSize } from './units.ts'

/** The inputs of mode `agent`, read and checked. Durations are in milliseconds, sizes in bytes. */
export interface AgentInputs {
  projectId: string
  apiKey: string
  /** Without a slash at its end. */
  baseUrl: string
  prompt: string
  promptFile: string
  contextFiles: string[]
  contextLimit: number
  jobId: string
  wait: boolean
  timeout: number
  pollInterval: PollInterval
  failOn: ReadonlySet<Failable>
  dryRun: boolean
  /** Empty where the step is not run by comments. */
  command: string
  requiredPermission: Role
  allowedBots: string[]
  reply: boolean
  followUp: boolean
  githubToken: string
}

/** An input that can't be used. `got` is never a secret's value. */
export interface InputFault {
  input: string
  got: string
  takes: string
}

export type ParsedInputs = { ok: true; inputs: AgentInputs } | { ok: false; faults: InputFault[] }

type RawInputs = Readonly<Record<string, string>>

const minute = 60_000
const day = 24 * 60 * minute
/** A self-hosted runner ends a job after five days (GitHub's usage limits). */
const longestTimeout = 5 * day
/** node's timers hold no more than about 24 days; nobody polls that seldom. */
const longestInterval = day
/** Shorter ones could not be masked without blackening ordinary words. */
const leastKeyLength = 8
const longestKey = 512

/** A field that reads a text, or its default where the text is empty; `read` gives undefined for what it does not take. */
function field<T>(takes: string, read: (text: string) => T | undefined, fallback = '') {
  return z.pipe(
    z.optional(z.string()),
    z.transform((text, context): T => {
      const value = read(text || fallback)
      if (value !== undefined) return value
      context.issues.push({ code: 'custom', message: takes, input: text })
      return z.NEVER
    }),
  )
}

const text = (takes: string) => field(takes, (value) => value)
const boolean = (fallback: string) => field('true or false', readBoolean, fallback)

const schema = z.object({
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
  'github-token': text('a token'),
})

/** Every input's name, as action.yml has it. */
export const inputNames = Object.keys(schema.shape) as (keyof typeof schema.shape)[]

/**
 * Reads and checks the inputs; an input that is absent reads as empty, and an empty one as its default.
 * @param isComment whether a comment's event started the workflow, so that `command` brings the instruction
 */
export function parseInputs(raw: RawInputs, isComment = false): ParsedInputs {
  const parsed = schema.safeParse(raw)
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => malformed(issue, raw)),
    ...contradictions(raw, isComment),
  ]
  if (!parsed.success || faults.length > 0) return { ok: false, faults }
  const { data } = parsed
  return {
    ok: true,
    inputs: {
      projectId: data['project-id'],
      apiKey: data['api-key'],
      baseUrl: data['base-url'],
      prompt: data.prompt,
      promptFile: data['prompt-file'],
      contextFiles: data['context-files'],
      contextLimit: data['context-limit'],
      jobId: data['job-id'],
      wait: data.wait,
      timeout: data.timeout,
      pollInterval: data['poll-interval'],
      failOn: data['fail-on'],
      dryRun: data['dry-run'],
      command: data.command,
      requiredPermission: data['required-permission'],
      allowedBots: data['allowed-bots'],
      reply: data.reply,
      followUp: data['follow-up'],
      githubToken: data['github-token'],
    },
  }
}

function malformed(issue: { path: PropertyKey[]; message: string }, raw: RawInputs): InputFault {
  const input = String(issue.path[0])
  const value = raw[input] ?? ''
  return { input, got: input === 'api-key' ? describeKey(value) : describe(value), takes: issue.message }
}

/** What no single input can know. Reads the raw texts, so that it speaks up beside a malformed one. */
function contradictions(raw: RawInputs, isComment: boolean): InputFault[] {
  const has = (name: string) => (raw[name] ?? '') !== ''
  const hasPrompt = has('prompt') || has('prompt-file')
  const faults: InputFault[] = []
  if (has('prompt') && has('prompt-file'))
    faults.push({
      input: 'prompt-file',
      got: 'a file beside a prompt',
      takes: 'the place of prompt: give one of the two',
    })
  if (!hasPrompt && !has('job-id') && !(isComment && has('command')))
    faults.push({
      input: 'prompt',
      got: 'nothing',
      takes: 'an instruction (or give prompt-file; or job-id, to wait for a job)',
    })
  if (isComment && has('command') && !has('github-token'))
    faults.push({
      input: 'github-token',
      got: 'nothing',
      takes: 'a token, such as the default: without one nobody’s role can be asked',
    })
  if (has('context-files') && !hasPrompt && has('job-id'))
    faults.push({
      input: 'context-files',
      got: 'files without a prompt',
      takes: 'a prompt beside it, to append them to',
    })
  if (has('job-id') && !hasPrompt && readBoolean(raw.wait ?? '') === false)
    faults.push({
      input: 'wait',
      got: 'false, with a job-id and no prompt',
      takes: 'true there: waiting is all there is to do',
    })
  return faults
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

/** Keys travel in a header, so they are visible ASCII; the two other kinds of key are a common mix-up (openapi.yaml). */
function readKey(key: string): string | undefined {
  const usable = /^[\x21-\x7E]+$/.test(key) && key.length >= leastKeyLength && key.length <= longestKey
  return usable && !/^mint_(dsc|us)_/.test(key) ? key : undefined
}

function readBaseUrl(value: string): string | undefined {
  const url = URL.parse(value)
  if (url === null || url.username !== '' || url.password !== '' || /[?#]/.test(value)) return undefined
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return safe ? url.href.replace(/\/+$/, '') : undefined
}

/** The hosts that never leave the machine: RFC 1122's 127.0.0.0/8, RFC 4291's ::1, RFC 6761's localhost. */
function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^(.+\.)?localhost$/.test(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** YAML's core schema: true, True, TRUE and their opposites. */
function readBoolean(value: string): boolean | undefined {
  if (/^(true|True|TRUE)$/.test(value)) return true
  return /^(false|False|FALSE)$/.test(value) ? false : undefined
}

/** The lines of an input that takes several values, trimmed, without the empty ones. */
function lines(value: string): string[] {
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function readGlobs(value: string): string[] | undefined {
  const globs = lines(value)
  const escapes = (glob: string) =>
    /^!?([/\\]|[A-Za-z]:)/.test(glob) || glob.split(/[/\\]/).some((part) => /^!?\.\.$/.test(part))
  // Matching blocks the process: a glob that branches without end would outlast every deadline.
  const branches = (glob: string) =>
    glob.length > 500 || (glob.match(/\{/g)?.length ?? 0) > 4 || /(\*[^*/]+){8}/.test(glob)
  return globs.some((glob) => escapes(glob) || branches(glob)) ? undefined : globs
}

function readLogins(value: string): string[] | undefined {
  const logins = value
    .split(/[,\n]/)
    .map((login) => login.trim())
    .filter((login) => login !== '')
  return logins.every((login) => /^[A-Za-z0-9-]+(\[bot\])?$/.test(login)) ? logins : undefined
}

function durationWithin(value: string, least: number, most: number): number | undefined {
  const duration = parseDuration(value)
  return duration !== undefined && duration >= least && duration <= most ? duration : undefined
}

function readFailOn(value: string): ReadonlySet<Failable> | undefined {
  const names = value
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 1 && names[0] === 'none') return new Set()
  const known = names.filter((name): name is Failable => (failable as readonly string[]).includes(name))
  return known.length === names.length && names.length > 0 ? new Set(known) : undefined
}
