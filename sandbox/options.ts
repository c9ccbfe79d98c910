/** The options of `npm start`: a flag for each input of the action, and a few more. */
import { parseArgs } from 'node:util'
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
}

export type ParsedOptions =
  | { kind: 'run'; options: StartOptions }
  | { kind: 'help' }
  | { kind: 'fault'; text: string }

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
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const {
      ends = 'pull-request',
      live,
      workspace,
      comment,
      push,
      help,
      ...inputs
    } = values as Record<string, string | boolean | undefined>
    if (help) return { kind: 'help' }
    if (!jobEnds.some((end) => end === ends))
      return { kind: 'fault', text: `--ends takes one of ${jobEnds.join(', ')}; got ${ends}.` }
    const events = [...(comment === undefined ? [] : ['--comment']), ...(push ? ['--push'] : [])]
    if (events.length > 1) return { kind: 'fault', text: '--comment and --push are two events: give one.' }
    const agentOnly = [...events, ...(values.ends === undefined ? [] : ['--ends'])]
    if (agentOnly.length > 0 && ((inputs.mode ?? 'agent') !== 'agent' || live))
      return { kind: 'fault', text: `${agentOnly[0]} is only for mode agent on the embedded platform.` }
    return {
      kind: 'run',
      options: {
        inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)])),
        ends: ends as JobEnd,
        live: live === true,
        workspace: workspace as string | undefined,
        comment: comment as string | undefined,
        push: push === true,
      },
    }
  } catch (error) {
    return { kind: 'fault', text: (error as Error).message }
  }
}

export function helpText(action: ActionManifest = readAction()): string {
  const inputs = Object.entries(action.inputs).map(
    ([name, { description, default: fallback }]) =>
      `  --${name.padEnd(20)} ${description ?? ''}${fallback ? ` [${fallback}]` : ''}`,
  )
  return `Runs the action as GitHub's runner would, against an embedded platform on this machine.

  npm start
  npm start -- --prompt "Fix the install page" --fail-on none
  npm start -- --ends failed
  npm start -- --mode visitors

How the job on the embedded platform ends:
  --ends END         ${jobEnds.join(', ')} [pull-request]

Started by a comment on an issue, with an embedded GitHub; shows the thread before and after:
  --comment TEXT     such as "/docs fix the install page"

Started by a push to the code, with its diff; shows the comments on the pull requests:
  --push

Against the real platform, with DOCS_AGENT_API_KEY and DOCS_AGENT_PROJECT_ID from the environment:
  --live             Sends for real; add --dry-run true to see what it would send.

The folder of context-files, prompt-file and report-dir:
  --workspace DIR    [the current folder]

The action's inputs:
${inputs.join('\n')}
`
}
