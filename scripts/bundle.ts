/** Bundles a module by ncc as dist/ is bundled: with only the parts of undici that are used. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import type { Stats } from './licenses.ts'

const ncc = createRequire(import.meta.url).resolve('@vercel/ncc/dist/ncc/cli.js')

/**
 * Bundles a module, and returns webpack's statistics.
 * @param folder a folder in the project that contains the modules; files are written into it
 */
export function bundle(folder: string, entry: string, out: string): Stats {
  // ncc resolves by the `paths` of the tsconfig.json in its folder, also in dependencies.
  const slim = relative(folder, join(import.meta.dirname, 'bundle/undici.cjs')).replaceAll('\\', '/')
  const compilerOptions = { baseUrl: '.', paths: { undici: [slim] } }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const stats = join(folder, 'stats.json')
  const options = ['--minify', '--no-cache', '--quiet', '--stats-out', stats]
  execFileSync(process.execPath, [ncc, 'build', entry, '-o', out, ...options], {
    cwd: folder,
    stdio: 'inherit',
  })
  return JSON.parse(readFileSync(stats, 'utf8'))
}
