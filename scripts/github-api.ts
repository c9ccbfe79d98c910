/**
 * Takes GitHub's descriptions of the operations in sandbox/github/openapi.json again from a newer version:
 * `node scripts/github-api.ts FOLDER`, where `npm i --prefix FOLDER @octokit/openapi` (MIT) has downloaded them. They have
 * 385 MB, so they are not a dependency. To add an operation, first write `"get": {}` below its path in openapi.json.
 * Then run `npm run format`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = null | boolean | number | string | Json[] | JsonObject
interface JsonObject {
  [name: string]: Json
}

const [place = '.'] = process.argv.slice(2)
const double = join(import.meta.dirname, '../sandbox/github')
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

/** Keys that contain only documentation. `x-github-breaking-changes` describes a later version of the API. */
const documentation = [
  'example',
  'examples',
  'externalDocs',
  'x-github',
  'x-github-breaking-changes',
  'x-octokit',
]
/** Descriptions make up half of the schemas' size. Outside schemas, some are required, and some state a rule. */
const schemaDocumentation = [...documentation, 'title', 'description']
const onlyNull = { type: 'string', nullable: true, enum: [null] }

/** A `nullable` next to `oneOf` is rewritten: OpenAPI only allows it next to a `type`, and the validator rejects it. */
function withoutDocumentation(part: Json, unwanted = documentation, isProperties = false): Json {
  if (Array.isArray(part)) return part.map((item) => withoutDocumentation(item, unwanted))
  if (part === null || typeof part !== 'object') return part
  const { nullable, oneOf } = part
  const isNullableChoice = nullable === true && Array.isArray(oneOf) && !isProperties
  const rest = isNullableChoice ? { oneOf: [...oneOf, onlyNull] } : part
  const kept = Object.entries(rest).filter(([name]) => isProperties || !unwanted.includes(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      withoutDocumentation(value, unwanted, name === 'properties' && !isProperties),
    ]),
  )
}

/** Adds every component that a part refers to, directly or indirectly. */
function collect(part: Json, source: JsonObject, components: JsonObject): void {
  if (part === null || typeof part !== 'object') return
  for (const [key, value] of Object.entries(part)) {
    collect(value, source, components)
    if (key !== '$ref' || typeof value !== 'string') continue
    const [, , kind = '', name = ''] = value.split('/')
    components[kind] ??= {}
    const ofKind = components[kind] as JsonObject
    if (name in ofKind) continue
    ofKind[name] = withoutDocumentation(
      at(source, 'components', kind, name),
      kind === 'schemas' ? schemaDocumentation : documentation,
    )
    collect(ofKind[name], source, components)
  }
}

function at(start: JsonObject, ...names: string[]): JsonObject {
  return names.reduce((found, name) => {
    const next = found[name]
    if (typeof next !== 'object' || next === null) throw new Error(`There is no ${names.join(' ')}`)
    return next as JsonObject
  }, start)
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const folder = join(place, 'node_modules/@octokit/openapi')
const source: JsonObject = JSON.parse(read(folder, 'generated/api.github.com.json'))
const old: JsonObject = JSON.parse(read(double, 'openapi.json'))
const paths = Object.entries(at(old, 'paths')).map(([path, methods]) => {
  const kept = Object.keys(methods as JsonObject).map((method) => [
    method,
    withoutDocumentation(at(source, 'paths', path, method)),
  ])
  return [path, Object.fromEntries(kept)] as const
})
const components: JsonObject = {}
collect(Object.fromEntries(paths), source, components)
const from = `npm @octokit/openapi ${JSON.parse(read(folder, 'package.json')).version}, by scripts/github-api.ts`
const description = {
  openapi: source.openapi,
  info: { ...at(source, 'info'), 'x-taken-from': from },
  paths: Object.fromEntries(paths),
  components: sorted(
    Object.fromEntries(
      Object.entries(components).map(([kind, named]) => [kind, sorted(named as JsonObject)]),
    ),
  ),
}
writeFileSync(join(double, 'openapi.json'), `${JSON.stringify(description, null, 2)}\n`)
