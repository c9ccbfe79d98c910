/** The options of `npm start`: a flag for each input of the action, and a few more. */
import { parseArgs } from 'node:util'
import { type Mode, modes, schemas } from '../src/core/inputs/schema.ts'
import { type ActionManifest, readAction } from './runner/action.ts'

const jobEnds = ['pull-request', 'no-changes', 'archived', 'failed', 'never'] as const

export type JobEnd = (typeof jobEnds)[number]

export interface StartOptions {
  /** The inputs that were given. */
  inputs: Record<string, string>
  ends: JobEnd
  /** Run against the real platform. */
  live: boolean
  /** The folder in which the step runs. */
  workspace: string | undefined
  /** A comment that starts the step, instead of a run by hand. */
  comment: string | undefined
  /** A push that starts the step. */
  push: boolean
  /** A command that nobody waits for, and a second step that tells its result. */
  settle: boolean
}

export type ParsedOptions =
  | { kind: 'run'; options: StartOptions }
  | { kind: 'help' }
  | { kind: 'fault'; text: string }

/** Flags of one demo each, which need the embedded platform in mode agent. */
const demos = ['comment', 'push', 'settle'] as const

type Values = Record<string, string | boolean | undefined>

/** Reads the command line; a mistake in it is a text, not an exception. */
export function parseOptions(args: readonly string[], action: ActionManifest = readAction()): ParsedOptions {
  const inputFlags = Object.fromEntries(
    Object.keys(action.inputs).map((name) => [name, { type: 'string' as const }]),
  )
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...inputFlags,
        ends: { type: 'string' },
        live: { type: 'boolean', default: false },
        workspace: { type: 'string' },
        comment: { type: 'string' },
        push: { type: 'boolean', default: false },
        settle: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return read(values)
  } catch (error) {
    return { kind: 'fault', text: (error as Error).message }
  }
}

function read(values: Values): ParsedOptions {
  const { ends = 'pull-request', live, workspace, comment, push, settle, help, ...inputs } = values
  if (help) return { kind: 'help' }
  const text = faultOf(values, inputs)
  if (text !== undefined) return { kind: 'fault', text }
  return {
    kind: 'run',
    options: {
      inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)])),
      ends: ends as JobEnd,
      live: live === true,
      workspace: workspace as string | undefined,
      comment: comment as string | undefined,
      push: push === true,
      settle: settle === true,
    },
  }
}

function faultOf(values: Values, inputs: Values): string | undefined {
  const { ends = 'pull-request', live } = values
  if (!jobEnds.some((end) => end === ends)) return `--ends takes one of ${jobEnds.join(', ')}; got ${ends}.`
  const given = demos.filter((name) => values[name] !== undefined && values[name] !== false)
  if (given.length > 1) return `${given.map((name) => `--${name}`).join(' and ')}: give one of them.`
  const mode = modes.find((name) => name === (inputs.mode || 'agent'))
  const agentOnly = [...given, ...(values.ends === undefined ? [] : ['ends'])]
  if (agentOnly.length > 0 && (mode !== 'agent' || live))
    return `--${agentOnly[0]} is only for mode agent on the embedded platform.`
  if (mode === 'settle') return '--mode settle finds no open jobs here. Use --settle.'
  // Which flags belong to a mode that does not exist, only the action can tell.
  const foreign = Object.keys(inputs).find((name) => mode !== undefined && !isOf(mode, name))
  return foreign === undefined ? undefined : `--${foreign} is for ${groupOf(foreign)}, not for mode ${mode}.`
}

function isOf(mode: Mode, input: string): boolean {
  return input === 'mode' || input in schemas[mode].shape
}

/** The modes that read an input, in words. */
function groupOf(input: string): string {
  const owners = modes.filter((mode) => isOf(mode, input))
  if (owners.length === modes.length) return 'every mode'
  return owners.length === 1 ? `mode ${owners[0]}` : `modes ${owners.join(' and ')}`
}

export function helpText(action: ActionManifest = readAction()): string {
  const groups = Map.groupBy(Object.entries(action.inputs), ([name]) => groupOf(name))
  const inputs = [...groups].map(([group, members]) => {
    const lines = members.map(
      ([name, { description, default: fallback }]) =>
        `  --${name.padEnd(20)} ${description ?? ''}${fallback ? ` [${fallback}]` : ''}`,
    )
    return `Inputs of ${group}:\n${lines.join('\n')}`
  })
  return `Runs the action as GitHub's runner would, against an embedded platform on this machine.

  npm start
  npm start -- --prompt "Fix the install page" --fail-on none
  npm start -- --ends failed
  npm start -- --mode visitors
  npm start -- --settle

How the job on the embedded platform ends:
  --ends END         ${jobEnds.join(', ')} [pull-request]

Started by a comment on an issue, with an embedded GitHub; shows the thread before and after:
  --comment TEXT     such as "/docs fix the install page"

Started by a push to the code, with its diff; shows the comments on the pull requests:
  --push

A command that no step waits for, and the result, told when the agent's pull request opens:
  --settle

Against the real platform, with DOCS_AGENT_API_KEY and DOCS_AGENT_PROJECT_ID from the environment:
  --live             Sends for real; add --dry-run true to see what it would send.

The folder of context-files, prompt-file and report-dir:
  --workspace DIR    [the current folder]

${inputs.join('\n\n')}
`
}
