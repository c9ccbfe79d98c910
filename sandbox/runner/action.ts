import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { StepOptions } from './environment.ts'

/** The project's own folder, where its action.yml is. */
export const projectDir = join(import.meta.dirname, '..', '..')

/** The parts of an action.yml that the runner uses. All scalars are strings. */
export interface ActionManifest {
  /** The runner does not check `required`. */
  inputs: Record<string, { description?: string; required?: string; default?: string }>
  outputs: Record<string, { description?: string }>
  /** Scripts, relative to action.yml. */
  main: string
  post?: string
}

const read = new Map<string, ActionManifest>()

/** Reads the action.yml of a folder. Reads each file only once. */
export function readAction(folder = projectDir): ActionManifest {
  const path = join(folder, 'action.yml')
  const manifest = read.get(path) ?? parseAction(path)
  read.set(path, manifest)
  return manifest
}

function parseAction(path: string): ActionManifest {
  // Like the runner, the failsafe schema reads every scalar as a string: a default of `true` is 'true'.
  const { inputs, outputs, runs } = parse(readFileSync(path, 'utf8'), { schema: 'failsafe' })
  return {
    inputs: inputs || {},
    outputs: outputs || {},
    main: runs.main,
    ...(runs.post && { post: String(runs.post) }),
  }
}

/**
 * The values of a step's inputs, from `with` or from the defaults, and the names in its `with` that action.yml does not
 * contain (ActionRunner.cs). Expressions in defaults are replaced; an unknown one throws.
 */
export function resolveInputs(options: StepOptions) {
  const { actionDir, with: given = {}, githubToken = '' } = options
  const { inputs } = readAction(actionDir)
  const expressions = { 'github.token': githubToken, 'strategy.job-index': '0' }
  const values = Object.entries(inputs).map(([name, input]) => [
    name,
    given[name] ?? evaluate(input?.default ?? '', expressions),
  ])
  return {
    values: { ...given, ...Object.fromEntries(values) } as Record<string, string>,
    unexpected: Object.keys(given).filter((name) => !(name in inputs)),
  }
}

/** The variables through which an action reads its inputs (Handler.cs). Dashes remain. */
export function inputVariables(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
}

function evaluate(text: string, expressions: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    const value = expressions[expression]
    if (value === undefined)
      throw new Error(`No value was given for the expression ${expression} in action.yml`)
    return value
  })
}
