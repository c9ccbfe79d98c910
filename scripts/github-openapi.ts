/**
 * Extracts the operations that the sandbox's GitHub double supports, with every schema that they refer to, from
 * GitHub's published OpenAPI description: `node scripts/github-openapi.ts FOLDER`, where FOLDER is an unpacked npm
 * package @octokit/openapi (MIT). It is 385 MB, so it is not a dependency: `npm i --prefix PLACE @octokit/openapi`
 * downloads it, and FOLDER is then `PLACE/node_modules/@octokit/openapi`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = null | boolean | number | string | Json[] | JsonObject
interface JsonObject {
  [name: string]: Json
}

const target = join(import.meta.dirname, '../sandbox/github/openapi.json')
const source = 'generated/api.github.com.json'

const repository = '/repos/{owner}/{repo}'
const issues = `${repository}/issues`
const pulls = `${repository}/pulls`

/** The methods to keep, by path. */
const kept: Record<string, string[]> = {
  [`${repository}/collaborators/{username}/permission`]: ['get'],
  [`${issues}/{issue_number}/comments`]: ['get', 'post'],
  [`${issues}/{issue_number}/labels`]: ['post'],
  [`${issues}/{issue_number}/reactions`]: ['post'],
  [`${issues}/comments`]: ['get'],
  [`${issues}/comments/{comment_id}`]: ['patch', 'delete'],
  [`${issues}/comments/{comment_id}/reactions`]: ['post'],
  [`${pulls}/{pull_number}/comments`]: ['get'],
  [`${pulls}/{pull_number}/comments/{comment_id}/replies`]: ['post'],
  [`${pulls}/comments`]: ['get'],
  [`${pulls}/comments/{comment_id}`]: ['patch', 'delete'],
  [`${pulls}/comments/{comment_id}/reactions`]: ['post'],
  [`${repository}/compare/{basehead}`]: ['get'],
  [`${repository}/commits/{ref}`]: ['get'],
  [`${repository}/commits/{commit_sha}/pulls`]: ['get'],
  [pulls]: ['get'],
  [`${pulls}/{pull_number}`]: ['get'],
  [`${pulls}/{pull_number}/files`]: ['get'],
  [`${pulls}/{pull_number}/requested_reviewers`]: ['post'],
  [`${repository}/contents/{path}`]: ['get'],
  [`${repository}/git/trees/{tree_sha}`]: ['get'],
  [`${repository}/commits/{ref}/statuses`]: ['get'],
  [`${repository}/statuses/{sha}`]: ['post'],
  '/markdown': ['post'],
}

/**
 * The description with only the kept operations, without documentation. A `nullable` next to `oneOf` is rewritten:
 * OpenAPI only allows it next to a `type`, and the validator rejects it.
 */
function cutDown(description: JsonObject, takenFrom: string): JsonObject {
  const paths: JsonObject = {}
  for (const [path, methods] of Object.entries(kept)) {
    const all = objectAt(description, ['paths', path])
    paths[path] = Object.fromEntries(
      methods.map((method) => [method, withoutDocumentation(objectAt(all, [method]))]),
    )
  }
  const components: JsonObject = {}
  collect(paths, description, components)
  return {
    openapi: description.openapi ?? '',
    info: { ...objectAt(description, ['info']), 'x-taken-from': takenFrom },
    paths,
    components: sorted(components),
  }
}

/** Adds every component that a part refers to, directly or indirectly. */
function collect(part: Json, description: JsonObject, components: JsonObject): void {
  for (const pointer of referencesOf(part)) {
    const [, , kind = '', name = ''] = pointer.split('/')
    components[kind] ??= {}
    const ofKind = components[kind] as JsonObject
    if (name in ofKind) continue
    const found = objectAt(description, ['components', kind, name])
    ofKind[name] = withoutDocumentation(found, kind === 'schemas' ? schemaDocumentation : documentation)
    collect(ofKind[name], description, components)
  }
}

function referencesOf(part: Json): string[] {
  if (part === null || typeof part !== 'object') return []
  return Object.entries(part).flatMap(([name, value]) =>
    name === '$ref' && typeof value === 'string' ? [value] : referencesOf(value),
  )
}

/** Keys that contain only documentation. `x-github-breaking-changes` describes a later version of the API. */
const documentation = [
  'example',
  'examples',
  'externalDocs',
  'x-github',
  'x-github-breaking-changes',
  'x-octokit',
]
/**
 * Descriptions make up half of the schemas' size. Descriptions outside schemas are kept: some are required, and some
 * state a rule that is stated nowhere else.
 */
const schemaDocumentation = [...documentation, 'title', 'description']

const onlyNull = { type: 'string', nullable: true, enum: [null] }

function withoutDocumentation(part: Json, unwanted = documentation, isProperties = false): Json {
  if (Array.isArray(part)) return part.map((item) => withoutDocumentation(item, unwanted))
  if (part === null || typeof part !== 'object') return part
  const { nullable, oneOf } = part
  const isNullableChoice = nullable === true && Array.isArray(oneOf) && !isProperties
  const rest = isNullableChoice ? { oneOf: [...oneOf, onlyNull] } : part
  return Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => isProperties || !unwanted.includes(name))
      .map(([name, value]) => {
        return [name, withoutDocumentation(value, unwanted, name === 'properties' && !isProperties)]
      }),
  )
}

function objectAt(start: JsonObject, names: string[]): JsonObject {
  let found: Json | undefined = start
  for (const name of names) {
    found = typeof found === 'object' && found !== null ? (found as JsonObject)[name] : undefined
  }
  if (typeof found !== 'object' || found === null) throw new Error(`No ${names.join(' ')} in ${source}`)
  return found as JsonObject
}

function sorted(components: JsonObject): JsonObject {
  const byName = (a: [string, Json], b: [string, Json]) => (a[0] < b[0] ? -1 : 1)
  return Object.fromEntries(
    Object.entries(components)
      .sort(byName)
      .map(([kind, named]) => [kind, Object.fromEntries(Object.entries(named as JsonObject).sort(byName))]),
  )
}

const [folder] = process.argv.slice(2)
if (folder === undefined)
  throw new Error('Usage: node scripts/github-openapi.ts FOLDER (see the head of this file)')
const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as JsonObject
const { version } = read('package.json')
const takenFrom = `npm @octokit/openapi ${version}, ${source}, by scripts/github-openapi.ts`
writeFileSync(target, `${JSON.stringify(cutDown(read(source), takenFrom), null, 2)}\n`)
