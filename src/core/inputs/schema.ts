/**
 * The inputs of each mode. Mode visitors has its schema in its own slice, so that other modes do not load it.
 * action.yml describes the inputs for people.
 */
import * as z from 'zod/mini'
import { isPathSegment } from '../job/job.ts'
import type { PollInterval } from '../job/schedule.ts'
import { failable, failsByDefault, type Mode, modes } from '../outcome.ts'
import { type HoldKind, holdKinds } from '../pull.ts'
import { dayMs } from '../units.ts'
import {
  anyOf,
  anyText,
  boolean,
  durationWithin,
  expectedAllowed,
  field,
  integerWithin,
  maxLabelLength,
  maxLabels,
  oneOf,
  optional,
  readAllowed,
  readBaseUrl,
  readBoolean,
  readGlobs,
  readKey,
  readLabel,
  readLabels,
  readLogin,
  readReviewers,
  readWords,
} from './field.ts'

/** Self-hosted runners end a job after five days (GitHub's usage limits). */
const maxTimeout = 5 * dayMs
/** Long enough for any use, and within the limit of Node's timers (about 24 days). */
const maxInterval = dayMs

const defaultFailOn = failsByDefault.join(', ')

export const mode = oneOf(modes, 'agent')

/** What every mode reads. */
export const common = {
  'project-id': field("the project's ID, from the API keys page of the Mintlify dashboard", (value) =>
    isPathSegment(value) ? value : undefined,
  ),
  'api-key': field('an admin API key (mint_…), from a secret', readKey),
  /** Without a trailing slash. */
  'base-url': field('an https URL (plain http only for localhost)', readBaseUrl, 'https://api.mintlify.com'),
  /** null if the step must not use GitHub. */
  'github-token': anyText,
  /** Milliseconds. */
  timeout: field(
    'a duration from 1s to 120h, such as 90s, 15m or 2h',
    (value) => durationWithin(value, 1000, maxTimeout),
    '60m',
  ),
  'fail-on': anyOf(failable, defaultFailOn),
  'dry-run': boolean('false'),
}

/** `strategy.job-index`; null if the runner does not know it. */
export const matrixIndex = optional('a number', (value) => (/^\d{1,9}$/.test(value) ? value : undefined))

/** null if comments do not start the step. */
export const command = optional('one word such as /docs, up to 50 characters', (value) =>
  /^\S{1,50}$/.test(value) ? value : undefined,
)

const pullRequests = {
  'agent-login': field("the login of the agent's account", readLogin, 'mintlify[bot]'),
  /** Empty: any file. */
  'allowed-paths': field(
    'globs of files, one per line, not absolute and without `..`; ! excludes',
    readGlobs,
  ),
  'pull-request-labels': field(
    `a comma-separated list of at most ${maxLabels} label names, each up to ${maxLabelLength} characters`,
    readLabels,
  ),
  reviewers: field('a comma-separated list of logins, org/team, or requester', readReviewers),
}

const agent = z.object({
  ...common,
  'matrix-index': matrixIndex,
  ...pullRequests,
  prompt: anyText,
  'prompt-file': anyText,
  'context-files': field(
    'globs inside the workspace, one per line, not absolute and without `..`; ! excludes',
    readGlobs,
  ),
  'job-id': optional('a job ID', (value) => (isPathSegment(value) ? value : undefined)),
  wait: boolean('true'),
  /** Milliseconds, unless `auto`. */
  'poll-interval': field<PollInterval>(
    'auto, or a duration from 1s to 24h, such as 10s',
    (value) => (value === 'auto' ? value : durationWithin(value, 1000, maxInterval)),
    'auto',
  ),
  /** Whether the prompt gets a diff: of the change at hand or, on a schedule or manual run, of everything new. */
  'context-diff': field(
    'true, false or since-last',
    (value) => (value === 'since-last' ? value : readBoolean(value)),
    'true',
  ),
  'context-paths': field(
    'globs of changed files, one per line, not absolute and without `..`; ! excludes',
    readGlobs,
  ),
  /** Maximum number of the agent's open pull requests; null: no limit. */
  'open-limit': optional('a number of pull requests from 1 to 100', (value) => integerWithin(value, 1, 100)),
  /** null: it waits for nothing. */
  hold: field<HoldKind | null>(
    'none, merge or release',
    (value) => (value === 'none' ? null : holdKinds.find((kind) => kind === value)),
    'none',
  ),
  command,
  /** null if labels do not start the step. */
  label: optional(`one label name, up to ${maxLabelLength} characters`, readLabel),
  allowed: field(expectedAllowed, readAllowed, 'write'),
})

const settle = z.object({
  ...common,
  ...pullRequests,
  command,
  // Each job reports its result on its own thread, so the default list does not apply in this mode. action.yml can only
  // have one default for all modes.
  'fail-on': anyOf(failable, defaultFailOn, (value) =>
    value === defaultFailOn ? new Set() : readWords(value, failable),
  ),
})

const fallbacksOf = <Name extends string>(shape: Record<Name, { fallback: string }>) =>
  Object.fromEntries(
    Object.entries<{ fallback: string }>(shape).map(([name, { fallback }]) => [name, fallback]),
  ) as Record<Name, string>

/** The schemas of the modes that run the agent. */
export const schemas = { agent, settle }

/** The inputs that each mode reads, with their defaults as in action.yml. */
export const defaults = {
  agent: fallbacksOf(agent.shape),
  visitors: {
    ...fallbacksOf(common),
    'matrix-index': '',
    command: '',
    period: 'last-week',
    'date-from': '',
    'date-to': '',
    paths: '',
    'site-url': '',
    'alert-drop': '',
    'max-requests': '40',
    sections: 'none',
    'report-dir': '',
    'issue-number': '',
  },
  settle: fallbacksOf(settle.shape),
} as const

/** The name of an input of any mode, as in action.yml. */
export type InputName = 'mode' | { [M in Mode]: keyof (typeof defaults)[M] }[Mode]

/** An input's name as the code spells it: `prompt-file` becomes `promptFile`. */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

type CamelKeys<T> = { [Name in keyof T & string as Camel<Name>]: T[Name] }

/** The inputs of a mode after reading. */
export type InputsOf<M extends Mode, Read> = { mode: M } & CamelKeys<Read>

export type AgentInputs = InputsOf<'agent', z.output<typeof agent>>
export type SettleInputs = InputsOf<'settle', z.output<typeof settle>>
/** What modes agent and settle both read. */
export type RunInputs = Omit<SettleInputs, 'mode'>

/** Renames the inputs from action.yml's spelling to the code's. */
export function camelKeys<T extends object>(inputs: T): CamelKeys<T> {
  const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [camel(name), value]),
  ) as CamelKeys<T>
}
