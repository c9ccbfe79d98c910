/**
 * Builds dist/ from src/: tsc emits JavaScript into build/, ncc bundles it, and licenses.txt lists the bundled packages.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { minify } from 'rolldown/utils'
import { bundledPackages, licensesOf } from './licenses.ts'

const root = join(import.meta.dirname, '..')

/** Two of undici's four parsers are experimental, and one is for processors on which GitHub has no runner. */
const unusedParsers = ['../milo/simd.js', '../milo/no-simd.js', '../llhttp/llhttp-wasm.js']
/** HTTP/2 is off (src/adapters/wire.ts). Without this module, undici continues. */
const http2 = 'node:http2'

/** Builds into a folder. */
async function build(out: string): Promise<void> {
  const folder = join(root, 'build')
  for (const old of [folder, out]) rmSync(old, { recursive: true, force: true })
  run(root, 'typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', folder)

  // ncc applies these paths to dependencies, too.
  const http = replacement(folder, 'http.cjs')
  const rest = replacement(folder, 'rest.cjs')
  const paths = {
    undici: http,
    '@actions/http-client': http,
    '@octokit/plugin-rest-endpoint-methods': rest,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { baseUrl: '.', paths } }))
  const unused = unusedParsers.flatMap((name) => ['--external', name])
  const options = ['--no-cache', '--quiet', '--stats-out', 'stats.json', ...unused]
  run(folder, '@vercel/ncc/dist/ncc/cli.js', 'build', 'main.js', '-o', out, ...options)

  const names = readdirSync(out).filter((file) => file.endsWith('.js'))
  const scripts = names.map((name) => ({ name, code: readFileSync(join(out, name), 'utf8') }))
  for (const module of [...unusedParsers, http2]) {
    const isRequired = scripts.some(({ code }) => code.includes(`("${module}")`))
    if (!isRequired) throw new Error(`undici does not require ${module}. Change scripts/build.ts.`)
  }
  for (const { name, code } of scripts) {
    // This minifier keeps the parentheses around webpack's modules, so V8 compiles them once instead of twice
    // (https://v8.dev/blog/preparser). With names, stack traces are readable.
    const minified = await minify(name, code.replaceAll(`("${http2}")`, `("${http2}-off")`), {
      module: true,
      compress: { keepNames: { function: true, class: true } },
      mangle: { keepNames: true },
    })
    writeFileSync(join(out, name), minified.code)
  }
  copyFileSync(join(root, 'scripts/bundle/post.js'), join(out, 'post.js'))
  const stats = JSON.parse(readFileSync(join(folder, 'stats.json'), 'utf8'))
  writeFileSync(join(out, 'licenses.txt'), licensesOf(bundledPackages(stats, root), root))
}

/** A path for ncc, from a folder to a file that replaces a package. */
function replacement(folder: string, name: string): string[] {
  return [relative(folder, join(root, 'scripts/bundle', name)).replaceAll('\\', '/')]
}

function run(cwd: string, script: string, ...args: string[]): void {
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...args], { cwd, stdio: 'inherit' })
}

await build(join(root, 'dist'))
