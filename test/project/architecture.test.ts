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
  'ports.ts': ['core', 'adapters/files.ts', 'adapters/github', 'say'],
  usecases: ['core', 'life', 'say'],
  life: ['core', 'say', 'usecases', 'zod/mini'],
  steps: ['core', 'life', 'say', 'usecases', 'adapters', 'steps/visitors.ts', 'node:fs', 'node:path'],
  adapters: [
    'core',
    'say/messages.ts',
    'ports.ts',
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
    'core/http.ts',
    'core/mark.ts',
    'core/problems.ts',
    'core/thread.ts',
    'core/units.ts',
    'record/comments.ts',
    'say/messages.ts',
    'mintlify/jobs.ts',
    'ports.ts',
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
  'steps/visitors.ts': [
    'adapters/files.ts',
    'core/inputs/schema.ts',
    'core/outcome.ts',
    'core/problems.ts',
    'core/thread.ts',
    'core/trigger/event.ts',
    'steps/context.ts',
    'steps/finish.ts',
    'steps/ports.ts',
    'ports.ts',
    'visitors',
  ],
}

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'))

const files = Object.keys(allowed).flatMap((layer) =>
  sources.filter((name) => name === layer || name.startsWith(`${layer}/`)).map((name) => ({ layer, name })),
)

/** What a file imports, relative to src: immediately, or on demand. */
function importsOf(name: string): string[] {
  const text = readFileSync(join(src, name), 'utf8')
  const statement =
    /(?:^import\b[^'"]*|^export (?:type )?[{*][^'"]*from\s*|\bimport\s*\(\s*)['"]([^'"]+)['"]/gm
  return [...text.matchAll(statement)].map(([, path = '']) =>
    path.startsWith('.') ? relative(src, join(src, dirname(name), path)).replaceAll('\\', '/') : path,
  )
}

it.each(files)('$name imports only what its layer allows', ({ layer, name }) => {
  const may = [...(allowed[layer] ?? []), ...(allowed[name] ?? []), layer]
  const isAllowed = (path: string) =>
    may.some(
      (entry) =>
        path === entry || path.startsWith(`${entry}/`) || (entry === 'node:*' && path.startsWith('node:')),
    )
  expect(importsOf(name).filter((path) => !isAllowed(path))).toEqual([])
})

it.each([
  ['the report', 'visitors.csv'],
  ['the HTML parser', 'eof-in-doctype'],
])('%s is loaded on demand: only another file than dist/index.js contains “%s”', (_, text) => {
  const dist = join(projectDir, 'dist')
  const contains = (name: string) => readFileSync(join(dist, name), 'utf8').includes(text)
  expect(readdirSync(dist).filter(contains)).toEqual([expect.stringMatching(/^\d+\.index\.js$/)])
})
