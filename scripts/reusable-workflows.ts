/** Generates those lines of the reusable workflows that pass on every input and output of a mode. */
import { stringify } from 'yaml'
import { readAction } from '../sandbox/runner/action.ts'
import type { Mode } from '../src/core/outcome.ts'
import { isInputOf, isOutputOf } from './sub-actions.ts'

interface ReusableWorkflow {
  /** Relative to the project. */
  path: string
  mode: Mode
  /** The job that runs the action, and its step. */
  job: string
  /** Defaults that differ from action.yml, because the workflow has one purpose. */
  defaults: Readonly<Record<string, string>>
}

/** The workflows that pin this action to a release's commit (release.ts). They run on ubuntu-slim, which ends after 15 minutes. */
export const reusableWorkflows: readonly ReusableWorkflow[] = [
  {
    path: '.github/workflows/docs-command.yml',
    mode: 'agent',
    job: 'docs',
    defaults: { command: '/docs', timeout: '12m' },
  },
  {
    path: '.github/workflows/docs-visitors.yml',
    mode: 'visitors',
    job: 'visitors',
    defaults: { timeout: '12m', 'report-dir': 'visitors-report' },
  },
]

/** Inputs that a workflow gets as secrets, which GitHub masks. */
const secrets = ['api-key', 'github-token']
/** Inputs that users do not set, because they have a fixed or automatic value. */
const internal = ['mode', 'matrix-index']

/** The workflow with its generated lines up to date. Each block is between `# <name>` and `# </name>`. */
export function withInterface(text: string, { mode, job, defaults }: ReusableWorkflow): string {
  const action = readAction()
  const isSet = (name: string) => !secrets.includes(name) && !internal.includes(name)
  const names = Object.keys(action.inputs).filter((name) => isInputOf(mode, name) && isSet(name))
  // Without the paths of files: the runner is gone when another job reads them.
  const outputs = Object.keys(action.outputs).filter(
    (name) => isOutputOf(mode, name) && !name.startsWith('report'),
  )
  const blocks: Record<string, string[]> = {
    inputs: names.map((name) => `${name}: ${declaration(name, defaults[name])}`),
    with: names.map((name) => `${name}: \${{ inputs.${name} }}`),
    outputs: outputs.map((name) => {
      const { description = '' } = action.outputs[name] ?? {}
      return `${name}: ${flow({ description, value: `\${{ jobs.${job}.outputs.${name} }}` })}`
    }),
    results: outputs.map((name) => `${name}: \${{ steps.${job}.outputs.${name} }}`),
  }
  return text.replace(
    /^( *)# <(\w+)>(.*)\n[\s\S]*?^ *# <\/\2>$/gm,
    (_, indent: string, name: string, note: string) =>
      [`# <${name}>${note}`, ...(blocks[name] ?? []), `# </${name}>`].map((line) => indent + line).join('\n'),
  )
}

/** The declaration of an input. The type is always string, for which GitHub also accepts numbers and booleans. */
function declaration(name: string, ownDefault: string | undefined): string {
  const { description = '', required, default: fallback = '' } = readAction().inputs[name] ?? {}
  const rest = required === 'true' ? { required: true } : { default: ownDefault ?? fallback }
  return flow({ description, type: 'string', ...rest })
}

function flow(values: Record<string, unknown>): string {
  return stringify(values, { collectionStyle: 'flow', lineWidth: 0 }).trim()
}
