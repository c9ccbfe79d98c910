/** The rooms of `src`, and what they may import. ARCHITECTURE.md describes each room in the same order. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'

const src = join(projectDir, 'src')

/** From top to bottom, in the order in which a request lives. A room imports only from rooms below it. */
const rooms = [
  'main.ts',
  'steps',
  'visitors',
  'request',
  'run',
  'record',
  'ports.ts',
  'say',
  'mintlify',
  'github',
  'adapters',
  'core',
]

/** Rooms that do not know each other, although one is below the other. */
const apart = [
  ['visitors', 'request'],
  ['visitors', 'run'],
  ['mintlify', 'github'],
  ['mintlify', 'adapters'],
]

/** The packages that a room may import. */
const packages: Record<string, string[]> = {
  'main.ts': ['node:fs'],
  record: ['zod/mini'],
  mintlify: ['zod/mini'],
  github: ['@actions/github'],
  adapters: ['@actions/core', 'node:', 'undici'],
  core: ['parse5', 'zod/mini'],
}

const loadedFirst = ['node-version.ts', 'signals.ts']

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !loadedFirst.includes(name))

function roomOf(name: string): string {
  return name.split('/')[0] ?? ''
}

/** Whether a room may import a file, by its path in `src`, or a package. */
function mayImport(room: string, imported: string): boolean {
  const other = roomOf(imported)
  if (loadedFirst.includes(imported)) return room === 'main.ts'
  if (!rooms.includes(other)) return (packages[room] ?? []).some((name) => imported.startsWith(name))
  if (apart.some(([one, another]) => one === room && another === other)) return false
  return rooms.indexOf(room) <= rooms.indexOf(other)
}

/** What a file imports, with paths relative to `src`: immediately, or on demand. */
function importsOf(name: string): string[] {
  const text = readFileSync(join(src, name), 'utf8')
  const statement =
    /(?:^import\b[^'"]*|^export (?:type )?[{*][^'"]*from\s*|\bimport\s*\(\s*)['"]([^'"]+)['"]/gm
  return [...text.matchAll(statement)].map(([, path = '']) =>
    path.startsWith('.') ? relative(src, join(src, dirname(name), path)).replaceAll('\\', '/') : path,
  )
}

it.each(sources)('%s imports only from its own room and those below it', (name) => {
  expect(rooms).toContain(roomOf(name))
  expect(importsOf(name).filter((imported) => !mayImport(roomOf(name), imported))).toEqual([])
})

it('the code has no circle of imports, not even of types', () => {
  const imports = new Map(
    sources.map((name) => [name, importsOf(name).filter((path) => path.endsWith('.ts'))]),
  )
  // A file whose imports are all gone belongs to no circle, so it goes, too. What is left leads to one.
  for (let count = Number.POSITIVE_INFINITY; imports.size < count; ) {
    count = imports.size
    for (const [name, paths] of imports) if (!paths.some((path) => imports.has(path))) imports.delete(name)
  }
  expect([...imports.keys()]).toEqual([])
})

it('no room may import from the one above it', () => {
  const upward = rooms.slice(1).map((room, at) => [room, `${rooms[at]}/file.ts`] as const)
  expect(upward.filter(([room, imported]) => mayImport(room, imported))).toEqual([])
})

it('ARCHITECTURE.md lists the rooms in the same order', () => {
  const text = readFileSync(join(projectDir, 'ARCHITECTURE.md'), 'utf8')
  const listed = [...text.matchAll(/^- \*\*`([\w.-]+)\/?`\*\*/gm)].map(([, room]) => room)
  expect(listed).toEqual(rooms)
})

it.each([
  ['the report', 'visitors.csv'],
  ['the HTML parser', 'eof-in-doctype'],
])('%s is loaded on demand: only another file than dist/index.js contains “%s”', (_, text) => {
  const dist = join(projectDir, 'dist')
  const contains = (name: string) => readFileSync(join(dist, name), 'utf8').includes(text)
  expect(readdirSync(dist).filter(contains)).toEqual([expect.stringMatching(/^\d+\.index\.js$/)])
})
