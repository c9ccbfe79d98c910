/** Reads the action's inputs: each by its schema, and all of them together. Every fault is found at once. */
import * as z from 'zod/mini'
import { dayIn, isTimeZone } from '../../visitors/core/calendar.ts'
import { namedPeriod, type Period, periodNames, readEnd } from '../../visitors/core/period.ts'
import { redactor } from '../redact.ts'
import { oneLine } from '../text.ts'
import type { TriggerRules } from '../trigger/trigger.ts'
import { leastKeyLength, listed, longestKey, readBoolean } from './field.ts'
import {
  camelKeys,
  common,
  type InputName,
  type Inputs,
  type InputsOf,
  type Mode,
  mode,
  modes,
  schemas,
  type VisitorsInputs,
} from './schema.ts'

export type { AgentInputs, SettleInputs, VisitorsInputs } from './schema.ts'

/** An input that cannot be used. `got` never holds a secret. */
export interface InputFault {
  input: string
  got: string
  /** Completes the sentence “expected …”. */
  expected: string
}

export type ParsedInputs = { ok: true; inputs: Inputs } | { ok: false; faults: InputFault[] }

/** What inputs are checked against. */
export interface InputContext {
  /** Whether a comment started the workflow, so that `command` brings the prompt. */
  isComment: boolean
  /** Milliseconds since the epoch. Periods end before today. */
  now: number
}

type RawInputs = Readonly<Record<string, string>>

const shapes = Object.values(schemas).map(({ shape }) => shape)

/** Every input's name, as in action.yml. */
export const inputNames = [
  'mode',
  ...new Set(shapes.flatMap((shape) => Object.keys(shape))),
] as readonly InputName[]

/** Reads and checks the inputs. An absent input reads as empty, and an empty one as its default. */
export function parseInputs(raw: RawInputs, { isComment, now }: InputContext): ParsedInputs {
  const name = modes.find((each) => each === (raw.mode || mode.fallback))
  switch (name) {
    case 'agent': {
      const { inputs, faults } = read(name, raw)
      return result(inputs, [...faults, ...contradictions(agentRules(raw, isComment))])
    }
    case 'settle': {
      const { inputs, faults } = read(name, raw)
      return result(inputs, [...faults, ...contradictions(settleRules(raw))])
    }
    case 'visitors': {
      const { inputs, faults } = read(name, raw)
      const chosen = choosePeriod(raw, now)
      return result(inputs && chosen.period && withPeriod(inputs, chosen.period), [
        ...faults,
        ...contradictions(visitorsRules(raw)),
        ...chosen.faults,
      ])
    }
    case undefined:
      // Without a mode nobody can tell which other inputs belong to it.
      return result(undefined, malformed(z.object({ mode, ...common }).safeParse(raw).error, raw))
  }
}

/** The inputs that say which events are for a step, before the others are checked; null if all are. */
export function readTriggerRules(raw: RawInputs): TriggerRules | null {
  const has = (name: InputName) => isGiven(raw, name)
  const isAgent = (raw.mode || mode.fallback) === 'agent'
  const hasPrompt = has('prompt') || has('prompt-file')
  const onlyWaits = has('job-id') && !hasPrompt && !has('command') && !has('label')
  if (!isAgent || onlyWaits) return null
  const agentLogin = raw['agent-login'] || schemas.agent.shape['agent-login'].fallback
  return { command: raw.command ?? '', label: (raw.label ?? '').trim(), agentLogin }
}

function result(inputs: Inputs | undefined, faults: InputFault[]): ParsedInputs {
  return inputs === undefined || faults.length > 0 ? { ok: false, faults } : { ok: true, inputs }
}

/** Reads the inputs of one mode; undefined if one is malformed. */
function read<M extends Mode>(name: M, raw: RawInputs): { inputs?: InputsOf<M>; faults: InputFault[] } {
  const { data, error } = schemas[name].safeParse(raw)
  const faults = [...malformed(error, raw), ...inputsOfOtherModes(raw, name)]
  return data === undefined
    ? { faults }
    : { inputs: { mode: name, ...camelKeys(data) } as InputsOf<M>, faults }
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

/** Inputs that only other modes read. One that equals its default may not have been given at all. */
function inputsOfOtherModes(raw: RawInputs, name: Mode): InputFault[] {
  return inputNames
    .filter((input) => input !== 'mode' && !(input in schemas[name].shape))
    .flatMap((input): InputFault[] => {
      const owners = modes.filter((each) => input in schemas[each].shape)
      const value = raw[input] ?? ''
      const isGiven = value !== '' && owners.some((each) => fallbackOf(each, input) !== value)
      const expected = `nothing in mode ${name} (it belongs to mode ${listed(owners)})`
      return isGiven ? [{ input, got: describe(raw, input), expected }] : []
    })
}

function fallbackOf(name: Mode, input: string): string | undefined {
  return (schemas[name].shape as Record<string, { fallback: string }>)[input]?.fallback
}

/** What no single input can tell. Rules read the raw texts, so that they apply beside a malformed input. */
type Rule = InputFault & { isBroken: boolean }

function contradictions(rules: readonly Rule[]): InputFault[] {
  return rules.flatMap(({ isBroken, ...fault }) => (isBroken ? [fault] : []))
}

function agentRules(raw: RawInputs, isComment: boolean): Rule[] {
  const has = (name: InputName) => isGiven(raw, name)
  const hasPrompt = has('prompt') || has('prompt-file')
  const isResume = has('job-id') && !hasPrompt
  const isCommand = isComment && has('command')
  const hasDiff = readBoolean(raw['context-diff'] ?? '') === true
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
    {
      isBroken: (isCommand || has('label')) && !has('github-token'),
      input: 'github-token',
      got: 'nothing',
      expected: 'a token, such as the default, to check the role of whoever comments or adds the label',
    },
    {
      isBroken: (hasDiff || has('open-limit')) && !has('github-token'),
      input: 'github-token',
      got: 'nothing',
      expected: 'a token, such as the default, for context-diff and open-limit to read GitHub',
    },
    {
      isBroken: has('context-paths') && !hasDiff,
      input: 'context-paths',
      got: 'globs without a diff',
      expected: 'context-diff: true with it',
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

function visitorsRules(raw: RawInputs): Rule[] {
  return [
    {
      isBroken: isGiven(raw, 'alert-drop') && raw.compare === 'none',
      input: 'alert-drop',
      got: 'a percentage with compare: none',
      expected: 'compare: previous with it',
    },
    {
      isBroken: isGiven(raw, 'issue-number') && !isGiven(raw, 'github-token'),
      input: 'github-token',
      got: 'nothing',
      expected: 'a token, such as the default, to comment on the issue',
    },
  ]
}

function settleRules(raw: RawInputs): Rule[] {
  return [
    {
      isBroken: !isGiven(raw, 'github-token'),
      input: 'github-token',
      got: 'nothing',
      expected: 'a token, such as the default, to find what earlier runs left open',
    },
  ]
}

function withPeriod({ dateFrom, dateTo, ...inputs }: InputsOf<'visitors'>, period: Period): VisitorsInputs {
  return { ...inputs, period }
}

/** The period asked for, by dates or by name. */
function choosePeriod(raw: RawInputs, now: number): { period?: Period; faults: InputFault[] } {
  const zone = raw.timezone || schemas.visitors.shape.timezone.fallback
  // A malformed zone or name has a fault of its own.
  if (!isTimeZone(zone)) return { faults: [] }
  const today = dayIn(zone, now)
  const [from = '', to = ''] = [raw['date-from'], raw['date-to']]
  if (from === '' && to === '') {
    const given = raw.period || schemas.visitors.shape.period.fallback
    const name = periodNames.find((each) => each === given)
    return name === undefined ? { faults: [] } : { period: namedPeriod(name, today), faults: [] }
  }
  const period = { from: readEnd(from, 'from', zone) ?? '', to: readEnd(to, 'to', zone) ?? '' }
  const faults = (['from', 'to'] as const).flatMap((side): InputFault[] =>
    period[side] === ''
      ? [{ input: `date-${side}`, got: describe(raw, `date-${side}`), expected: expectedDate[side] }]
      : [],
  )
  if (faults.length > 0) return { faults }
  const faultyEnd = (expected: string) => ({
    faults: [{ input: 'date-to', got: describe(raw, 'date-to'), expected }],
  })
  if (period.from >= period.to) return faultyEnd('a day after date-from (date-to itself does not count)')
  if (period.to > today) return faultyEnd(`${today} at the latest, because only complete days count`)
  return { period, faults: [] }
}

const expectedDate = {
  from: 'a day such as 2026-11-02 or an ISO 8601 date-time (and date-to with it)',
  to: 'the day after the last one, such as 2026-11-09, or an ISO 8601 date-time (and date-from with it)',
}

function isGiven(raw: RawInputs, name: InputName): boolean {
  return (raw[name] ?? '') !== ''
}

/** Shows what an input got. A key in the wrong input is removed before the text is cut: half a key would stay. */
function describe(raw: RawInputs, input: string): string {
  const value = raw[input] ?? ''
  if (value === '') return 'nothing'
  const redact = redactor([raw['api-key'] ?? '', raw['github-token'] ?? ''])
  return `"${oneLine(redact(value).replace(/mint_[\w-]{8,}/g, 'mint_***'), 80)}"`
}

/** Says what is wrong with a key without showing a character of it beyond its public prefix. */
function describeKey(key: string): string {
  if (key === '') return 'nothing (does the secret exist, and is its name spelled right?)'
  if (key.startsWith('mint_dsc_')) return 'an assistant key (mint_dsc_…), which this API does not accept'
  if (key.startsWith('mint_us_')) return 'an index key (mint_us_…), which this API does not accept'
  if (key.length < leastKeyLength) return `only ${key.length} characters`
  if (key.length > longestKey) return `${key.length} characters (probably not a key)`
  return 'white space or special characters in it (perhaps a pasted line break)'
}
