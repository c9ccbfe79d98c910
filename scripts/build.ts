/** Builds dist/ from src/: tsc emits JavaScript into build/, ncc bundles it. `--out DIR` builds elsewhere. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } })
const require = createRequire(import.meta.url)

function run(tool: string, ...args: string[]): void {
  execFileSync(process.execPath, [tool, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
}

rmSync(join(root, 'build'), { recursive: true, force: true })
rmSync(values.out, { recursive: true, force: true })
run(join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json')
run(
  require.resolve('@vercel/ncc/dist/ncc/cli.js'),
  'build',
  'build/main.js',
  '-o',
  values.out,
  '--minify',
  '--no-cache',
  '--quiet',
  '--license',
  'licenses.txt',
)
