/** The inputs of each mode, and how each is read from text. action.yml describes the inputs for people. */
import * as z from 'zod/mini'
import { type CodePull, holdKinds } from '../hold.ts'
import { failable, failsByDefault, type Mode, modes } from '../outcome.ts'
import { minSecretLength } from '../redact.ts'
import { roles } from '../roles.ts'
import { listed, pathSegment } from '../text.ts'
import { dayMs, parseDuration } from '../units.ts'

/** How one input is read from text. */
interface Field<T> {
  /** Completes the sentence “expected …”. */
  expected: string
  /** Returns undefined if it does not accept the text. */
  read: (text: string) => T | undefined
  /** The default in action.yml. Empty text is read as this. */
  fallback: string
}

/** A field with the fallback in action.yml. */
function field<T>(expected: string, read: (text: string) => T | undefined, fallback = '') {
  return { expected, read, fallback }
}

/** A field that is null if its text is empty. */
function optional<T>(expected: string, read: (text: string) => T | undefined) {
  return field(expected, (value) => (value.trim() === '' ? null : read(value)))
}

/** A field for any text; null if it is empty or only white space. */
const anyText = optional('text', (value) => value)

const boolean = (fallback: string) => field('true or false', readBoolean, fallback)

/** A field for exactly one of several words. */
function oneOf<const Word extends string>(words: readonly Word[], fallback: Word) {
  return field(listed(words), (value) => words.find((word) => word === value), fallback)
}

/** A field for several words separated by commas or line breaks, or only `none`. */
function anyOf<const Word extends string>(words: readonly Word[], fallback: string) {
  const read = (value: string) => {
    const entries = parts(value)
    if (entries.length === 0) return undefined
    if (entries.join() === 'none') return new Set<Word>()
    const selection = words.filter((word) => entries.includes(word))
    // An unknown word makes the two sizes differ.
    if (new Set(entries).size !== selection.length) return undefined
    return new Set(selection)
  }
  return field(`none, or a comma-separated list of ${listed(words, 'and')}`, read, fallback)
}

/** The parts of an input that holds several values, trimmed, without the empty ones. */
function parts(value: string, separator: string | RegExp = /[,\n]/) {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Reads text that matches a pattern. */
function matching(pattern: RegExp) {
  return (text: string) => (pattern.test(text) ? text : undefined)
}

/** GitHub's limit on the labels of a pull request, which is enough reviewers, too. */
const maxNames = 100

/** Reads names separated by commas or line breaks. Each must match a pattern. */
function namesWith(pattern: RegExp) {
  return (value: string) => {
    const names = parts(value)
    if (names.length > maxNames || !names.every((name) => pattern.test(name))) return undefined
    return names
  }
}

/** A number within limits; undefined for any other. */
function within(value: number | undefined, least: number, most: number) {
  if (value !== undefined && value >= least && value <= most) return value
  return undefined
}

/** Reads a whole number from 1. */
function upTo(most: number) {
  return (value: string) => {
    if (!/^\d{1,9}$/.test(value)) return undefined
    return within(Number(value), 1, most)
  }
}

/** Reads a percentage over 0 and up to 100, and returns it as a fraction. */
function readPercentage(value: string) {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,2})?)\s?%$/.exec(value) ?? []
  const percent = Number(digits)
  if (percent > 0 && percent <= 100) return percent / 100
  return undefined
}

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

/** Reads a day, or an ISO 8601 date-time with an offset or `Z`, from 2000 on. `2026-02-29` does not exist. */
function readDate(text: string) {
  if (text < '2000') return undefined
  return date.safeParse(text).data
}

/** Reads a boolean of YAML's core schema: `true`, `True` or `TRUE`, and `false` in the same three spellings. */
export function readBoolean(value: string) {
  if (/^(true|True|TRUE)$/.test(value)) return true
  if (/^(false|False|FALSE)$/.test(value)) return false
  return undefined
}

/** Whether a key can be used. Redacting a shorter key would redact ordinary words, too. */
export function hasKeyLength({ length }: string) {
  return length >= minSecretLength && length <= 512
}

/**
 * The two other kinds of key, which are easily confused with an API key (openapi.yaml). Their prefixes define this input,
 * as the default host defines `base-url`, so they are not in the client of Mintlify.
 */
const otherKey = /^mint_(?:dsc|us)_/

/** Reads an API key: visible ASCII, because it is sent in a header. */
function readKey(key: string) {
  if (!hasKeyLength(key) || otherKey.test(key)) return undefined
  return matching(/^[\x21-\x7E]+$/)(key)
}

/** This machine. It is never reached through a proxy, and may use plain http. */
export const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Reads an http or https URL to append paths to: rejects credentials and queries, and removes trailing slashes. */
function readUrl(value: string) {
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (/[?#]/.test(value)) return undefined
  return url.href.replace(/\/+$/, '')
}

/** Reads an https URL, or an http URL of this machine. Otherwise like `readUrl`. */
function readBaseUrl(value: string) {
  const { protocol, hostname = '' } = URL.parse(value) ?? {}
  if (protocol !== 'https:' && !loopbackHosts.includes(hostname)) return undefined
  return readUrl(value)
}

/** Groups, ranges and classes, which are not supported. */
const unsupported = /[?*+@!]\(|\{[^{}]*\.\.[^{}]*\}|\[:/

/** Reads globs of page paths, which may begin with a slash. */
function readPathGlobs(value: string) {
  const globs = parts(value, '\n')
  if (globs.some((glob) => unsupported.test(glob))) return undefined
  return globs
}

/** A glob that is absolute, or leaves the folder in which it is matched. */
const outsideGlob = /^!?(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])!?\.\.(?:[/\\]|$)/

/** Reads globs of files; `!` excludes. */
function readGlobs(value: string) {
  const globs = readPathGlobs(value)
  if (globs?.some((glob) => outsideGlob.test(glob))) return undefined
  return globs
}

const globs = field('globs of files, one per line, not absolute and without `..`; ! excludes', readGlobs)

/** GitHub's limit on a label's name, in characters. */
const maxLabelLength = 50
const labelName = new RegExp(`^\\P{Cc}{1,${maxLabelLength}}$`, 'u')

/** A login on GitHub. Those of managed users contain `_`; those of most bots end in `[bot]`. */
const login = /^[\w-]+(\[bot\])?$/

/** What `allowed` does not take as the login of a bot: roles, and words that people use for groups of people. */
const otherAllowed = [...roles, 'none', 'read', 'owner', 'member']

/** Reads the accounts that can ask: exactly one role, and bots by their logins, separated by commas or line breaks. */
function readAllowed(value: string) {
  const entries = [...new Set(parts(value))]
  const role = roles.find((each) => entries.includes(each))
  const bots = entries.filter((entry) => login.test(entry) && !otherAllowed.includes(entry.toLowerCase()))
  // Any other entry makes the two numbers differ.
  if (role === undefined || entries.length !== 1 + bots.length) return undefined
  return { role, bots }
}

/** What every mode reads. */
export const common = {
  'project-id': field(
    "the project's ID, from the API keys page of the Mintlify dashboard",
    matching(pathSegment),
  ),
  'api-key': field('an admin API key (mint_…), from a secret', readKey),
  /** Without a trailing slash. */
  'base-url': field('an https URL (plain http only for localhost)', readBaseUrl, 'https://api.mintlify.com'),
  /** null if the step must not use GitHub. */
  'github-token': anyText,
  /** Milliseconds. Self-hosted runners end a job after five days (GitHub's usage limits). */
  timeout: field(
    'a duration from 1s to 120h, such as 90s, 15m or 2h',
    (value) => within(parseDuration(value), 1000, 5 * dayMs),
    '60m',
  ),
  'fail-on': anyOf(failable, failsByDefault.join(', ')),
  'dry-run': boolean('false'),
}

/** `strategy.job-index`; null if the runner does not know it. */
const matrixIndex = optional('a number', matching(/^\d{1,9}$/))

/** null if comments do not start the step. */
const command = optional('one word such as /docs, up to 50 characters', matching(/^\S{1,50}$/))

const pullRequests = {
  'agent-login': field("the login of the agent's account", matching(login), 'mintlify[bot]'),
  /** Empty: any file. */
  'allowed-paths': globs,
  'pull-request-labels': field(
    `a comma-separated list of at most ${maxNames} label names, each up to ${maxLabelLength} characters`,
    namesWith(labelName),
  ),
  /** Logins, `org/team`, and `requester`. */
  reviewers: field(
    'a comma-separated list of logins, org/team, or requester',
    namesWith(/^[\w-]+(\/[\w.-]+)?$/),
  ),
}

/** The inputs of mode agent. */
const agent = {
  ...common,
  'matrix-index': matrixIndex,
  ...pullRequests,
  prompt: anyText,
  'prompt-file': anyText,
  'context-files': globs,
  'job-id': optional('a job ID', matching(pathSegment)),
  wait: boolean('true'),
  /** Milliseconds, unless `auto`. The maximum is within the limit of Node's timers (about 24 days). */
  'poll-interval': field<PollInterval>(
    'auto, or a duration from 1s to 24h, such as 10s',
    (value) => (value === 'auto' ? value : within(parseDuration(value), 1000, dayMs)),
    'auto',
  ),
  /** Whether the prompt gets a diff: of the change at hand or, on a schedule or manual run, of everything new. */
  'context-diff': field<boolean | 'since-last'>(
    'true, false or since-last',
    (value) => (value === 'since-last' ? value : readBoolean(value)),
    'true',
  ),
  'context-paths': globs,
  /** Maximum number of the agent's open pull requests; null: no limit. */
  'open-limit': optional('a number of pull requests from 1 to 100', upTo(100)),
  /** null: it waits for nothing. */
  hold: field<CodePull['hold']>(
    'none, merge or release',
    (value) => (value === 'none' ? null : holdKinds.find((kind) => kind === value)),
    'none',
  ),
  command,
  /** null if labels do not start the step. */
  label: optional(`one label name, up to ${maxLabelLength} characters`, matching(labelName)),
  allowed: field(
    `exactly one role (${listed(roles)}) and any number of bots by their logins, such as renovate[bot] or Copilot`,
    readAllowed,
    'write',
  ),
}

/** The inputs of mode visitors. */
const visitors = {
  ...common,
  'matrix-index': matrixIndex,
  /** The command in suggested comments. */
  command,
  period: oneOf(['last-week', 'last-7-days', 'last-28-days', 'last-month'], 'last-week'),
  'date-from': optional(
    'a day such as 2026-11-02, or a date-time with an offset such as 2026-11-02T00:00:00+01:00 (and date-to with it)',
    readDate,
  ),
  'date-to': optional(
    'the day after the last one, such as 2026-11-09, or a date-time with an offset (and date-from with it)',
    readDate,
  ),
  /** Globs of the pages in the tables; `!` excludes. */
  paths: field('globs of page paths, one per line; ! excludes', readPathGlobs),
  /** Without a trailing slash; null if pages are not linked. */
  'site-url': optional('the URL of the docs, such as https://docs.example.com', readUrl),
  /** The loss of human visitors that raises an alert, as a fraction; null: no alert. */
  'alert-drop': optional('a percentage from 0.01% to 100%, such as 20%', readPercentage),
  'max-requests': field('a number of requests from 1 to 10000', upTo(10_000), '40'),
  /** In the report's order. */
  sections: anyOf(['questions', 'feedback', 'searches'], 'none'),
  /** null if no files are written. */
  'report-dir': anyText,
  /** null: no comment. */
  'issue-number': optional('an issue number', upTo(999_999_999)),
}

/**
 * In mode settle, each job reports its result on its own thread, so the default means `none`. action.yml can only have
 * one default for all modes.
 */
const failOn = common['fail-on']
const settleFailOn: typeof failOn = {
  ...failOn,
  read: (value) => (value === failOn.fallback ? new Set() : failOn.read(value)),
}

/** The inputs of mode settle. */
const settle = {
  ...common,
  ...pullRequests,
  command,
  'fail-on': settleFailOn,
}

/** The inputs that each mode reads. */
export const inputsByMode = { agent, visitors, settle }

export const mode = oneOf(modes, 'agent')

/** The name of an input of any mode, as in action.yml. */
export type InputName = 'mode' | { [M in Mode]: keyof (typeof inputsByMode)[M] }[Mode]

/** The inputs as text. An input that is not set is empty. */
export type RawInputs = Readonly<Record<InputName, string>>

/** Some fields, by the names of the inputs. */
export type Fields = Readonly<Partial<Record<InputName, Field<unknown>>>>

/** Every input's name, as in action.yml. */
export const inputNames = [
  'mode',
  ...new Set(Object.values(inputsByMode).flatMap((each) => Object.keys(each))),
] as readonly InputName[]

/** An input's name as the code spells it: `prompt-file` becomes `promptFile`. */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** The inputs of a mode after reading. */
type InputsOf<M extends Mode, Own = (typeof inputsByMode)[M]> = { mode: M } & {
  [Name in keyof Own & string as Camel<Name>]: Own[Name] extends Field<infer T> ? T : never
}

export type AgentInputs = InputsOf<'agent'>
export type VisitorsInputs = InputsOf<'visitors'>
export type SettleInputs = InputsOf<'settle'>
/** What modes agent and settle both read. */
export type RunInputs = Omit<SettleInputs, 'mode'>

/** The input `poll-interval`: milliseconds, or a wait that grows with the job's age. */
export type PollInterval = 'auto' | number
