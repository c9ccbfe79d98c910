/**
 * The dependency rule: main → use cases → pure core, with adapters at the edge. Each layer lists what it may import, so
 * a new dependency is a deliberate decision. (A lint rule keeps the core from reading a clock, the network or the
 * process.)
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'

const src = join(projectDir, 'src')

/** For each layer, the other layers, files and packages that it may import. */
const allowed: Record<string, string[]> = {
  core: ['zod/mini', 'parse5'],
  say: ['core'],
  // The types of calls to GitHub, and of texts, are those of their functions.
  'usecases/ports.ts': ['core', 'adapters/github', 'say'],
  usecases: ['core', 'life', 'say'],
  life: ['core', 'say', 'usecases', 'zod/mini'],
  steps: ['core', 'life', 'say', 'usecases', 'adapters', 'node:fs', 'node:path'],
  adapters: [
    'core',
    'say/messages.ts',
    'usecases/ports.ts',
    'node:*',
    '@actions/core',
    '@actions/github',
    'undici',
  ],
  // The report is a separate slice. This is all that it shares with the agent's modes.
  'visitors/core': [
    'core/globs.ts',
    'core/inputs/schema.ts',
    'core/outcome.ts',
    'core/problems.ts',
    'core/text.ts',
    'core/units.ts',
    'zod/mini',
  ],
  'visitors/sections': ['visitors/core', 'zod/mini'],
  'visitors/usecases': [
    'core/inputs/schema.ts',
    'core/job/response.ts',
    'core/mark.ts',
    'core/problems.ts',
    'core/thread.ts',
    'core/units.ts',
    'life/comments.ts',
    'life/lists.ts',
    'say/messages.ts',
    'usecases/jobs.ts',
    'usecases/ports.ts',
    'visitors/core',
    'visitors/sections',
  ],
  'visitors/render': [
    'core/outcome.ts',
    'core/text.ts',
    'core/units.ts',
    'say/conclusion.ts',
    'say/markdown.ts',
    'say/messages.ts',
    'visitors/core',
  ],
  'visitors/step.ts': [
    'adapters/files.ts',
    'core/inputs/schema.ts',
    'core/outcome.ts',
    'core/problems.ts',
    'core/thread.ts',
    'core/trigger/event.ts',
    'steps/context.ts',
    'steps/finish.ts',
    'steps/ports.ts',
    'usecases/ports.ts',
    'visitors',
  ],
}

/** The entry points of the report, by the file that loads them on demand. */
const loaded: Record<string, string> = {
  'steps/main.ts': 'visitors/step.ts',
}

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'))

const files = Object.keys(allowed).flatMap((layer) =>
  sources.filter((name) => name === layer || name.startsWith(`${layer}/`)).map((name) => ({ layer, name })),
)

/** What a file imports, relative to src: immediately, or on demand. */
function importsOf(name: string): { now: string[]; later: string[] } {
  const text = readFileSync(join(src, name), 'utf8')
  const found = (statement: RegExp) =>
    [...text.matchAll(statement)].map(([, path = '']) =>
      path.startsWith('.') ? relative(src, join(src, dirname(name), path)).replaceAll('\\', '/') : path,
    )
  return {
    now: found(/(?:^import\b[^'"]*|^export (?:type )?[{*][^'"]*from\s*)['"]([^'"]+)['"]/gm),
    later: found(/\bimport\s*\(\s*['"]([^'"]+)['"]/g),
  }
}

it.each(files)('$name imports only what its layer allows', ({ layer, name }) => {
  const may = [...(allowed[layer] ?? []), ...(allowed[name] ?? []), layer, loaded[name] ?? layer]
  const { now, later } = importsOf(name)
  const outside = [...now, ...later].filter(
    (path) =>
      !may.some(
        (entry) =>
          path === entry || path.startsWith(`${entry}/`) || (entry === 'node:*' && path.startsWith('node:')),
      ),
  )
  expect(outside).toEqual([])
})

it('the report is loaded only when its mode runs', () => {
  const outside = sources.filter((name) => !name.startsWith('visitors/'))
  const isOfSlice = (path: string) => path.startsWith('visitors/')
  expect(outside.filter((name) => importsOf(name).now.some(isOfSlice))).toEqual([])
  const entries = outside.flatMap((name) =>
    importsOf(name)
      .later.filter(isOfSlice)
      .map((path) => [name, path]),
  )
  expect(Object.fromEntries(entries)).toEqual(loaded)
})

it('the HTML parser is loaded only for a step that has text to read', () => {
  const reached = new Set<string>()
  const follow = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    const statement = /^(?:import (?!type\b)[^'"(]*|export (?!type\b)[{*][^'"]*from\s*)['"]([^'"]+)['"]/gm
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(statement))
      if (name.startsWith('.')) follow(join(dirname(path), name))
  }
  follow(join(src, 'main.ts'))
  expect([...reached].map((path) => relative(src, path))).toContain('steps/agent.ts')
  expect(reached).not.toContain(join(src, 'core/prompt/visible.ts'))
})
