/** Checks the action's inputs: each by its field, then all of them together. Every fault is reported at once. */
import { type Mode, modes } from '../outcome.ts'
import type { InputFault } from '../problems.ts'
import { containsSecret, redactor } from '../redact.ts'
import type { Result } from '../result.ts'
import { listed, oneLine } from '../text.ts'
import type { TriggerRules } from '../trigger/trigger.ts'
import { toDay } from '../units.ts'
import {
  type AgentInputs,
  common,
  type Fields,
  hasKeyLength,
  type InputName,
  inputNames,
  inputsByMode,
  mode,
  type RawInputs,
  readBoolean,
  type SettleInputs,
  type VisitorsInputs,
} from './schema.ts'

/** What inputs are checked against besides each other. */
interface InputContext {
  /** Whether a comment started the workflow. If so, the prompt comes from the comment's command. */
  isComment: boolean
  /** Milliseconds since the epoch. Report periods end before today. */
  now: number
}

type Inputs = AgentInputs | VisitorsInputs | SettleInputs

const fieldsByMode: Record<Mode, Fields> = inputsByMode

const secretInputs = ['api-key', 'github-token'] as const

/** The selected mode; undefined if it does not exist. */
function modeOf(raw: RawInputs) {
  return mode.read(raw.mode || mode.fallback)
}

/** Reads and checks the inputs. An empty input has its default. */
export function parseInputs(raw: RawInputs, context: InputContext): Result<Inputs, InputFault[]> {
  const name = modeOf(raw)
  // Without a valid mode, it is unknown which other inputs apply.
  if (name === undefined) return { ok: false, failure: readFields({ mode, ...common }, raw).faults }
  const { values, faults } = readFields(fieldsByMode[name], raw)
  faults.push(
    ...inputsOfOtherModes(raw, name),
    ...inputsWithSecrets(raw),
    ...combinedFaults(raw, name, context),
  )
  if (faults.length > 0) return { ok: false, failure: faults }
  return { ok: true, value: { mode: name, ...values } as Inputs }
}

/**
 * The inputs that select events. They are read before the other inputs are checked. Null if the step runs on every
 * event, because it has another mode or only waits for a job.
 */
export function readTriggerRules(raw: RawInputs): TriggerRules | null {
  if (modeOf(raw) !== 'agent') return null
  const command = textOf(raw, 'command')
  const label = textOf(raw, 'label')
  if (onlyWaits(raw) && command === null && label === null) return null
  const agentLogin = raw['agent-login'] || inputsByMode.agent['agent-login'].fallback
  return { command, label, agentLogin }
}

/** Reads each input by its field. The values get names as the code spells them: see `Camel`. */
function readFields(fields: Fields, raw: RawInputs) {
  const values: Record<string, unknown> = {}
  const faults: InputFault[] = []
  for (const input of inputNames) {
    const field = fields[input]
    if (field === undefined) continue
    const value = field.read(raw[input] || field.fallback)
    const name = input.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    if (value === undefined) faults.push(fault(input, describe(raw, input), field.expected))
    else values[name] = value
  }
  return { values, faults }
}

/** Inputs that only other modes read. A default counts as not set. */
function* inputsOfOtherModes(raw: RawInputs, name: Mode) {
  for (const input of inputNames) {
    const owners = modes.filter((each) => input in fieldsByMode[each])
    // action.yml fills in `matrix-index`.
    if (owners.includes(name) || input === 'matrix-index') continue
    const isDefault = (owner: Mode) => fieldsByMode[owner][input]?.fallback === raw[input]
    if (raw[input] === '' || owners.every(isDefault)) continue
    const expected = `nothing in mode ${name} (it belongs to mode ${listed(owners)})`
    yield fault(input, describe(raw, input), expected)
  }
}

/** Inputs that contain a secret, which a report or a comment could show. */
function* inputsWithSecrets(raw: RawInputs) {
  for (const secret of secretInputs) {
    for (const input of inputNames) {
      // `prompt` has a check of its own.
      if (input === secret || input === 'prompt') continue
      if (!containsSecret(raw[input], [textOf(raw, secret)])) continue
      yield fault(input, describe(raw, input), `a value that does not contain ${secret}`)
    }
  }
}

/** Faults in how inputs combine. They are found in the raw text, so even if another input is malformed. */
function* combinedFaults(raw: RawInputs, name: Mode, { isComment, now }: InputContext) {
  const isCommand = isComment && textOf(raw, 'command') !== null
  if (name === 'agent') yield* agentFaults(raw, isCommand)
  if (name === 'visitors') yield* visitorsFaults(raw, now)
  if (name === 'settle') yield* tokenFault(raw, ['mode settle'])
}

function* agentFaults(raw: RawInputs, isCommand: boolean) {
  const has = (name: InputName) => textOf(raw, name) !== null
  const isFalse = (name: InputName) => readBoolean(raw[name]) === false
  const isHolding = Boolean(inputsByMode.agent.hold.read(raw.hold))

  if (has('prompt') && has('prompt-file'))
    yield fault('prompt-file', 'a file and a prompt', 'only one of prompt and prompt-file')
  if (!hasPrompt(raw) && !has('job-id') && !isCommand)
    yield fault('prompt', 'nothing', 'a prompt (or prompt-file; or job-id, to wait for a job)')
  if (has('context-paths') && isFalse('context-diff'))
    yield fault(
      'context-paths',
      'globs, with context-diff: false',
      'a diff with it: context-diff: true or since-last',
    )
  if (has('context-files') && onlyWaits(raw))
    yield fault('context-files', 'files without a prompt', 'a prompt to append them to')
  if (onlyWaits(raw) && isFalse('wait'))
    yield fault('wait', 'false, with a job-id and no prompt', 'true: without a prompt the step can only wait')
  if (isHolding && has('open-limit'))
    yield fault(
      'open-limit',
      `a limit, with hold: ${raw.hold}`,
      "no limit: the agent's pull request waits for one change only",
    )

  const users: InputName[] = []
  if (isCommand) users.push('command')
  if (isHolding) users.push('hold')
  yield* tokenFault(raw, [...users, ...tokenInputs.filter(has)])
}

/** The inputs of mode agent that need a token, besides `command` and `hold`. */
const tokenInputs = ['label', 'context-paths', 'open-limit', 'pull-request-labels', 'reviewers'] as const

function* visitorsFaults(raw: RawInputs, now: number) {
  const from = textOf(raw, 'date-from')
  const to = textOf(raw, 'date-to')
  const missing = from === null ? 'date-from' : 'date-to'
  if ((from === null) !== (to === null)) yield fault(missing, 'nothing', 'both dates, or neither')
  // A malformed date is NaN, for which these comparisons are false.
  const end = Date.parse(to ?? '')
  const got = describe(raw, 'date-to')
  if (Date.parse(from ?? '') >= end)
    yield fault('date-to', got, 'a time after date-from (the period ends before date-to)')
  if (end > now) yield fault('date-to', got, `${toDay(now)} at the latest, because only complete days count`)
  if (textOf(raw, 'issue-number') !== null) yield* tokenFault(raw, ['issue-number'])
}

function fault(input: InputName, got: string, expected: string) {
  return { input, got, expected }
}

function hasPrompt(raw: RawInputs) {
  return textOf(raw, 'prompt') !== null || textOf(raw, 'prompt-file') !== null
}

/** Whether a step of mode agent sends no prompt of its own, but only waits for the job in `job-id`. */
function onlyWaits(raw: RawInputs) {
  return textOf(raw, 'job-id') !== null && !hasPrompt(raw)
}

/** The fault of a missing token. @param users the inputs that need it */
function* tokenFault(raw: RawInputs, users: readonly string[]) {
  if (users.length === 0 || textOf(raw, 'github-token') !== null) return
  const expected = `a token, such as the default, for ${listed(users, 'and')}`
  yield fault('github-token', 'nothing', expected)
}

/** The text of an input, trimmed; null if nothing is left. */
export function textOf(raw: RawInputs, name: InputName) {
  return raw[name].trim() || null
}

/** Describes the value of an input. A key in the wrong input is removed first, because cutting the text could leave half a key. */
function describe(raw: RawInputs, input: InputName) {
  const value = raw[input]
  if (input === 'api-key') return describeKey(value)
  if (value === '') return 'nothing'
  const redact = redactor(secretInputs.map((secret) => textOf(raw, secret)))
  return `"${oneLine(redact(value).replace(/mint_[\w-]{8,}/g, 'mint_***'), 80)}"`
}

/** Says what is wrong with a key, and shows no more of it than its public prefix. */
function describeKey(key: string) {
  if (key === '') return 'nothing (does the secret exist, and is its name spelled right?)'
  if (key.startsWith('mint_dsc_')) return 'an assistant key (`mint_dsc_…`)'
  if (key.startsWith('mint_us_')) return 'an index key (`mint_us_…`)'
  if (!hasKeyLength(key)) return `${key.length} characters`
  return 'white space or special characters in it (perhaps a pasted line break)'
}
