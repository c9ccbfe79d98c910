/** Finds the generated files of a change. The agent gets only their names. */
import { compileNames, matchesNames, type Pattern } from '../globs.ts'

/** Lock files of package managers, by their documented names. */
const lockFiles = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock Gemfile.lock
  poetry.lock Pipfile.lock uv.lock pdm.lock composer.lock mix.lock go.sum go.work.sum pubspec.lock Podfile.lock
  Package.resolved packages.lock.json gradle.lockfile flake.lock .terraform.lock.hcl`.split(/\s+/),
)

/** A line of .gitattributes that marks files as generated or vendored. */
export interface Attribute {
  pattern: Pattern
  why: 'generated' | 'vendored'
  isSet: boolean
}

/**
 * Why a file is not shown; undefined if it is neither generated nor vendored. Attributes take precedence over the
 * file's name.
 */
export function whyGenerated(path: string, attributes: readonly Attribute[]): string | undefined {
  const names = path.length > maxMatchedLength ? [] : path.split('/')
  const last = (why: Attribute['why']) =>
    attributes.findLast((attribute) => attribute.why === why && matchesNames(names, attribute.pattern, true))
      ?.isSet
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

/** Maximum number of lines that are used: each line is matched against every file. */
const attributeLimit = 200
/** Maximum length of a pattern and of a path. The change's author controls both, and matching blocks the process. */
const maxPatternLength = 200
const maxMatchedLength = 400

/** Reads `linguist-generated` and `linguist-vendored` from a .gitattributes file (docs of git and GitHub Linguist). */
export function readAttributes(text: string): Attribute[] {
  const lines = text.split('\n').flatMap((line) => {
    const [pattern = '', ...words] = line.trim().split(/\s+/)
    if (pattern === '' || /^(?:#|\[attr\])/.test(pattern) || pattern.length > maxPatternLength) return []
    return words.flatMap((word) => {
      const [, minus, why, value] = /^(-?)linguist-(generated|vendored)(?:=(\w+))?$/.exec(word) ?? []
      return why === undefined
        ? []
        : [{ pattern, why: why as Attribute['why'], isSet: minus === '' && value !== 'false' }]
    })
  })
  return lines
    .slice(-attributeLimit)
    .map(({ pattern, why, isSet }) => ({ pattern: compile(pattern), why, isSet }))
}

/** Compiles a pattern by git's rules (gitignore). A pattern without a slash matches files in every folder. */
function compile(pattern: string): Pattern {
  const parts = pattern.replace(/^\//, '').split('/')
  return compileNames(pattern.includes('/') ? parts : ['**', ...parts])
}
