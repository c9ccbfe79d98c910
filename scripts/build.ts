/**
 * Builds dist/ from src/: tsc emits JavaScript into build/, and ncc bundles it.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { bundledPackages, licensesOf } from './licenses.ts'

const root = join(import.meta.dirname, '..')
const build = join(root, 'build')
const out = join(root, 'dist')
const tsc = join(root, 'node_modules/typescript/bin/tsc')

for (const folder of [build, out]) rmSync(folder, { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
const packages = bundledPackages(await bundle(build, 'main.js', out), root)
writeFileSync(join(out, 'licenses.txt'), licensesOf(packages, root))
copyFileSync(join(root, 'scripts/bundle/post.js'), join(out, 'post.js'))
