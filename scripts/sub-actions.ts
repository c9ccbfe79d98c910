/** `visitors/action.yml` and `settle/action.yml`: the root action.yml with one mode's inputs and outputs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, parseDocument } from 'yaml'
import { projectDir } from '../sandbox/runner/action.ts'
import { inputsByMode } from '../src/core/inputs/schema.ts'
import type { Mode } from '../src/core/outcome.ts'
import { outputsByMode } from '../src/say/outputs.ts'

/** The modes that have their own action. It is in the folder with the mode's name. */
export const subActions = ['visitors', 'settle'] as const satisfies readonly Mode[]

const titles: Record<(typeof subActions)[number], { name: string; description: string }> = {
  visitors: {
    name: 'Docs Agent visitors',
    description: 'Reports who reads the docs on Mintlify: human visitors and AI readers.',
  },
  settle: {
    name: 'Docs Agent settle',
    description: "Reports the results of the documentation agent's jobs that no step waited for.",
  },
}

/** Whether a mode reads an input of action.yml. */
export function isInputOf(mode: Mode, name: string): boolean {
  return name === 'mode' || name in inputsByMode[mode]
}

/** Whether a mode sets an output of action.yml. */
export function isOutputOf(mode: Mode, name: string): boolean {
  return name === 'outcome' || (outputsByMode[mode] as readonly string[]).includes(name)
}

/** The text of a mode's action.yml. */
export function subActionYaml(mode: (typeof subActions)[number]): string {
  const document = parseDocument(readFileSync(join(projectDir, 'action.yml'), 'utf8'))
  document.commentBefore = ' `npm run docs` generates this file from ../action.yml.'
  keep(document, 'inputs', (name) => isInputOf(mode, name))
  keep(document, 'outputs', (name) => isOutputOf(mode, name))
  for (const [key, value] of Object.entries(titles[mode])) document.set(key, value)
  document.setIn(['inputs', 'mode'], { description: 'Fixed. Do not set it.', default: mode })
  for (const script of ['main', 'post'])
    document.setIn(['runs', script], `../${document.getIn(['runs', script])}`)
  return document.toString({ lineWidth: 0 })
}

function keep(document: Document, key: string, isKept: (name: string) => boolean): void {
  const names = Object.keys(document.toJS()[key])
  for (const name of names.filter((name) => !isKept(name))) document.deleteIn([key, name])
}
