/** Checks the action's inputs: each by its field, then all of them together. Every fault is reported at once. */
import { type Mode, modes } from '../outcome.ts'
import type { InputFault } from '../problems.ts'
import { containsSecret, redactor } from '../redact.ts'
import type { Result } from '../result.ts'
import { oneLine } from '../text.ts'
import type { TriggerRules } from '../trigger/trigger.ts'
import { toDay } from '../units.ts'
import {
  type AgentInputs,
  common,
  type Fields,
  type InputName,
  inputNames,
  inputsByMode,
  listed,
  maxKeyLength,
  minKeyLength,
  mode,
  readBoolean,
  type SettleInputs,
  sectionsField,
  type VisitorsInputs,
} from './schema.ts'

/** What inputs are checked against besides each other. */
export interface InputContext {
  /** Whether a comment started the workflow. If so, the prompt comes from the comment's command. */
  isComment: boolean
  /** Milliseconds since the epoch. Report periods end before today. */
  now: number
  /** The names of the report's sections. */
  sections: readonly string[]
}

const secretInputs = ['api-key', 'github-token'] as const

/** The inputs as text, by their names in action.yml. */
type RawInputs = Readonly<Record<string, string>>

/** The selected mode; undefined if it does not exist. */
export function modeOf(raw: RawInputs): Mode | undefined {
  return mode.read(raw.mode || mode.fallback)
}

/** Reads and checks the inputs. A missing input counts as empty, and an empty one as its default. */
export function parseInputs(
  raw: RawInputs,
  { isComment, now, sections }: InputContext,
): Result<AgentInputs | VisitorsInputs | SettleInputs, InputFault[]> {
  const name = modeOf(raw)
  // Without a valid mode, it is unknown which other inputs apply.
  if (name === undefined) return { ok: false, failure: malformed({ mode, ...common }, raw) }
  const combined = {
    agent: () => agentFaults(raw, isComment),
    visitors: () => visitorsFaults(raw, now),
    settle: () => tokenFault(raw, ['mode settle']),
  }
  const own: Fields = inputsByMode[name]
  const fields: Fields = name === 'visitors' ? { ...own, sections: sectionsField(sections) } : own
  const faults = [
    ...malformed(fields, raw),
    ...inputsOfOtherModes(raw, name),
    ...inputsWithSecrets(raw),
    ...combined[name](),
  ]
  if (faults.length > 0) return { ok: false, failure: faults }
  const values = Object.entries(fields).map(([input, { read, fallback }]) => [
    input.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    read(raw[input] || fallback),
  ])
  return { ok: true, value: { mode: name, ...Object.fromEntries(values) } }
}

/**
 * The inputs that select events. They are read before the other inputs are checked. Null if the step runs on every
 * event, because it has another mode or only waits for a job.
 */
export function readTriggerRules(raw: RawInputs): TriggerRules | null {
  const has = (name: InputName) => given(raw, name) !== null
  const onlyWaits = has('job-id') && !hasPrompt(raw) && !has('command') && !has('label')
  if (modeOf(raw) !== 'agent' || onlyWaits) return null
  const agentLogin = raw['agent-login'] || inputsByMode.agent['agent-login'].fallback
  return { command: given(raw, 'command'), label: given(raw, 'label'), agentLogin }
}

function malformed(fields: Fields, raw: RawInputs): InputFault[] {
  return Object.entries(fields)
    .filter(([input, { read, fallback }]) => read(raw[input] || fallback) === undefined)
    .map(([input, { expected }]) => ({ input, got: describe(raw, input), expected }))
}

/** Inputs that only other modes read. A default counts as not set, and action.yml fills in `matrix-index`. */
function inputsOfOtherModes(raw: RawInputs, name: Mode): InputFault[] {
  return inputNames
    .filter((input) => input !== 'matrix-index' && !(input in inputsByMode[name]))
    .flatMap((input) => {
      const owners = modes.filter((each) => input in inputsByMode[each])
      const value = raw[input] ?? ''
      const isDefault = (each: Mode) => (inputsByMode[each] as Fields)[input]?.fallback === value
      const isGiven = value !== '' && !owners.every(isDefault)
      const expected = `nothing in mode ${name} (it belongs to mode ${listed(owners)})`
      return isGiven ? [{ input, got: describe(raw, input), expected }] : []
    })
}

/** Inputs that contain a secret, which a report or a comment could show. `prompt` has a check of its own. */
function inputsWithSecrets(raw: RawInputs): InputFault[] {
  return secretInputs.flatMap((secret) =>
    inputNames
      .filter((input) => input !== secret && input !== 'prompt')
      .filter((input) => containsSecret(raw[input] ?? '', [given(raw, secret)]))
      .map((input) => ({
        input,
        got: describe(raw, input),
        expected: `a value that does not contain ${secret}`,
      })),
  )
}

/** Faults in how inputs combine. They are found in the raw text, so even if another input is malformed. */
function agentFaults(raw: RawInputs, isComment: boolean): InputFault[] {
  const has = (name: InputName) => given(raw, name) !== null
  const isFalse = (name: InputName) => readBoolean(raw[name] ?? '') === false
  const isResume = has('job-id') && !hasPrompt(raw)
  const isCommand = isComment && has('command')
  const isHolding = raw.hold === 'merge' || raw.hold === 'release'
  const users = (
    ['label', 'context-paths', 'open-limit', 'pull-request-labels', 'reviewers'] as const
  ).filter(has)
  const rules: Rule[] = [
    [
      has('prompt') && has('prompt-file'),
      'prompt-file',
      'a file and a prompt',
      'only one of prompt and prompt-file',
    ],
    [
      !hasPrompt(raw) && !has('job-id') && !isCommand,
      'prompt',
      'nothing',
      'a prompt (or prompt-file; or job-id, to wait for a job)',
    ],
    [
      has('context-paths') && isFalse('context-diff'),
      'context-paths',
      'globs, with context-diff: false',
      'a diff with it: context-diff: true or since-last',
    ],
    [
      has('context-files') && isResume,
      'context-files',
      'files without a prompt',
      'a prompt to append them to',
    ],
    [
      isResume && isFalse('wait'),
      'wait',
      'false, with a job-id and no prompt',
      'true: without a prompt the step can only wait',
    ],
    [
      isHolding && has('open-limit'),
      'open-limit',
      `a limit, with hold: ${raw.hold}`,
      "no limit: the agent's pull request waits for one change only",
    ],
  ]
  return [
    ...broken(rules),
    ...tokenFault(raw, [...(isCommand ? ['command'] : []), ...(isHolding ? ['hold'] : []), ...users]),
  ]
}

/** Faults in how the dates combine. A malformed date is NaN, so these rules ignore it. */
function visitorsFaults(raw: RawInputs, now: number): InputFault[] {
  const [from, to] = [given(raw, 'date-from'), given(raw, 'date-to')]
  const end = Date.parse(to ?? '')
  const got = describe(raw, 'date-to')
  return [
    ...broken([
      [
        (from === null) !== (to === null),
        from === null ? 'date-from' : 'date-to',
        'nothing',
        'both dates, or neither',
      ],
      [
        Date.parse(from ?? '') >= end,
        'date-to',
        got,
        'a time after date-from (the period ends before date-to)',
      ],
      [end > now, 'date-to', got, `${toDay(now)} at the latest, because only complete days count`],
    ]),
    ...tokenFault(raw, given(raw, 'issue-number') === null ? [] : ['issue-number']),
  ]
}

type Rule = [isBroken: boolean, input: InputName, got: string, expected: string]

function broken(rules: readonly Rule[]): InputFault[] {
  return rules.flatMap(([isBroken, input, got, expected]) => (isBroken ? [{ input, got, expected }] : []))
}

function hasPrompt(raw: RawInputs): boolean {
  return given(raw, 'prompt') !== null || given(raw, 'prompt-file') !== null
}

/** The fault of a missing token. @param users the inputs that need it */
function tokenFault(raw: RawInputs, users: readonly string[]): InputFault[] {
  if (users.length === 0 || given(raw, 'github-token') !== null) return []
  const expected = `a token, such as the default, for ${listed(users, 'and')}`
  return [{ input: 'github-token', got: 'nothing', expected }]
}

/** The text of an input, trimmed; null if nothing is left. */
export function given(raw: RawInputs, name: InputName): string | null {
  return raw[name]?.trim() || null
}

/** Describes the value of an input. A key in the wrong input is removed first, because cutting the text could leave half a key. */
function describe(raw: RawInputs, input: string): string {
  const value = raw[input] ?? ''
  if (input === 'api-key') return describeKey(value)
  if (value === '') return 'nothing'
  const redact = redactor(secretInputs.map((secret) => given(raw, secret)))
  return `"${oneLine(redact(value).replace(/mint_[\w-]{8,}/g, 'mint_***'), 80)}"`
}

/** Says what is wrong with a key, and shows no more of it than its public prefix. */
function describeKey(key: string): string {
  if (key === '') return 'nothing (does the secret exist, and is its name spelled right?)'
  const [other] = /^mint_(?:dsc|us)_/.exec(key) ?? []
  if (other !== undefined) return `an assistant or index key (${other}…), which this API does not accept`
  if (key.length < minKeyLength || key.length > maxKeyLength) return `${key.length} characters`
  return 'white space or special characters in it (perhaps a pasted line break)'
}
