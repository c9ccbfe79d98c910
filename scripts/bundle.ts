/** Bundles a module of a folder by ncc, the way dist/ is: with the parts of undici that are used in place of all of it. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'

const ncc = createRequire(import.meta.url).resolve('@vercel/ncc/dist/ncc/cli.js')

/** @param folder a folder of the project's, below which the modules lie; a tsconfig.json is written into it */
export function bundle(folder: string, entry: string, out: string): void {
  // ncc resolves by the `paths` of the tsconfig.json in its folder, in dependencies too.
  const slim = relative(folder, join(import.meta.dirname, 'bundle/undici.cjs')).replaceAll('\\', '/')
  const compilerOptions = { baseUrl: '.', paths: { undici: [slim] } }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const options = ['--minify', '--no-cache', '--quiet', '--license', 'licenses.txt']
  execFileSync(process.execPath, [ncc, 'build', entry, '-o', out, ...options], {
    cwd: folder,
    stdio: 'inherit',
  })
}
