/** How .gitattributes files are read. Git is the judge: `git check-attr`, with `core.ignorecase=false`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { type AttributesFile, attributesOf, readAttributes } from '../../../src/core/prompt/attributes.ts'
import { hostileText, judged } from '../samples.ts'

const names = ['linguist-generated', 'linguist-vendored']

/** A git repository with these files, without the processes of `git init`. */
function createRepository(files: readonly AttributesFile[]) {
  const root = mkdtempSync(join(tmpdir(), 'attributes-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const name of ['objects', 'refs']) mkdirSync(join(root, '.git', name), { recursive: true })
  write('.git/HEAD', 'ref: refs/heads/main\n')
  write('.git/config', '[core]\nrepositoryformatversion = 0\nignorecase = false\n')
  for (const { folder, text } of files) write(`${folder}.gitattributes`, text)
  return root
}

/** What git says of the paths: the values of `names`. */
function askGit(files: readonly AttributesFile[], paths: readonly string[]) {
  const cwd = createRepository(files)
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' }
  const input = paths.map((path) => `${path}\0`).join('')
  const command = ['check-attr', '--stdin', '-z', ...names]
  const output = execFileSync('git', command, { cwd, env, input, stdio: ['pipe', 'pipe', 'ignore'] })
  const fields = output.toString().split('\0')
  const values = fields.filter((_, at) => at % 3 === 2)
  return paths.map((_, at) => values.slice(names.length * at, names.length * (at + 1)).join(', '))
}

/** What the action says of the paths, in git's words. */
function askAction(files: readonly AttributesFile[], paths: readonly string[]) {
  const attributes = readAttributes(files)
  return paths.map((path) => {
    const values = attributesOf(path, attributes)
    return names.map((name) => wordFor(values.get(name) ?? '!')).join(', ')
  })
}

function wordFor(value: string) {
  if (value === '') return 'set'
  if (value.startsWith('-')) return 'unset'
  if (value.startsWith('!')) return 'unspecified'
  return value.slice(1)
}

/** Parts of patterns, each with a text that it matches or nearly matches. */
const parts = String.raw`
  a a | b b | core core | . . | x.ts x.ts | é é | # # | ! ! | - - | / / | / / | / / | / / | / / | * | * ab | * a/b
  *.ts x.ts | *** b | ** ab | ** a/b | **/ a/b/ | **/ | /**/ / | /**/ /b/a/ | /** /b/a | **\/ a/b/ | **\/ | /**\/ /
  ? b | ? / | ? é | ?? é | \* * | \* a | \# # | \! ! | \? ? | \[ [ | \\ \ | \/ / | \a a | \ \ | \
  [ab] b | [!a] a | [!a] b | [^a] b | [^a] ^ | []a]x ]x | []a]x ax | [!]a] ] | [!]a] b | []-a] ^ | [a-c] b | [c-a] b
  [c-a] c | [a-] - | [-a] - | [--0] . | [a-c-e] d | [a-c-e] - | [a\]b] ] | [\a-c] b | [a-\c] b | [é] é | [é][é] é
  [/] / | [!b] / | [a/b] a | [ [ | [a [a | [] [] | [\] \ | ] ] | [[-a] ^ | [[:-a] @ | [[:alpha:].] . | [[:alpha:]] é
  [[:digit:]] 1 | [[:digit:]] a | [![:upper:]] B | [![:upper:]] b | [[:nothing:]] n | [a[:nothing:]] a | [[:digit] d
  [[:digit] [ | [[:] : | [[::]] : | [a-[:digit:]] b] | [[:digit:]-a] - | [[:digit:] 1`

const joined = (texts: readonly string[]) => texts.join('')
const joinedFrom = (...lists: (readonly string[] | fc.Arbitrary<string>)[]) =>
  fc
    .tuple(...lists.map((list) => (list instanceof fc.Arbitrary ? list : fc.constantFrom(...list))))
    .map(joined)

const part = fc.constantFrom(...parts.trim().split(/ [|] |\n +/)).map((text) => text.split(' '))
const escapes = new Map([
  ['é', '\\303\\251'],
  ['!', '\\041'],
])
const inQuotes = (text: string) =>
  `"${text.replace(/["\\]/g, '\\$&').replace(/[é!]/g, (sign) => escapes.get(sign) ?? sign)}"`
const asItIs = (text: string) => text
const wrongQuotes = (text: string) => `"\\x${text}"`

const value = ['', '', '', '', '=true', '=false', '=', '=a=b']
const macros = ['gen', 'own', 'binary']
const blank = [' ', ' ', ' ', '\t', '  ', ' \r']
const usualAttribute = joinedFrom(blank, ['', '', '', '-', '!'], [...names, ...names, ...macros], value)
const otherAttribute = joinedFrom(blank, ['text', 'eol=lf', '-diff', '_.-', '--a', 'a/b', '=a', 'é', '-'])
const attribute = fc.oneof({ weight: 4, arbitrary: usualAttribute }, otherAttribute)
const attributes = fc.array(attribute, { minLength: 1, maxLength: 3 }).map(joined)

/** A line, and a path that it may be about. */
const line = fc
  .record({
    indent: fc.constantFrom('', '', ' '),
    before: fc.constantFrom('', '', '', '/', '**/', '!', '#', 'a/', '//'),
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    after: fc.constantFrom('', '', '', '', '/', '/**', '*'),
    quote: fc.constantFrom(asItIs, asItIs, asItIs, inQuotes, inQuotes, wrongQuotes),
    attributes,
  })
  .map(({ indent, before, parts, after, quote, attributes }) => {
    const pattern = `${before}${joined(parts.map(([pattern = '']) => pattern))}${after}`
    const path = joined(parts.map(([, text = '']) => text))
    return { text: `${indent}${quote(pattern)}${attributes}`, path }
  })
const definition = joinedFrom(['[attr]', '[attr]', '"[attr] gen"', '[attr] '], macros, attributes)
const lineOrDefinition = fc.oneof(
  { weight: 12, arbitrary: line },
  definition.map((text) => ({ text, path: 'agen' })),
)
const file = fc.record({
  folder: fc.constantFrom('', '', 'a/', 'core/', 'a/b/'),
  lines: fc.array(lineOrDefinition, { minLength: 2, maxLength: 6 }),
  end: fc.constantFrom('\n', '\n', '\r\n'),
})
type FileSample = typeof file extends fc.Arbitrary<infer Sample> ? Sample : never

/** The file in the root, with macros. */
const root = fc
  .tuple(fc.array(definition, { minLength: 1, maxLength: 4 }), line, line)
  .map(([definitions, ...lines]) => [...definitions, ...lines.map(({ text }) => text)].join('\n'))

const seed = 55
/** A case is a folder of a repository. Repositories differ in their macros. */
const repositories = judged(20)
const casesInEach = 76

it(`${judged(2_000)} .gitattributes files are read as git reads them, for ${judged(8_000)} paths (seed ${seed})`, () => {
  const compared = { files: 0, paths: 0 }
  for (let number = 0; number < repositories; number++) {
    const parameters = { seed: seed + number }
    const [text = ''] = fc.sample(root, { ...parameters, numRuns: 1 })
    const files = fc.array(file, { minLength: 1, maxLength: 2 })
    const cases = fc
      .sample(files, { ...parameters, numRuns: casesInEach })
      .map((all, at) => caseOf(`case${at}/`, all))
    const own = cases.flatMap((each) => each.files)
    const says = askGit(
      [{ folder: '', text }, ...own],
      cases.flatMap(({ paths }) => paths),
    ).values()
    for (const { files, paths } of cases) {
      const above = [{ folder: '', text }, ...files]
      expect(askAction(above, paths), JSON.stringify({ above, paths })).toEqual([...says.take(paths.length)])
    }
    compared.files += own.length
    compared.paths += cases.flatMap(({ paths }) => paths).length
  }
  expect(compared.files).toBeGreaterThan(judged(2_000) - 5)
  expect(compared.paths).toBeGreaterThan(judged(8_000) - 20)
})

/** The files of a case, and paths that they may be about. */
function caseOf(home: string, files: readonly FileSample[]) {
  const texts = new Map(
    files.map(({ folder, lines, end }) => [folder, lines.map(({ text }) => text).join(end)]),
  )
  const own = Array.from(texts, ([folder, text]) => ({ folder: `${home}${folder}`, text }))
  // A folder's path is shorter than those of the folders in it.
  own.sort((one, other) => one.folder.length - other.folder.length)
  const paths = files.flatMap(({ folder, lines }) => {
    return lines.map(({ path }, at) => `${home}${at % 3 === 0 ? 'core/' : ''}${folder}${path}`)
  })
  const real = paths.map((path) => path.replace(/\/+/g, '/').replace(/\/$/, ''))
  // Git resolves `.` and `..`, and no file in a repository has such a name.
  return { files: own, paths: real.filter((path) => !/(^|\/)\.{1,2}(\/|$)/.test(path)) }
}

const classes = 'alnum alpha blank cntrl digit graph lower print punct space upper xdigit'.split(' ')

it('each class of characters has the members that it has in git', () => {
  const lines = classes.map((name) => `/${name}/[[:${name}:]] linguist-generated`).join('\n')
  const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
  const real = characters.filter((character) => !/[\0./]/.test(character))
  const paths = classes.flatMap((name) => real.map((character) => `${name}/${character}`))
  const files = [{ folder: '', text: lines }]
  expect(askAction(files, paths)).toEqual(askGit(files, paths))
})

it('the last line that matches decides, and only the file in the root defines macros, as in git', () => {
  const text = '[attr]gen linguist-generated\n*.ts gen\n/a/own.ts -gen\n/a/*.md linguist-vendored'
  const inside = '[attr]own linguist-vendored\n*.js own\n*.ts linguist-generated\nb.ts -linguist-generated'
  const files = [
    { folder: '', text },
    { folder: 'a/', text: inside },
  ]
  const paths = ['a.ts', 'a/own.ts', 'a/b.ts', 'a/c.js', 'a/d.md']
  expect(askAction(files, paths)).toEqual(askGit(files, paths))
})

const long = (count: number, text: string) => text.repeat(count)

// The only differences. The action limits what it reads and matches, because the change's author controls both.
it.each<[reason: string, text: string, path: string, action?: string, git?: string]>([
  ['the path is longer than 400 characters', '*.ts linguist-generated', `${long(200, 'a/')}b.ts`],
  ['the pattern is longer than 200 bytes', `${long(100, 'a/')}* linguist-generated`, `${long(100, 'a/')}b`],
  ['the pattern has more than 12 stars', `${long(13, 'a*')} linguist-generated`, long(13, 'a')],
  [
    'the wildcards of all lines, times the length of the path, are more than 100,000',
    long(500, '*?*? linguist-generated\n'),
    long(51, 'a'),
  ],
  ['the line has more than 20 attributes', `*${long(20, ' text')} linguist-generated`, 'a'],
  ['500 lines follow', `* linguist-generated\n${long(500, '*.md text\n')}`, 'a'],
  [
    'no blank is between quotes and an invalid attribute',
    '"a b=c"!!x linguist-generated',
    '"a',
    'set',
    'unspecified',
  ],
])('the action differs from git if %s', (_, text, path, action = 'unspecified', git = 'set') => {
  const files = [{ folder: '', text }]
  const says = [...askAction(files, [path]), ...askGit(files, [path])]
  expect(says).toEqual([`${action}, unspecified`, `${git}, unspecified`])
})

// A change's author controls patterns and paths. Matching these could block the process.
it.each([
  '**/*a**/*a**/*a*b',
  '*a*a*a*a*a*a*a*a*b',
  '?*?*?*?*?*?*?*?*?*b',
  '*/*/*/*/*/*/*/*/*/*/*/b',
  '**/*/*/*/*/*/*/*/*/*/*/*/b',
  `*${'[!b]'.repeat(48)}c`,
  `*${'[!b]'.repeat(48)}*c`,
  `[${'a-'.repeat(90)}`,
])(
  '500 lines with the pattern %s are matched against 200 long paths before the test times out',
  (pattern) => {
    const attributes = readAttributes([{ folder: '', text: `${pattern} linguist-generated\n`.repeat(500) }])
    for (const path of ['a/'.repeat(200), 'a'.repeat(400)])
      for (let at = 0; at < 100; at++) expect(attributesOf(path, attributes).size).toBe(0)
  },
)

it('20 files with 500 lines that take long to compile are read within ten seconds', () => {
  const text = `${'[[:'.repeat(60)} linguist-generated\n`.repeat(500)
  const files = Array.from({ length: 20 }, (_, depth) => ({ folder: 'a/'.repeat(depth), text }))
  expect(attributesOf('a/b', readAttributes(files)).size).toBe(0)
}, 10_000)

it('reading any .gitattributes file never throws', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (text, path) => {
      attributesOf(path, readAttributes([{ folder: '', text: `${text} linguist-generated` }]))
    }),
  )
})
