/** Reads the action's inputs: each by its schema, then all of them together. Every fault is reported at once. */
import * as z from 'zod/mini'
import { type Mode, modes } from '../outcome.ts'
import { redactor } from '../redact.ts'
import { oneLine } from '../text.ts'
import type { TriggerRules } from '../trigger/trigger.ts'
import { listed, maxKeyLength, minKeyLength, readBoolean } from './field.ts'
import {
  type AgentInputs,
  camelKeys,
  common,
  defaults,
  type InputName,
  type InputsOf,
  mode,
  type SettleInputs,
  schemas,
} from './schema.ts'

export type { AgentInputs, SettleInputs } from './schema.ts'

/** An input that cannot be used. `got` never contains a secret. */
export interface InputFault {
  input: string
  got: string
  /** Completes the sentence “expected …”. */
  expected: string
}

/** Either the inputs, or everything that is wrong with them. */
export type ParsedInputs<Read> = { ok: true; inputs: Read } | { ok: false; faults: InputFault[] }

/** What inputs are checked against besides each other. */
export interface InputContext {
  /** Whether a comment started the workflow. If so, the prompt comes from the comment's command. */
  isComment: boolean
  /** Milliseconds since the epoch. Report periods end before today. */
  now: number
}

const secretInputs = ['api-key', 'github-token'] as const

/** The inputs as text, by their names in action.yml. */
export type RawInputs = Readonly<Record<string, string>>

/** Every input's name, as in action.yml. */
export const inputNames = [
  'mode',
  ...new Set(Object.values(defaults).flatMap((each) => Object.keys(each))),
] as readonly InputName[]

/** The selected mode; undefined if it does not exist. */
export function modeOf(raw: RawInputs): Mode | undefined {
  return modes.find((each) => each === (raw.mode || mode.fallback))
}

/**
 * Reads and checks the inputs of modes agent and settle; mode visitors reads its own. A missing input counts as empty,
 * and an empty one as its default.
 */
export function parseInputs(
  raw: RawInputs,
  { isComment }: InputContext,
): ParsedInputs<AgentInputs | SettleInputs> {
  const name = modeOf(raw)
  switch (name) {
    case 'agent':
      return parsedOf(readMode(name, schemas.agent, raw, [...agentRules(raw, isComment), ...pullRules(raw)]))
    case 'settle': {
      const rule = needsToken(raw, true, 'to find what earlier runs left open')
      return parsedOf(readMode(name, schemas.settle, raw, [rule]))
    }
    case 'visitors':
      throw new Error('visitors/core/inputs.ts reads the inputs of mode visitors.')
    case undefined:
      // Without a valid mode, it is unknown which other inputs apply.
      return { ok: false, faults: malformed(z.object({ mode, ...common }).safeParse(raw).error, raw) }
  }
}

/**
 * The inputs that select events. They are read before the other inputs are checked. Null if the step runs on every
 * event, because it has another mode or only waits for a job.
 */
export function readTriggerRules(raw: RawInputs): TriggerRules | null {
  const has = (name: InputName) => given(raw, name) !== null
  const hasPrompt = has('prompt') || has('prompt-file')
  const onlyWaits = has('job-id') && !hasPrompt && !has('command') && !has('label')
  if (modeOf(raw) !== 'agent' || onlyWaits) return null
  const agentLogin = raw['agent-login'] || schemas.agent.shape['agent-login'].fallback
  return { command: given(raw, 'command'), label: given(raw, 'label'), agentLogin }
}

type ModeRead<Read> = { inputs?: Read | undefined; faults: InputFault[] }

/** The inputs, or all of their faults. */
export function parsedOf<Read>({ inputs, faults }: ModeRead<Read>): ParsedInputs<Read> {
  return inputs === undefined || faults.length > 0 ? { ok: false, faults } : { ok: true, inputs }
}

/** Reads the inputs of one mode, with all of their faults. `inputs` is undefined if an input is malformed. */
export function readMode<M extends Mode, Read extends object>(
  name: M,
  schema: z.ZodMiniType<Read>,
  raw: RawInputs,
  rules: readonly Rule[],
): ModeRead<InputsOf<M, Read>> {
  const { data, error } = schema.safeParse(raw)
  const faults = [
    ...malformed(error, raw),
    ...inputsOfOtherModes(raw, name),
    ...inputsWithSecrets(raw),
    ...rules.flatMap(({ isBroken, ...fault }) => (isBroken ? [fault] : [])),
  ]
  if (data === undefined) return { faults }
  return { inputs: { mode: name, ...camelKeys(data) } as InputsOf<M, Read>, faults }
}

function malformed(error: z.core.$ZodError | undefined, raw: RawInputs): InputFault[] {
  return (error?.issues ?? []).map(({ path, message: expected }) => {
    const input = String(path[0])
    return {
      input,
      got: input === 'api-key' ? describeKey(raw[input] ?? '') : describe(raw, input),
      expected,
    }
  })
}

/** Inputs that have a value in every mode: action.yml fills in `matrix-index`. */
const internal: readonly InputName[] = ['mode', 'matrix-index']

/** Inputs that only other modes read. A value equal to the default counts as not set. */
function inputsOfOtherModes(raw: RawInputs, name: Mode): InputFault[] {
  return inputNames
    .filter((input) => !internal.includes(input) && !(input in defaults[name]))
    .flatMap((input): InputFault[] => {
      const owners = modes.filter((each) => input in defaults[each])
      const value = raw[input] ?? ''
      const isGiven = value !== '' && owners.some((each) => defaultOf(each, input) !== value)
      const expected = `nothing in mode ${name} (it belongs to mode ${listed(owners)})`
      return isGiven ? [{ input, got: describe(raw, input), expected }] : []
    })
}

/** Inputs that contain a secret, which a report or a comment could show. `prompt` has a check of its own. */
function inputsWithSecrets(raw: RawInputs): InputFault[] {
  return secretInputs.flatMap((secret) => {
    const redact = redactor([given(raw, secret)])
    return inputNames.flatMap((input): InputFault[] => {
      const value = raw[input] ?? ''
      const isLeak = input !== secret && input !== 'prompt' && redact(value) !== value
      return isLeak
        ? [{ input, got: describe(raw, input), expected: `a value that does not contain ${secret}` }]
        : []
    })
  })
}

function defaultOf(name: Mode, input: string): string | undefined {
  return (defaults[name] as Record<string, string>)[input]
}

/** A rule about how inputs combine. Rules read the raw text, so they are checked even if another input is malformed. */
export type Rule = InputFault & { isBroken: boolean }

function agentRules(raw: RawInputs, isComment: boolean): Rule[] {
  const has = (name: InputName) => given(raw, name) !== null
  const hasPrompt = has('prompt') || has('prompt-file')
  const isResume = has('job-id') && !hasPrompt
  const isCommand = isComment && has('command')
  return [
    {
      isBroken: has('prompt') && has('prompt-file'),
      input: 'prompt-file',
      got: 'a file and a prompt',
      expected: 'only one of prompt and prompt-file',
    },
    {
      isBroken: !hasPrompt && !has('job-id') && !isCommand,
      input: 'prompt',
      got: 'nothing',
      expected: 'a prompt (or prompt-file; or job-id, to wait for a job)',
    },
    needsToken(
      raw,
      isCommand || has('label'),
      'to check the role of the person who comments or adds the label',
    ),
    needsToken(
      raw,
      has('context-paths') || has('open-limit'),
      'for context-paths and open-limit to read GitHub',
    ),
    {
      isBroken: has('context-paths') && readBoolean(raw['context-diff'] ?? '') === false,
      input: 'context-paths',
      got: 'globs, with context-diff: false',
      expected: 'a diff with it: context-diff: true or since-last',
    },
    {
      isBroken: has('context-files') && isResume,
      input: 'context-files',
      got: 'files without a prompt',
      expected: 'a prompt to append them to',
    },
    {
      isBroken: isResume && readBoolean(raw.wait ?? '') === false,
      input: 'wait',
      got: 'false, with a job-id and no prompt',
      expected: 'true: without a prompt the step can only wait',
    },
  ]
}

/** Rules about what happens to the agent's pull request. */
function pullRules(raw: RawInputs): Rule[] {
  const isHolding = raw.hold === 'merge' || raw.hold === 'release'
  const isChanging =
    isHolding || given(raw, 'pull-request-labels') !== null || given(raw, 'reviewers') !== null
  return [
    needsToken(raw, isChanging, "to change the agent's pull request"),
    {
      isBroken: isHolding && given(raw, 'open-limit') !== null,
      input: 'open-limit',
      got: `a limit, with hold: ${raw.hold}`,
      expected: "no limit: the agent's pull request waits for one change only",
    },
  ]
}

/** A rule that is broken if a token is needed but missing. */
export function needsToken(raw: RawInputs, isNeeded: boolean, why: string): Rule {
  const isBroken = isNeeded && given(raw, 'github-token') === null
  return { isBroken, input: 'github-token', got: 'nothing', expected: `a token, such as the default, ${why}` }
}

/** The text of an input, trimmed; null if nothing is left. */
export function given(raw: RawInputs, name: InputName): string | null {
  return raw[name]?.trim() || null
}

/** Describes the value of an input. A key in the wrong input is removed first, because cutting the text could leave half a key. */
export function describe(raw: RawInputs, input: string): string {
  const value = raw[input] ?? ''
  if (value === '') return 'nothing'
  const redact = redactor(secretInputs.map((secret) => given(raw, secret)))
  return `"${oneLine(redact(value).replace(/mint_[\w-]{8,}/g, 'mint_***'), 80)}"`
}

/** Says what is wrong with a key, and shows no more of it than its public prefix. */
function describeKey(key: string): string {
  if (key === '') return 'nothing (does the secret exist, and is its name spelled right?)'
  if (key.startsWith('mint_dsc_')) return 'an assistant key (mint_dsc_…), which this API does not accept'
  if (key.startsWith('mint_us_')) return 'an index key (mint_us_…), which this API does not accept'
  if (key.length < minKeyLength) return `only ${key.length} characters`
  if (key.length > maxKeyLength) return `${key.length} characters (probably not a key)`
  return 'white space or special characters in it (perhaps a pasted line break)'
}
