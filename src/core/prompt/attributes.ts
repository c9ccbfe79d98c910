/**
 * Reads .gitattributes files as git does (gitattributes(5); git's attr.c, dir.c and wildmatch.c). Git compares bytes, so
 * texts become strings with one character for each byte.
 */
import { fillStars, star } from '../globs.ts'

/** A .gitattributes file. */
export interface AttributesFile {
  /** The path of its folder, with a slash at its end; empty for the root. */
  folder: string
  text: string
}

/** An attribute and its value. Empty: set; `-`: unset; `!`: unspecified; or `=text`. */
type Setting = readonly [name: string, value: string]

/** What .gitattributes files say. The first line that matches takes precedence. */
export type Attributes = ReturnType<typeof readAttributes>

/** Maximum number of lines that are used. The change's author controls all of this, and matching takes time. */
const lineLimit = 500

/** Maximum number of wildcards in all lines, times the length of a path: 500 lines with two each, for 100 characters. */
const effortLimit = 100_000

/** Reads .gitattributes files. @param files a folder's file comes after those of the folders that it is in */
export function readAttributes(files: readonly AttributesFile[]) {
  const used = files
    .flatMap(({ folder, text }) =>
      toBytes(text)
        .split('\n')
        .slice(-lineLimit)
        .flatMap((line) => readLine(line, toBytes(folder))),
    )
    .slice(-lineLimit)
  // Only the root's file can define macros. The last definition counts.
  const definitions = used.filter(({ folder, macro }) => folder === '' && macro !== undefined)
  const macros = new Map(definitions.map(({ macro, settings }) => [macro, settings]))
  const lines = used.filter(({ macro }) => macro === undefined).reverse()
  const wildcards = lines.flatMap(({ pattern }) => pattern.match(/\*+|[?[]/g) ?? [])
  return {
    lines: lines.map(({ folder, pattern, settings }) => ({ pattern: compile(folder, pattern), settings })),
    macros,
    longestPath: Math.min(400, effortLimit / wildcards.length),
  }
}

/** The attributes of a file, by name. Those that no line mentions are missing. */
export function attributesOf(path: string, { lines, macros, longestPath }: Attributes) {
  const values = new Map<string, string>()
  const set = ([name, value]: Setting) => {
    if (values.has(name)) return
    values.set(name, value)
    if (value === '') macros.get(name)?.forEach(set)
  }
  // Longer paths take too long to match.
  if (path.length > longestPath) return values
  const bytes = toBytes(path)
  for (const { pattern, settings } of lines) if (pattern.test(bytes)) settings.forEach(set)
  return values
}

const attribute = String.raw`([-!]?)([\w.][\w.-]*)(=[^ \t\r]*)?(?![^ \t\r])`
/** A pattern in quotes, with the escapes of C. */
const quoted = String.raw`"((?:[^"\\]|\\(?:[abfnrtv"\\]|[0-3][0-7]{2}))*)"`
/** A line of at most 2,047 bytes: a pattern and at most 20 attributes. */
const linePattern = new RegExp(
  String.raw`^(?!.{2048})[ \t\r]*(?:${quoted}|([^# \t\r][^ \t\r]*)(?![^ \t\r]))((?:[ \t\r]*${attribute}){0,20})[ \t\r]*$`,
  's',
)

/** Reads a line, unless git ignores it: a long line, a comment, an exclusion, or an invalid line. */
function readLine(line: string, folder: string) {
  const [, quoted, plain = '', attributes = ''] = linePattern.exec(line) ?? []
  const pattern = quoted === undefined ? plain : unquote(quoted)
  // With a slash at its end, a pattern matches only folders. Over 200 bytes or 12 stars, matching takes too long.
  if (/^$|^!|\/$|^.{201}|(?:\*[^*]*){13}/s.test(pattern)) return []
  const found = attributes.matchAll(new RegExp(attribute, 'g'))
  const settings = Array.from(found, ([, sign, name = '', value = '']): Setting => [name, `${sign}${value}`])
  const [, macro] = /^\[attr\](?=.)[ \t\r]*([^ \t\r]*)/s.exec(pattern) ?? []
  return [{ folder, macro, pattern, settings: settings.reverse() }]
}

function unquote(text: string) {
  return text.replace(/\\(\d{3}|.)/g, (_, sign: string) => {
    if (sign.length === 3) return String.fromCharCode(Number(`0o${sign}`))
    return '\x07\b\f\n\r\t\v'['abfnrtv'.indexOf(sign)] ?? sign
  })
}

function toBytes(text: string) {
  return Buffer.from(text).toString('latin1')
}

/** The classes of ASCII characters in a set, as git knows them (wildmatch.c, ctype.c). */
const classes = Object.fromEntries(
  String.raw`alnum a-zA-Z0-9
    alpha a-zA-Z
    blank \x20\t
    cntrl \0-\x1f\x7f
    digit 0-9
    graph !-~
    lower a-z
    print \x20-~
    punct !-/:-@\[-\x60{-~
    space \x20\t\n\r
    upper A-Z
    xdigit 0-9a-fA-F`
    .split(/\n +/)
    .map((row) => row.split(' ')),
)

const character = String.raw`(?:\\.|[^\\\]])`
/** A class, a character or a range. The lookaheads leave one way to read it, so that matching takes linear time. */
const member = String.raw`\[:(?:${Object.keys(classes).join('|')}):\]|(?!\[:[^\]]*:\])${character}(?:-${character}|(?!-${character}))`
const set = String.raw`\[([!^]?)((?:\](?:-${character})?|${member})(?:${member})*)\]`
/** Stars for any folders: between slashes, or after text without wildcards, which git compares separately. */
const folders = String.raw`(?<=^[^*?[\\]*|/)\*\*+(\\?/|$)`
const patternPart = new RegExp(String.raw`${folders}|\*+|${set}|\\.|.`, 'gs')

/** Stands for any folders in a source, as `star` does for a star. */
const anyFolders = '$$'

/** Compiles a pattern of the file in a folder. */
function compile(folder: string, pattern: string) {
  // A pattern without a slash matches names in every folder.
  const path = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`
  const sections = path.replace(patternPart, sourceOf).split(anyFolders)
  const source = sections.map((section, at) => fillStars(section, '[^/]', `section${at}`)).join(star)
  return new RegExp(`^${escapeBytes(folder)}${fillStars(source, '[^/]*/', 'path')}$`, 's')
}

function sourceOf(part: string, end?: string, not?: string, members?: string) {
  if (end === '') return '.*'
  if (end === '/') return anyFolders
  // If the slash is escaped, git expects at least one folder.
  if (end === '\\/') return `${star}/${anyFolders}`
  if (part.startsWith('*')) return star
  if (part === '?') return '[^/]'
  // A set without an end, or an escape without a character, matches nothing.
  if (/^[[\\]$/.test(part)) return '(?!)'
  if (members === undefined) return escapeBytes(part.slice(-1))
  return `(?!/)[${not && '^'}${members.replace(/\[:(\w+):\]|\\?(.)(?:-\\?(.))?/gs, sourceOfMember)}]`
}

function sourceOfMember(_: string, name?: string, first = '', last = '') {
  if (name !== undefined) return classes[name] ?? ''
  if (last <= first) return escapeBytes(first)
  return `${escapeBytes(first)}-${escapeBytes(last)}`
}

function escapeBytes(text: string) {
  return text.replace(/\W/g, '\\$&')
}
