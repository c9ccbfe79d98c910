/** Fails if the build has changed, added or removed files in dist/. Compares with what is staged or committed, and stages nothing. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
// To git, a missing file is a modified one.
const args = ['ls-files', '--modified', '--others', 'dist']
const differences = execFileSync('git', args, { cwd: root, encoding: 'utf8' })
if (differences !== '') {
  console.error(`These files in dist/ differ from the build:\n${differences}`)
  process.exitCode = 1
}
