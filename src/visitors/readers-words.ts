/** Readers' words: searches, comments and questions. Anyone can write them, so they are cleaned first. */
import { cut, stripHidden } from '../core/text.ts'

/** Maximum length to process, in characters. The rest would not be shown. */
const readLimit = 1_000
/** Maximum length to keep, in characters. */
const wordsLimit = 200

/**
 * Plain words on one line: no hidden characters, personal data masked, at most 200 characters. Compatibility forms
 * (such as full-width letters) are normalized first, so that the masks recognize them.
 */
export function readersWords(text: string) {
  const plain = stripHidden(start(text).normalize('NFKC'))
    // Stacked accents would cover the lines above and below.
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/g, ' ')
  return cut(applyMasks(plain, [...addresses, ...secrets, ...numbers]).trim(), wordsLimit)
}

/** The start of a long text, without its last word: half a secret would not be recognized. */
function start(text: string) {
  if (text.length <= readLimit) return text
  return text.slice(0, readLimit).replace(/\S*$/, '')
}

type Mask = readonly [pattern: RegExp, mask: string]

/** The name of a secret, such as `api_key` or `X-Auth-Token`. */
const secretName = String.raw`(?<![\w-])(?:[\w-]{0,40}?(?:password|passwd|passcode|passphrase|pwd|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|credentials?)|(?:[\w-]{0,40}[_-])?(?:pw|pass))`

const addresses: readonly Mask[] = [
  // The parts of a URL that can sign someone in: the user name and password, and everything after the path.
  [/\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/@?#]{1,200}@/gi, '$1'],
  [/\b([a-z][a-z\d+.-]{1,20}:\/\/[^\s?#]{1,500})[?#]\S*/gi, '$1'],
  [/[^\s@/<>()[\]{},;:"'“”]{1,64} ?@ ?[^\s@/<>()[\]{},;:"'“”]{1,190}\.[\p{L}\d-]{2,24}/gu, '[email address]'],
  // Written out: name [at] example [dot] com.
  [
    /[\w.+-]{1,64} ?[([{] ?(?:at|@) ?[)\]}] ?[\w.-]{1,100}(?: ?(?:[([{] ?(?:dot|\.) ?[)\]}]|\bdot\b) ?[a-z]{2,24})*/gi,
    '[email address]',
  ],
  [/[\w.+-]{1,64} at [\w-]{1,63}(?: dot [a-z]{2,24})+/gi, '[email address]'],
]

const secrets: readonly Mask[] = [
  // Anyone who knows a webhook's URL can post to it.
  [/\bhttps?:\/\/(?:hooks?\.[^\s/]{1,200}|[^\s/]{1,200}\.webhook\.[^\s/]{1,200})\/\S+/gi, '[secret]'],
  [/\bhttps?:\/\/[^\s/]{1,200}\/(?:[^\s/]{1,60}\/){0,4}(?:web)?hooks?\/(?=\S{0,500}\d)\S{8,}/gi, '[secret]'],
  [/-----BEGIN [\s\S]*/g, '[secret]'],
  [new RegExp(String.raw`(${secretName}["']?\s?[:=]\s?["']?)\S+`, 'gi'), '$1[secret]'],
  [new RegExp(String.raw`(${secretName} is )(?=\S*\d)\S+`, 'gi'), '$1[secret]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  // The usual prefixes of keys, and JSON web tokens.
  [
    /\b(?:sk|pk|rk|mint|key|whsec|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[a-z]|npm|pypi|hf|dop_v1|shpat|lin_api|AKIA|ASIA|AIza|ya29|eyJ|SG)[-_.]?[\w.-]{12,}/g,
    '[secret]',
  ],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '[secret]'],
  [/\b(?:[A-Z\d]{4,8}-){3,}[A-Z\d]{4,8}\b/gi, '[secret]'],
  // Long sequences of letters and digits: words do not contain three digits.
  [/(?<![\w+=])(?=[\w+=]{0,200}[a-z])(?=(?:[\w+=]{0,200}?\d){3})[\w+=]{16,}/gi, '[secret]'],
]

const numbers: readonly Mask[] = [
  // International bank account numbers (ISO 13616), and codes of six digits.
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b/g, '[number]'],
  [/\b(code\D{0,20}(?<!\d))\d{3}[ -]?\d{3}(?!\d)/gi, '$1[number]'],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/g, '[IP address]'],
  [
    /(?<![\w:])(?:[\da-f]{1,4}:){4,7}(?:[\da-f]{1,4}|:)|(?<![\w:])(?:[\da-f]{1,4}:){1,6}:(?:[\da-f]{1,4}:?){0,6}(?!\w)/gi,
    '[IP address]',
  ],
  // Telephone, card and account numbers, but not dates such as 2026-11-21.
  [/(?<![\p{L}\d])(?!\d{4}-\d\d-\d\d(?!\d))(?:\+ ?)?\(?\d(?:[ ()./\u2010-\u2015-]{0,3}\d){6,}/gu, '[number]'],
]

/** Masks what looks like an email address, key, token, IP address, or telephone or card number. */
function applyMasks(text: string, masks: readonly Mask[]) {
  return masks.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), text)
}

/** Maximum length of a quote in a suggested command, in characters. */
const quoteLimit = 120

/**
 * Words to quote in a comment; empty if nothing is left. Only letters, digits and plain punctuation remain, because
 * GitHub interprets the rest as links, mentions and formatting.
 */
export function quotable(words: string) {
  const plain = words
    .replace(/\[(email address|secret|IP address|number)\]/g, '…')
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S*/gi, '…')
    .replace(/www\.\S*/gi, '…')
    .replace(/[^\p{L}\p{M}\p{N} .,?!'’%()+=/_…-]/gu, ' ')
    // GitHub turns anything that looks like a commit ID into a link.
    .replace(/(?<![a-z\d])[\da-f]{7,}(?![a-z\d])/gi, '…')
    // An underscore within a name is not emphasis, so it remains.
    .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ' ')
    // GitHub turns GH-1 into a link.
    .replace(/\bGH-(?=\d)/gi, 'GH ')
    .replace(/\s+/g, ' ')
  const quote = cut(plain.trim().replace(/(?<!\.)\.$/, ''), quoteLimit)
  if (!/[\p{L}\p{N}]/u.test(quote)) return ''
  return quote
}

/** Maximum length of a path, in characters. No page's path is longer. */
const maxPathLength = 2_000

/** A page's path in one form for all lists: it begins with a slash, and has no origin, query, fragment or final slash. */
export function toPath(text: string) {
  const path = text
    .slice(0, maxPathLength)
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^\/*/, '/')
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  // Numbers remain: they are article ids or dates.
  return applyMasks(path.slice(0, end), [...addresses, ...secrets])
}
