/**
 * Rebuilds the bundle in another folder. Fails if the committed dist/ differs from it, or lacks the license of a
 * bundled package.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingLicenses } from './licenses.ts'

const root = join(import.meta.dirname, '..')
const fresh = mkdtempSync(join(tmpdir(), 'dist-'))

function contents(dir: string): Map<string, string> {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    names
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(dir.length + 1), readFileSync(path, 'utf8')]),
  )
}

const list = join(fresh, 'packages.json')
const out = join(fresh, 'dist')

try {
  const build = join(import.meta.dirname, 'build.ts')
  execFileSync(process.execPath, [build, '--out', out, '--packages', list], {
    stdio: 'inherit',
  })
  const committed = contents(join(root, 'dist'))
  const rebuilt = contents(out)
  const names = new Set([...committed.keys(), ...rebuilt.keys()])
  const different = [...names].filter((name) => committed.get(name) !== rebuilt.get(name))
  const packages: string[] = JSON.parse(readFileSync(list, 'utf8'))
  const unlicensed = missingLicenses(committed.get('licenses.txt') ?? '', packages, root)
  if (different.length > 0)
    fail(
      `dist/ differs from what src/ builds: ${different.join(', ')}. Run \`npm run build\` and commit dist/.`,
    )
  if (unlicensed.length > 0) fail(`dist/licenses.txt lacks ${unlicensed.join(', ')}.`)
  if (process.exitCode === undefined)
    console.log(`dist/ is what src/ builds (${names.size} files, ${packages.length} bundled packages).`)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}

function fail(text: string): void {
  console.error(text)
  process.exitCode = 1
}
