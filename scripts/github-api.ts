/**
 * Takes GitHub's descriptions of the operations in sandbox/github/openapi.json again from a newer version:
 * `node scripts/github-api.ts FOLDER`, where `npm i --prefix FOLDER @octokit/openapi` (MIT) has downloaded them. They have
 * 385 MB, so they are not a dependency. To add an operation, first write `"get": {}` below its path in openapi.json.
 * Then run `npm run format`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Json {
  [name: string]: Json
}

const [place = '.'] = process.argv.slice(2)
const double = join(import.meta.dirname, '../sandbox/github/openapi.json')
const folder = join(place, 'node_modules/@octokit/openapi')
const read = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'))

/** Keys that contain only documentation. `x-github-breaking-changes` describes a later version of the API. */
const documentation = /^(examples?|externalDocs|x-github|x-github-breaking-changes|x-octokit)$/
/** Descriptions make up half of the schemas' size. Outside schemas, some are required, and some state a rule. */
const schemaDocumentation = new RegExp(`${documentation.source}|^(title|description)$`)

/** A `nullable` next to `oneOf` is rewritten: OpenAPI only allows it next to a `type`, and the validator rejects it. */
function without(unwanted: RegExp, part: Json, isProperties = false): Json {
  if (part === null || typeof part !== 'object') return part
  if (Array.isArray(part)) return part.map((item) => without(unwanted, item)) as unknown as Json
  const { nullable, oneOf } = part
  const onlyNull = { type: 'string', nullable: true, enum: [null] }
  const isNullableChoice = nullable && Array.isArray(oneOf) && !isProperties
  const whole = isNullableChoice ? { oneOf: [...oneOf, onlyNull] } : part
  return Object.fromEntries(
    Object.entries(whole as Json)
      .filter(([name]) => isProperties || !unwanted.test(name))
      .map(([name, value]) => [name, without(unwanted, value, name === 'properties' && !isProperties)]),
  )
}

/** Adds every component that a part refers to, directly or indirectly. */
function collect(part: Json, source: Json, components: Json): void {
  for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    components[kind] ??= {}
    if (name in components[kind]) continue
    const found = source.components?.[kind]?.[name]
    if (found === undefined) throw new Error(`There is no component ${kind} ${name}`)
    components[kind][name] = without(kind === 'schemas' ? schemaDocumentation : documentation, found)
    collect(components[kind][name], source, components)
  }
}

const source = read(join(folder, 'generated/api.github.com.json'))
const paths = Object.entries(read(double).paths as Json).map(([path, methods]) => {
  const kept = Object.keys(methods).map((method) => {
    const found = source.paths?.[path]?.[method]
    if (found === undefined) throw new Error(`There is no ${method} ${path}`)
    return [method, without(documentation, found)]
  })
  return [path, Object.fromEntries(kept)]
})
const components: Json = {}
collect(Object.fromEntries(paths), source, components)
const sorted = (named: Json) => Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
const from = `npm @octokit/openapi ${read(join(folder, 'package.json')).version}, by scripts/github-api.ts`
const description = {
  openapi: source.openapi,
  info: { ...source.info, 'x-taken-from': from },
  paths: Object.fromEntries(paths),
  components: sorted(
    Object.fromEntries(Object.entries(components).map(([kind, named]) => [kind, sorted(named)])),
  ),
}
writeFileSync(double, `${JSON.stringify(description, null, 2)}\n`)
