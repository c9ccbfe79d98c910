/** Rebuilds the bundle elsewhere and fails where the committed dist/ differs from it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

try {
  execFileSync(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, 'build.ts'), '--out', fresh],
    {
      stdio: 'inherit',
    },
  )
  const committed = contents(join(root, 'dist'))
  const rebuilt = contents(fresh)
  const names = new Set([...committed.keys(), ...rebuilt.keys()])
  const different = [...names].filter((name) => committed.get(name) !== rebuilt.get(name))
  if (different.length > 0) {
    console.error(
      `dist/ is not what src/ builds: ${different.join(', ')}. Run \`npm run build\` and commit dist/.`,
    )
    process.exitCode = 1
  } else console.log(`dist/ is what src/ builds (${names.size} files).`)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
