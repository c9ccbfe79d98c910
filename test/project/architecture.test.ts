/**
 * The dependency rule: main → use cases → pure core, adapters at the edge. What a layer may import is a list of what is
 * allowed, so that a new dependency needs a decision. (That it reads no clock, network or process is a lint rule.)
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'

const src = join(projectDir, 'src')

/** By layer: the other layers and the packages that it may import. */
const allowed: Record<string, string[]> = {
  core: [
    'zod/mini',
    'visitors/core',
    'mdast',
    'mdast-util-from-markdown',
    'mdast-util-gfm',
    'micromark-extension-gfm',
    'parse-entities',
  ],
  render: ['core', 'visitors/core', 'visitors/render'],
  usecases: ['core', 'visitors/core'],
  steps: ['core', 'render', 'usecases', 'adapters', 'visitors/step.ts', 'node:fs', 'node:path'],
  adapters: ['core', 'usecases/ports.ts', 'node:*', '@actions/core', '@actions/github', 'undici'],
  'visitors/core': ['core', 'zod/mini'],
  'visitors/render': ['core', 'render', 'visitors/core'],
  'visitors/usecases': ['core', 'usecases', 'visitors/core'],
}

const files = Object.keys(allowed).flatMap((layer) =>
  readdirSync(join(src, layer), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ layer, path: join(src, layer, name) })),
)

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  const statement =
    /(?:^import\b[^'"]*|^export (?:type )?[{*][^'"]*from\s*|\bimport\s*\(\s*)['"]([^'"]+)['"]/gm
  const found = [...text.matchAll(statement)].map(([, name = '']) => name)
  return found.map((name) =>
    name.startsWith('.') ? relative(src, join(dirname(path), name)).replaceAll('\\', '/') : name,
  )
}

it.each(files)('$path imports only what its layer may', ({ layer, path }) => {
  const may = [...(allowed[layer] ?? []), layer]
  const outside = importsOf(path).filter(
    (name) =>
      !may.some(
        (entry) =>
          name === entry || name.startsWith(`${entry}/`) || (entry === 'node:*' && name.startsWith('node:')),
      ),
  )
  expect(outside).toEqual([])
})

it('loads the Markdown parser only for a step that has text to read', () => {
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
