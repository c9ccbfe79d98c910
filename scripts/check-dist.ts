/** Rebuilds the bundle in another folder. Fails if the committed dist/ differs from it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.ts'

const fresh = mkdtempSync(join(tmpdir(), 'dist-'))

function contents(folder: string): Map<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

try {
  await build(fresh)
  const committed = contents(join(import.meta.dirname, '../dist'))
  const rebuilt = contents(fresh)
  const names = [...new Set([...committed.keys(), ...rebuilt.keys()])]
  const different = names.filter((name) => committed.get(name) !== rebuilt.get(name))
  if (different.length > 0) {
    console.error(`dist/ differs from what src/ builds: ${different.join(', ')}.`)
    console.error('Run `npm run build` and commit dist/.')
    process.exitCode = 1
  } else console.log(`dist/ is what src/ builds (${names.length} files).`)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
