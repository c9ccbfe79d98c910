/** The options of `npm start`: a flag for each input of the action, and a few more. */
import { parseArgs } from 'node:util'
import { common, defaults } from '../src/core/inputs/schema.ts'
import { type Mode, modes } from '../src/core/outcome.ts'
import { type JobEnd, jobEnds } from './platform/jobs.ts'
import { type ActionManifest, readAction } from './runner/action.ts'

export interface StartOptions {
  /** The inputs that were given. */
  inputs: Record<string, string>
  ends: JobEnd
  /** Run against Mintlify itself. */
  live: boolean
  /** The folder in which the step runs. */
  workspace: string | undefined
  /** The text of the comment that starts the step. */
  comment: string | undefined
  /** Whether a push starts the step. */
  push: boolean
  /** Whether to show a command that no step waits for, and a second step that reports its result. */
  settle: boolean
  /** Whether to show how docs ship with a feature: a label, a merge, and what follows. */
  ship: boolean
}

export type ParsedOptions =
  | { kind: 'run'; options: StartOptions }
  | { kind: 'help' }
  | { kind: 'fault'; text: string }

/** The flags that each start a demo in mode agent, on the embedded platform. */
const demos = ['comment', 'push', 'settle', 'ship'] as const

type Values = Record<string, string | boolean | undefined>

const ownFlags = {
  ends: { type: 'string' },
  live: { type: 'boolean', default: false },
  workspace: { type: 'string' },
  comment: { type: 'string' },
  push: { type: 'boolean', default: false },
  settle: { type: 'boolean', default: false },
  ship: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Reads the command line. Returns a mistake as text instead of throwing it. */
export function parseOptions(args: readonly string[], action: ActionManifest = readAction()): ParsedOptions {
  const inputFlags = Object.fromEntries(
    Object.keys(action.inputs).map((name) => [name, { type: 'string' as const }]),
  )
  try {
    const { values } = parseArgs({ args: [...args], options: { ...inputFlags, ...ownFlags } })
    return read(values)
  } catch (error) {
    return { kind: 'fault', text: (error as Error).message }
  }
}

function read(values: Values): ParsedOptions {
  const { ends = 'pull-request', live, workspace, comment, push, settle, ship, help, ...inputs } = values
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
      ship: ship === true,
    },
  }
}

function faultOf(values: Values, inputs: Values): string | undefined {
  const { ends = 'pull-request', live } = values
  if (!jobEnds.some((end) => end === ends))
    return `--ends must be one of ${jobEnds.join(', ')}; it is ${ends}.`
  const given = demos.filter((name) => values[name] !== undefined && values[name] !== false)
  if (given.length > 1)
    return `${given.map((name) => `--${name}`).join(' and ')} are different demos. Use only one.`
  const mode = modes.find((name) => name === (inputs.mode || 'agent'))
  const agentOnly = [...given, ...(values.ends === undefined ? [] : ['ends'])]
  if (agentOnly.length > 0 && (mode !== 'agent' || live))
    return `--${agentOnly[0]} is only for mode agent with the mock of Mintlify.`
  const ofGitHub = live ? ['label', 'issue-number'].find((name) => inputs[name]) : undefined
  if (ofGitHub !== undefined) return `--${ofGitHub} is only for the mock of Mintlify: --live has no GitHub.`
  if (mode === 'settle') return '--mode settle finds no open jobs here. Use --settle.'
  // The action itself reports a misspelled mode.
  const foreign = Object.keys(inputs).find((name) => mode !== undefined && !isOf(mode, name))
  return foreign === undefined ? undefined : `--${foreign} is for ${groupOf(foreign)}, not for mode ${mode}.`
}

function isOf(mode: Mode, input: string): boolean {
  return input === 'mode' || input in defaults[mode]
}

/** The modes that read an input, as words for a sentence. */
function groupOf(input: string): string {
  const owners = modes.filter((mode) => isOf(mode, input))
  if (owners.length === modes.length) return 'every mode'
  return owners.length === 1 ? `mode ${owners[0]}` : `modes ${owners.join(' and ')}`
}

/** The flags that npm took because `--` was missing, as in `npm start --push`. */
export function flagsThatNpmTook(
  env: Readonly<Record<string, string | undefined>>,
  action: ActionManifest = readAction(),
): string[] {
  // npm has its own flags with these names.
  const known = new Set(['include', 'dry-run', 'workspace'])
  return [...Object.keys(action.inputs), ...Object.keys(ownFlags)].filter(
    (name) => !known.has(name) && env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined,
  )
}

export interface InputGroup {
  title: string
  inputs: { name: string; description: string; required: boolean; fallback: string }[]
  /** Inputs of the groups above that this mode also reads. */
  also: string[]
}

/** The inputs by the mode that reads them, in the order of action.yml. */
export function inputGroups(action: ActionManifest = readAction()): InputGroup[] {
  const shared = new Set(['mode', ...Object.keys(common)])
  const seen = new Set(shared)
  const group = (title: string, names: ReadonlySet<string>, also: string[] = []): InputGroup => ({
    title,
    also,
    inputs: Object.entries(action.inputs)
      .filter(([name]) => names.has(name))
      .map(([name, { description = '', required, default: fallback = '' }]) => ({
        name,
        description,
        required: required === 'true',
        fallback,
      })),
  })
  return [
    group('Every mode', shared),
    ...modes.map((mode) => {
      const names = Object.keys(defaults[mode]).filter((name) => !shared.has(name))
      const also = names.filter((name) => seen.has(name))
      const own = new Set(names.filter((name) => !seen.has(name)))
      for (const name of own) seen.add(name)
      return group(`Mode \`${mode}\``, own, also)
    }),
  ]
}

export function helpText(action: ActionManifest = readAction()): string {
  const line = (flag: string, text: string) => `  --${flag.padEnd(20)} ${text}`
  const groups = inputGroups(action).map(({ title, inputs, also }) =>
    [
      `${title.replaceAll('`', '')}:`,
      ...inputs.map(({ name, description, fallback }) =>
        line(name, `${description}${fallback ? ` [${fallback}]` : ''}`),
      ),
      ...(also.length > 0 ? [`  Also: ${also.map((name) => `--${name}`).join(', ')}`] : []),
    ].join('\n'),
  )
  return `Runs the action as GitHub's runner would, against a mock of Mintlify on this machine.

  npm start
  npm start -- --comment "/docs fix the install page"
  npm start -- --push
  npm start -- --label docs
  npm start -- --settle
  npm start -- --mode visitors --issue-number 7
  npm start -- --ship
  npm start -- --ends failed --fail-on none

What starts the step (mode agent; default: a manual run):
${line('comment TEXT', 'A comment on an issue. Shows the thread before and after.')}
${line('push', 'A push to the code, with its diff. Shows the comments on the pull requests.')}
${line('settle', 'A command that no step waits for. A second step, in mode settle, reports its result.')}
${line('ship', 'A label on a pull request, then its merge. Shows docs that ship with the feature.')}

How the job ends (mode agent):
${line('ends END', `${jobEnds.join(', ')} [pull-request]`)}

Where it runs:
${line('live', 'Against Mintlify itself. Sends for real; add --dry-run true to send nothing.')}
${line('', 'Needs DOCS_AGENT_API_KEY and DOCS_PROJECT_ID in the environment.').replace('--', '  ')}
${line('workspace DIR', 'Folder of context-files, prompt-file and report-dir. [the current folder]')}

The inputs of the action, by mode:

${groups.join('\n\n')}
`
}
