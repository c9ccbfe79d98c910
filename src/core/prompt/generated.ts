/** Which files of a change nobody wrote: they are named to the agent, and not shown. */

import type { MatchesGlob } from '../globs.ts'

/** Locks of package managers, by their documented names. */
const lockFiles = new Set([
  ...[
    'package-lock.json',
    'npm-shrinkwrap.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'bun.lock',
    'bun.lockb',
    'deno.lock',
  ],
  ...[
    'Cargo.lock',
    'Gemfile.lock',
    'poetry.lock',
    'Pipfile.lock',
    'uv.lock',
    'pdm.lock',
    'composer.lock',
    'mix.lock',
  ],
  ...['go.sum', 'go.work.sum', 'pubspec.lock', 'Podfile.lock', 'Package.resolved', 'packages.lock.json'],
  ...['gradle.lockfile', 'flake.lock', '.terraform.lock.hcl'],
])

/** A line of .gitattributes that says who wrote the files that it names. */
export interface Attribute {
  glob: string
  why: 'generated' | 'vendored'
  isSet: boolean
}

/** Why a file is not shown; undefined where somebody wrote it. Attributes go before what the name suggests. */
export function whyGenerated(
  path: string,
  attributes: readonly Attribute[],
  matches: MatchesGlob,
): string | undefined {
  const last = (why: Attribute['why']) =>
    attributes.findLast((attribute) => attribute.why === why && matches(path, attribute.glob))?.isSet
  const [generated, vendored] = [last('generated'), last('vendored')]
  if (generated === true) return 'generated, as .gitattributes says'
  if (vendored === true) return 'vendored, as .gitattributes says'
  if (generated === false || vendored === false) return undefined
  return byName(path)
}

function byName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (lockFiles.has(name)) return 'lock file'
  if (/\.min\.(js|mjs|cjs|css)$/.test(name) || /\.(js|mjs|cjs|css)\.map$/.test(name)) return 'minified'
  return /(^|\/)(node_modules|bower_components|vendor|third_party)\//.test(path) ? 'vendored' : undefined
}

/** Lines that are matched with every file. */
const attributeLimit = 200

/** Reads `linguist-generated` and `linguist-vendored` out of a .gitattributes (git's and GitHub Linguist's docs). */
export function readAttributes(text: string): Attribute[] {
  const attributes = text.split('\n').flatMap((line) => {
    const [pattern = '', ...words] = line.trim().split(/\s+/)
    if (pattern === '' || pattern.startsWith('#') || pattern.startsWith('[') || branches(pattern)) return []
    return words.flatMap((word): Attribute[] => {
      const [, minus, why, value] = /^(-?)linguist-(generated|vendored)(?:=(\w+))?$/.exec(word) ?? []
      if (why === undefined) return []
      const isSet = minus === '' && value !== 'false'
      return [{ glob: globOf(pattern), why: why as Attribute['why'], isSet }]
    })
  })
  return attributes.slice(-attributeLimit)
}

/** Whoever proposes a change writes these. git knows neither braces nor groups, and many stars would block the process. */
function branches(pattern: string): boolean {
  const stars = (part: string) => part.match(/\*+/g)?.length ?? 0
  // Stars between two slashes are what takes long: each multiplies the ways to match a name.
  const isSlow = stars(pattern) > 4 || pattern.split('/').some((part) => stars(part) > 2)
  return pattern.length > 500 || /[{}]|[?*+@!]\(/.test(pattern) || isSlow
}

/** A pattern without a slash names files in every folder (gitattributes). */
function globOf(pattern: string): string {
  const rest = pattern.replace(/^\//, '')
  return pattern.includes('/') ? rest : `**/${rest}`
}
