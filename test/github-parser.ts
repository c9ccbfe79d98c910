/** GitHub's own workflow validator and expression evaluator, from the packages behind its editor extension. */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { projectDir, readAction } from '../sandbox/runner/action.ts'

// The packages import JSON in a way that bundlers accept but Node.js does not.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})

/** The folder of the action that a `uses` names; undefined if the action belongs to another project. */
export function ownActionFolder(uses: string): string | undefined {
  // OWNER may already be replaced by an account.
  const found = /^(?:\.|[\w-]+\/docs-agent-action)(?:\/(visitors|settle)?)?(?:@\S+)?$/.exec(uses)
  return found === null ? undefined : join(projectDir, found[1] ?? '')
}

/** A workflow that an example calls, and its text: users copy it from another example. */
const copied = {
  uses: 'acme/platform/.github/workflows/docs-command.yml',
  example: 'examples/wrapper.yml',
}

/** The path, relative to the project, of the workflow that a `uses` names; undefined if it is not this project's. */
export function ownWorkflow(uses: string): string | undefined {
  if (uses.replace(/@.*/, '') === copied.uses) return copied.example
  return /^(?:\.\/|[\w-]+\/docs-agent-action\/)(\.github\/workflows\/[\w-]+\.yml)(?:@\S+)?$/.exec(uses)?.[1]
}

// The validator logs its own failures and reports nothing, as if the workflow were valid.
const fail = (message: string) => {
  throw new Error(message)
}
const logger = { info: () => undefined, log: () => undefined, warn: () => undefined, error: fail }
let validated = 0

/** The validator ignores local actions, so this project's are checked under their full name. */
function withoutLocal(text: string): string {
  return text.replace(/(uses: )\.(\/visitors|\/settle)?\/?$/gm, '$1OWNER/docs-agent-action$2@v1')
}

/** What GitHub's validator finds wrong with a workflow, including inputs of this project's actions and workflows. */
export async function faultsByGitHub(text: string, read: (path: string) => string): Promise<string[]> {
  // The validator caches texts by their URL.
  const address = `file:///.github/workflows/${validated++}.yml`
  const document = TextDocument.create(address, 'yaml', 1, withoutLocal(text))
  // Loading it takes a second, and most tests only evaluate expressions.
  const { validate, registerLogger } = await import('@actions/languageservice')
  registerLogger(logger)
  const diagnostics = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ name, owner, path = '' }) => {
        const folder = name === 'docs-agent-action' ? ownActionFolder(`${owner}/${name}/${path}`) : undefined
        if (folder === undefined) return { name, description: '' }
        const inputs = mapped(readAction(folder).inputs, ({ description = '', ...rest }) => {
          return { ...rest, description, required: rest.required === 'true' }
        })
        return { name, description: '', inputs }
      },
    },
    fileProvider: {
      getFileContent: async (reference) => {
        const uses =
          'owner' in reference ? `${reference.owner}/${reference.repository}/${reference.path}` : ''
        return { name: reference.path, content: read(ownWorkflow(uses) ?? reference.path) }
      },
    },
  })
  return diagnostics.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)
}

/** A value of a workflow file, with its expressions evaluated. */
export function evaluate(value: unknown, contexts: Record<string, unknown>): unknown {
  if (typeof value === 'string') return evaluateText(value, contexts)
  if (Array.isArray(value)) return value.map((item) => evaluate(item, contexts))
  if (typeof value !== 'object' || value === null) return value
  return mapped(value as Record<string, unknown>, (each) => evaluate(each, contexts))
}

/** An object with the same keys, and other values. */
export function mapped<From, To>(
  values: Record<string, From> = {},
  to: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, to(value)]))
}

const expressions = /\$\{\{((?:'[^']*'|[^'])*?)\}\}/g

function evaluateText(text: string, contexts: Record<string, unknown>): unknown {
  const [only] = text.matchAll(expressions)
  if (only?.[1] !== undefined && only[0] === text.trim()) {
    const result = evaluateExpression(only[1], contexts)
    return JSON.parse(JSON.stringify(result, data.replacer))
  }
  return text.replace(expressions, (_, inner) => evaluateExpression(inner, contexts).coerceString())
}

/** Whether an `if` lets its job or step run. @param hasFailed whether a step of the job failed before */
export function isMet(condition: unknown, contexts: Record<string, unknown>, hasFailed = false): boolean {
  const text = String(condition ?? true)
    .trim()
    .replace(/^\$\{\{(.*)\}\}$/s, '$1')
  // GitHub's docs, "Status check functions": without one of these, `success()` applies.
  if (hasFailed && !/\b(?:always|cancelled|failure)\(\)/.test(text)) return false
  return evaluateExpression(`!!(${text})`, contexts).coerceString() === 'true'
}

const statuses = { success: true, always: true, failure: false, cancelled: false }
const statusFunctions = new Map(
  Object.entries(statuses).map(([name, value]) => {
    return [name, { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }]
  }),
)

const converted = new WeakMap<object, data.ExpressionData>()

/** A context in the evaluator's form. It must not change after use: many jobs share its large parts. */
function dataOf(context: unknown): data.ExpressionData {
  if (typeof context !== 'object' || context === null) return convert(context)
  const known = converted.get(context) ?? convert(context)
  converted.set(context, known)
  return known
}

const convert = (context: unknown): data.ExpressionData =>
  JSON.parse(JSON.stringify(context ?? null), data.reviver)

const parsed = new Map<string, ReturnType<Parser['parse']>>()

/** Parses an expression, only once for the same contexts: workflows run with many events. */
function parseExpression(text: string, names: string[]) {
  const key = `${names} ${text}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const { tokens } = new Lexer(text).lex()
  const tree = new Parser(tokens, names, [...statusFunctions.values()]).parse()
  parsed.set(key, tree)
  return tree
}

/** The validator checks that an expression only uses the contexts that GitHub allows there. */
function evaluateExpression(text: string, contexts: Record<string, unknown>): data.ExpressionData {
  const all = new data.Dictionary(
    ...Object.entries(contexts).map(([key, value]) => ({ key, value: dataOf(value) })),
  )
  return new Evaluator(parseExpression(text, Object.keys(contexts)), all, statusFunctions).evaluate()
}
