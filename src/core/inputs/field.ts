/** Readers for single inputs. Each returns undefined if it does not accept the text. */
import * as z from 'zod/mini'
import { type Allowed, roles } from '../trigger/permission.ts'
import { parseDuration } from '../units.ts'

/** Minimum and maximum length of a key, in characters. Masking a shorter key would mask ordinary words, too. */
export const minKeyLength = 8
export const maxKeyLength = 512

/**
 * A field that is read from text. Empty text is read as `fallback`, the default in action.yml.
 * @param expected completes the sentence “expected …”; may depend on the text
 */
export function field<T>(
  expected: string | ((text: string) => string),
  read: (text: string) => T | undefined,
  fallback = '',
) {
  const schema = z.pipe(
    z.optional(z.string()),
    z.transform((text, context): T => {
      const value = read(text || fallback)
      if (value !== undefined) return value
      const message = typeof expected === 'string' ? expected : expected(text ?? '')
      context.issues.push({ code: 'custom', message, input: text })
      return z.NEVER
    }),
  )
  return Object.assign(schema, { fallback })
}

/** A field that is null if its text is empty. */
export function optional<T>(expected: string, read: (text: string) => T | undefined) {
  return field(expected, (value) => (value.trim() === '' ? null : read(value)))
}

/** A field for any text; null if it is empty or only white space. */
export const anyText = optional('text', (value) => value)
export const boolean = (fallback: string) => field('true or false', readBoolean, fallback)

/** A field for exactly one of several words. */
export function oneOf<const Word extends string>(words: readonly Word[], fallback: Word) {
  return field(listed(words), (value) => words.find((word) => word === value), fallback)
}

/** A field for several words separated by commas or line breaks, or only `none`. */
export function anyOf<const Word extends string>(
  words: readonly Word[],
  fallback: string,
  read = (value: string) => readWords(value, words),
) {
  return field(`none, or a comma-separated list of ${listed(words, 'and')}`, read, fallback)
}

/** A field for a whole number from `least` to `most`. */
export function integer(least: number, most: number, unit: string, fallback: string) {
  return field(
    `a number of ${unit} from ${least} to ${most}`,
    (value) => integerWithin(value, least, most),
    fallback,
  )
}

/** Words as a list in a sentence: `a, b or c`. */
export function listed(words: readonly string[], conjunction = 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`
}

/**
 * Reads an API key: visible ASCII, because it is sent in a header. Rejects the two other kinds of key, which are easily
 * confused with it (openapi.yaml).
 */
export function readKey(key: string): string | undefined {
  const usable = /^[\x21-\x7E]+$/.test(key) && key.length >= minKeyLength && key.length <= maxKeyLength
  return usable && !/^mint_(dsc|us)_/.test(key) ? key : undefined
}

/** Reads an https URL, or an http URL of this machine. Otherwise like `readUrl`. */
export function readBaseUrl(value: string): string | undefined {
  return readUrl(value, ({ protocol, hostname }) => protocol === 'https:' || loopbackHosts.includes(hostname))
}

/** Reads an http or https URL to append paths to: rejects credentials and queries, and removes trailing slashes. */
function readUrl(value: string, isAccepted: (url: URL) => boolean): string | undefined {
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol) || !isAccepted(url)) return undefined
  const isPlain = url.username === '' && url.password === '' && !/[?#]/.test(value)
  return isPlain ? url.href.replace(/\/+$/, '') : undefined
}

/** This machine. It is never reached through a proxy, and may use plain http. */
export const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Reads a boolean of YAML's core schema: `true`, `True` or `TRUE`, and `false` in the same three spellings. */
export function readBoolean(value: string): boolean | undefined {
  if (/^(true|True|TRUE)$/.test(value)) return true
  return /^(false|False|FALSE)$/.test(value) ? false : undefined
}

/** The parts of an input that holds several values, trimmed, without the empty ones. */
function parts(value: string, separator: string | RegExp): string[] {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Reads globs of files; `!` excludes. Rejects globs that are absolute or leave the folder in which they are matched. */
export function readGlobs(value: string): string[] | undefined {
  const globs = parts(value, '\n')
  const escapes = (glob: string) =>
    /^!?([/\\]|[A-Za-z]:)/.test(glob) || glob.split(/[/\\]/).some((part) => /^!?\.\.$/.test(part))
  return globs.some((glob) => escapes(glob) || isUnusable(glob)) ? undefined : globs
}

/** Maximum number of globs that the braces of one glob expand to. */
const braceLimit = 1_000

/**
 * Whether a glob would take too long to match with thousands of paths, or has groups, ranges or classes, which are not
 * supported.
 */
function isUnusable(glob: string): boolean {
  const count = (sign: string) => glob.split(sign).length - 1
  const hasStars = glob.split('/').some((name) => (name.match(/\*+/g)?.length ?? 0) > 3)
  const isOther = /[?*+@!]\(|\{[^{}]*\.\.[^{}]*\}|\[:/.test(glob)
  return glob.length > 500 || (count(',') + 1) ** count('{') > braceLimit || hasStars || isOther
}

/** Reads globs of page paths, which may begin with a slash. */
export function readPathGlobs(value: string): string[] | undefined {
  const globs = parts(value, '\n')
  return globs.some(isUnusable) ? undefined : globs
}

/** Reads values separated by commas or line breaks. */
function listOf(read: (part: string) => string | undefined) {
  return (value: string): string[] | undefined => {
    const all = parts(value, /[,\n]/)
    return all.every((part) => read(part) !== undefined) ? all : undefined
  }
}

const readNames = listOf(readLabel)

/** GitHub's limit on the labels of a pull request. */
export const maxLabels = 100

/** Reads names of labels, separated by commas or line breaks. See `readLabel`. */
export function readLabels(value: string): string[] | undefined {
  const labels = readNames(value)
  return labels !== undefined && labels.length <= maxLabels ? labels : undefined
}
/** Reads reviewers: logins, `org/team`, and `requester`. */
export const readReviewers = listOf((name) =>
  /^[A-Za-z0-9-]+(\/[A-Za-z0-9._-]+)?$/.test(name) ? name : undefined,
)

/** GitHub's limit on a label's name, in characters. */
export const maxLabelLength = 50

/** Reads the name of a label. Rejects control characters, and names over `maxLabelLength`. */
export function readLabel(value: string): string | undefined {
  const label = value.trim()
  return /\p{Cc}/u.test(label) || [...label].length > maxLabelLength ? undefined : label
}

/** Reads a login, with or without the suffix `[bot]`. */
export function readLogin(value: string): string | undefined {
  return /^[A-Za-z0-9-]+(\[bot\])?$/.test(value) ? value : undefined
}

/** The entries of `allowed`: roles, bots' full logins, and everything else. */
function sortAllowed(value: string) {
  const all = [...new Set(parts(value, /[,\n]/))]
  const named = roles.filter((role) => all.includes(role))
  const others = all.filter((entry) => !(named as string[]).includes(entry))
  const bots = others.filter((entry) => /^[A-Za-z0-9-]+\[bot\]$/.test(entry))
  return { named, bots, unknown: others.filter((entry) => !bots.includes(entry)) }
}

/** Reads the accounts that can ask: exactly one role, and bots by their full logins, separated by commas or line breaks. */
export function readAllowed(value: string): Allowed | undefined {
  const { named, bots, unknown } = sortAllowed(value)
  const [role] = named
  return role === undefined || named.length > 1 || unknown.length > 0 ? undefined : { role, bots }
}

/** What `allowed` must be, and what is wrong with a text that `readAllowed` rejects. */
export function expectedAllowed(value: string): string {
  const { named, unknown } = sortAllowed(value)
  const wrong = [
    ...(unknown.includes('read') ? ['`read` restricts nobody on a public repository'] : []),
    ...(unknown.length > 0 ? ['a bot needs its full login, such as renovate[bot]'] : []),
    ...(named.length === 1 ? [] : [`it has ${named.length === 0 ? 'no role' : `${named.length} roles`}`]),
  ]
  return `exactly one role (${listed(roles)}) and any number of bots: ${wrong.join('; ')}`
}

/** Reads a duration within limits. The limits and the result are in milliseconds. */
export function durationWithin(value: string, least: number, most: number): number | undefined {
  const duration = parseDuration(value)
  return duration !== undefined && duration >= least && duration <= most ? duration : undefined
}

/** Reads several words separated by commas or line breaks, or only `none`. */
export function readWords<Word extends string>(
  value: string,
  words: readonly Word[],
): ReadonlySet<Word> | undefined {
  const given = parts(value, /[,\n]/)
  if (given.length === 1 && given[0] === 'none') return new Set()
  const known = words.filter((word) => given.includes(word))
  // An unknown word makes the two sizes differ.
  return given.length > 0 && new Set(given).size === known.length ? new Set(known) : undefined
}

/** Reads the http or https URL that links to pages start with. See `readUrl`. */
export function readSiteUrl(value: string): string | undefined {
  return readUrl(value, () => true)
}

/** Reads a percentage over 0 and up to 100, and returns it as a fraction. */
export function readPercentage(value: string): number | undefined {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,2})?)\s?%$/.exec(value) ?? []
  const percent = Number(digits)
  return percent > 0 && percent <= 100 ? percent / 100 : undefined
}

/** Reads a whole number within limits. */
export function integerWithin(value: string, least: number, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  return number >= least && number <= most ? number : undefined
}
