/** Bundles a module by ncc as dist/ is bundled: with only the parts of undici that are used. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import type { Stats } from './licenses.ts'
import { minify } from './minify.ts'

const ncc = createRequire(import.meta.url).resolve('@vercel/ncc/dist/ncc/cli.js')

/**
 * undici's experimental HTTP parser, an eighth of the bundle. undici loads it only if UNDICI_USE_MILO is set,
 * and bundle/undici.cjs unsets that.
 */
const leftOut = ['../milo/simd.js', '../milo/no-simd.js']

/**
 * Bundles a module, and returns webpack's statistics.
 * @param folder a folder in the project that contains the modules; files are written into it
 * @param out a folder that is empty or does not exist
 */
export async function bundle(folder: string, entry: string, out: string): Promise<Stats> {
  // ncc resolves by the `paths` of the tsconfig.json in its folder, also in dependencies.
  const slim = relative(folder, join(import.meta.dirname, 'bundle/undici.cjs')).replaceAll('\\', '/')
  const compilerOptions = { baseUrl: '.', paths: { undici: [slim] } }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const stats = join(folder, 'stats.json')
  const options = ['--no-cache', '--quiet', '--stats-out', stats]
  const externals = leftOut.flatMap((request) => ['--external', request])
  execFileSync(process.execPath, [ncc, 'build', entry, '-o', out, ...options, ...externals], {
    cwd: folder,
    stdio: 'inherit',
  })
  // ncc's own `--minify` skips the chunks that are loaded later.
  for (const name of readdirSync(out).filter((file) => file.endsWith('.js'))) {
    const file = join(out, name)
    writeFileSync(file, await minify(readFileSync(file, 'utf8')))
  }
  return JSON.parse(readFileSync(stats, 'utf8'))
}
