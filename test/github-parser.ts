/** GitHub's own workflow parser, validator and expression evaluator, from the packages behind its editor extension. */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/template-token'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parseDocument, visit } from 'yaml'
import { projectDir, readAction } from '../sandbox/runner/action.ts'

// The packages import JSON in a way that bundlers accept but Node.js does not.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { validate, registerLogger } = await import('@actions/languageservice')
const {
  isBasicExpression,
  isBoolean,
  isMapping,
  isNumber,
  isSequence,
  isString,
  parseWorkflow,
  NoOperationTraceWriter,
} = await import('@actions/workflow-parser')
const { ensureStatusFunction } = await import('@actions/workflow-parser/model/converter/if-condition')
const { splitAllowedContext } = await import('@actions/workflow-parser/templates/allowed-context')

export type { TemplateToken }

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
registerLogger({ info: () => undefined, log: () => undefined, warn: () => undefined, error: fail })
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
  const diagnostics = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ name, owner, path = '' }) => {
        const folder = name === 'docs-agent-action' ? ownActionFolder(`${owner}/${name}/${path}`) : undefined
        if (folder === undefined) return { name, description: '' }
        const inputs = Object.entries(readAction(folder).inputs).map(
          ([input, { description = '', ...rest }]) => [
            input,
            { ...rest, description, required: rest.required === 'true' },
          ],
        )
        return { name, description: '', inputs: Object.fromEntries(inputs) }
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

const parsed = new Map<string, TemplateToken>()

/** A workflow as GitHub's parser reads it. Throws if the parser rejects it. */
export function parsedWorkflow(path: string, text: string): TemplateToken {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const content = withoutBlocks(text)
  const { value, context } = parseWorkflow({ name: path, content }, new NoOperationTraceWriter())
  const errors = context.errors.getErrors().map(({ message }) => message)
  if (errors.length > 0 || value === undefined) throw new Error(`${path}: ${errors.join('; ')}`)
  parsed.set(text, value)
  return value
}

/**
 * The same workflow with quotes instead of `|` and `>`. In a block with an expression, the package keeps the file's
 * indentation, which GitHub removes.
 */
function withoutBlocks(text: string): string {
  const document = parseDocument(text)
  visit(document, {
    Scalar: (_, scalar) => {
      if (scalar.type?.startsWith('BLOCK')) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
}

/** The value of a key in a mapping; undefined if it is missing. */
export function childOf(token: TemplateToken | undefined, key: string): TemplateToken | undefined {
  return entriesOf(token).find(([name]) => name === key)?.[1]
}

export function entriesOf(token: TemplateToken | undefined): [string, TemplateToken][] {
  if (token === undefined || !isMapping(token)) return []
  return [...token].map(({ key, value }) => [key.toString(), value])
}

export function itemsOf(token: TemplateToken | undefined): TemplateToken[] {
  return token !== undefined && isSequence(token) ? [...token] : []
}

/** A token's value, with its expressions evaluated. An expression can only use the contexts that GitHub allows there. */
export function evaluate(token: TemplateToken | undefined, contexts: Record<string, unknown>): unknown {
  if (token === undefined) return undefined
  if (isBasicExpression(token)) return evaluateExpression(token.expression, token, contexts)
  if (isSequence(token)) return itemsOf(token).map((item) => evaluate(item, contexts))
  if (isMapping(token))
    return Object.fromEntries(entriesOf(token).map(([key, value]) => [key, evaluate(value, contexts)]))
  return isString(token) || isNumber(token) || isBoolean(token) ? token.value : null
}

/** Whether an `if` lets its job or step run after everything before it succeeded. */
export function isMet(condition: TemplateToken | undefined, contexts: Record<string, unknown>): boolean {
  if (condition === undefined) return true
  const text = isBasicExpression(condition) ? condition.expression : condition.toString()
  const expression = ensureStatusFunction(text, condition.definitionInfo)
  const value = evaluateExpression(expression, condition, contexts)
  return value !== null && value !== false && value !== '' && value !== 0
}

const statusFunctions = Object.entries({ success: true, always: true, failure: false, cancelled: false }).map(
  ([name, value]) => ({ name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }),
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

const trees = new Map<string, ReturnType<Parser['parse']>>()

function treeOf(text: string, token: TemplateToken): ReturnType<Parser['parse']> {
  const allowed = token.definitionInfo?.allowedContext ?? []
  const name = JSON.stringify([text, allowed])
  const { namedContexts, functions } = splitAllowedContext(allowed)
  const tree = trees.get(name) ?? new Parser(new Lexer(text).lex().tokens, namedContexts, functions).parse()
  trees.set(name, tree)
  return tree
}

function evaluateExpression(text: string, token: TemplateToken, contexts: Record<string, unknown>): unknown {
  const named = new Map(statusFunctions.map((each) => [each.name, each]))
  const all = new data.Dictionary(
    ...Object.entries(contexts).map(([key, value]) => ({ key, value: dataOf(value) })),
  )
  const result = new Evaluator(treeOf(text, token), all, named).evaluate()
  return JSON.parse(JSON.stringify(result, data.replacer))
}
