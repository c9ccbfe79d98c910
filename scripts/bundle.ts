/** Bundles a module with ncc, in the same way as dist/: minified, with only those parts of the HTTP packages that are used. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { type MinifyOptions, minify } from 'rolldown/utils'
import type { Stats } from './licenses.ts'

const ncc = createRequire(import.meta.url).resolve('@vercel/ncc/dist/ncc/cli.js')

/** What `bundle` does besides calling ncc. `npm run bench -- build` shows what each step gains. */
export const buildSteps = ['slim HTTP', 'no milo', 'no HTTP2', 'minify'] as const

export type BuildStep = (typeof buildSteps)[number]

/**
 * undici's experimental HTTP parser. It would be a fifth of the bundle. undici loads it only if UNDICI_USE_MILO is set,
 * and bundle/undici.cjs deletes that variable.
 */
const milo = ['../milo/simd.js', '../milo/no-simd.js']

/**
 * HTTP/2 is off (src/adapters/connection.ts), but undici still loads Node.js's HTTP/2 module, which takes a twentieth of
 * the time to the first request. Here, the module gets
 * a name that does not exist, so undici continues without it.
 */
const withoutHttp2 = (code: string) => code.replace('("node:http2")', '("node:http2-off")')

/** Packages that the bundle contains only in part. The files in scripts/bundle/ replace them. */
const slim = { undici: 'undici.cjs', '@actions/http-client': 'http-client.cjs' }

/**
 * Keeps the names of functions and classes, so that stack traces are readable. This minifier also keeps the parentheses
 * around webpack's modules: V8 then compiles them once instead of twice (https://v8.dev/blog/preparser). Other minifiers,
 * including ncc's, remove them, and the first request takes a sixth longer.
 */
const minifyOptions: MinifyOptions = {
  module: true,
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: true },
}

/**
 * Bundles a module, and returns webpack's statistics.
 * @param folder a folder in the project that contains the modules. Configuration and statistics are written into it
 * @param out a folder that is empty or does not exist
 * @param without a step to leave out
 */
export async function bundle(
  folder: string,
  entry: string,
  out: string,
  without: BuildStep | null = null,
): Promise<Stats> {
  // ncc applies the `paths` of this tsconfig.json to dependencies, too.
  const pathTo = (file: string) =>
    relative(folder, join(import.meta.dirname, 'bundle', file)).replaceAll('\\', '/')
  const paths =
    without === 'slim HTTP'
      ? {}
      : Object.fromEntries(Object.entries(slim).map(([name, file]) => [name, [pathTo(file)]]))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { baseUrl: '.', paths } }))
  const stats = join(folder, 'stats.json')
  const options = ['--no-cache', '--quiet', '--stats-out', stats]
  const externals = without === 'no milo' ? [] : milo.flatMap((request) => ['--external', request])
  execFileSync(process.execPath, [ncc, 'build', entry, '-o', out, ...options, ...externals], {
    cwd: folder,
    stdio: 'inherit',
  })
  const index = join(out, 'index.js')
  if (without !== 'no HTTP2') writeFileSync(index, withoutHttp2(readFileSync(index, 'utf8')))
  for (const name of readdirSync(out).filter((file) => file.endsWith('.js') && without !== 'minify'))
    await minifyFile(join(out, name))
  return JSON.parse(readFileSync(stats, 'utf8'))
}

async function minifyFile(file: string): Promise<void> {
  const { code, errors } = await minify(file, readFileSync(file, 'utf8'), minifyOptions)
  if (errors.length > 0) throw new Error(`${file} cannot be minified: ${errors[0]?.message}`)
  writeFileSync(file, code)
}
