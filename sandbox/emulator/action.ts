/** action.yml, as the runner reads it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface ActionMetadata {
  inputs: Record<string, { description: string; required?: boolean; default?: string }>
  outputs: Record<string, { description: string }>
  runs: { using: string; main: string; post?: string }
}

/** The project's own folder, which is the action's. */
export const actionRoot = join(import.meta.dirname, '..', '..')

export function readAction(folder = actionRoot): ActionMetadata {
  return parse(readFileSync(join(folder, 'action.yml'), 'utf8')) as ActionMetadata
}

/**
 * The inputs' environment: spaces become `_`, letters upper case, dashes stay; an absent input is empty.
 * @param expressions what `${{ … }}` in a default stands for, by the text between the braces
 */
export function inputEnvironment(
  action: ActionMetadata,
  given: Readonly<Record<string, string>>,
  expressions: Readonly<Record<string, string>>,
): Record<string, string> {
  const evaluate = (text: string) =>
    text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, name: string) => expressions[name] ?? '')
  const names = [...new Set([...Object.keys(action.inputs), ...Object.keys(given)])]
  return Object.fromEntries(
    names.map((name) => [
      `INPUT_${name.replace(/ /g, '_').toUpperCase()}`,
      given[name] ?? evaluate(String(action.inputs[name]?.default ?? '')),
    ]),
  )
}
