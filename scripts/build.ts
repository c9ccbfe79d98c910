/** Builds dist/ from src/: tsc emits JavaScript into build/, ncc bundles it; page/ becomes report.html. `--out DIR` builds elsewhere. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPage } from './page.ts'

const root = join(import.meta.dirname, '..')
const build = join(root, 'build')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } })
const out = resolve(values.out)
const ncc = createRequire(import.meta.url).resolve('@vercel/ncc/dist/ncc/cli.js')

function run(cwd: string, script: string, ...args: string[]): void {
  execFileSync(process.execPath, [script, ...args], { cwd, stdio: 'inherit' })
}

for (const folder of [build, out]) rmSync(folder, { recursive: true, force: true })
run(root, join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json')
// ncc resolves by the `paths` of the tsconfig.json in its folder, in dependencies too.
const compilerOptions = { baseUrl: '.', paths: { undici: ['../scripts/bundle/undici.cjs'] } }
writeFileSync(join(build, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
const options = ['--minify', '--no-cache', '--quiet', '--license', 'licenses.txt']
run(build, ncc, 'build', 'main.js', '-o', out, ...options)
copyFileSync(join(root, 'scripts/bundle/post.js'), join(out, 'post.js'))
writeFileSync(join(out, 'report.html'), buildPage())
