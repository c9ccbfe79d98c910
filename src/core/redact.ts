/**
 * Finds secrets in text, to remove them or to refuse the text. The runner masks the log, but neither the summary nor the
 * outputs, and others may print a secret back in another form: escaped, encoded, reversed, or broken into lines. The text
 * is decoded and searched, in linear time: a pattern for all forms of a long token takes seconds to compile.
 */

/** Shorter secrets are not looked for: they would match ordinary words. */
const leastLength = 8
/** A secret with many backslashes is short once it is decoded. */
const leastDecoded = 4
const replacement = '***'

/** A character written in another way: URL-encoded, once or more; as an entity; escaped for JSON, code or Markdown. */
const encoded =
  /%(?:25)*([0-9a-f]{2})|&#0*(\d{1,3});?|&#x0*([0-9a-f]{1,2});?|&(amp|lt|gt|quot|apos);|\\+(?:(?:u00|x)([0-9a-f]{2}))?/gi
/** HTML's names for the characters that its writers escape. */
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** As many times as text is escaped within escaped text. */
const rounds = 4

/** A line end, real or escaped, with the spaces after it. */
const lineEnd = /\\{0,8}(?:\r?\n|(?<=\\)(?:r\\{1,8})?n)[ \t]*/g
/** The same with the sign that quotes, lists, diffs and comments put at the start of a line. */
const lineStart = /\\{0,8}(?:\r?\n|(?<=\\)(?:r\\{1,8})?n)[ \t]*(?:[>|#*+-][ \t]*)?/g

/** What writers of hexadecimal put between two bytes. */
const byteBreak = /[ :,-]|0x/gi

type Span = [start: number, end: number]

/** A text that was made of another one, and where in that one its parts come from. */
interface Decoded {
  text: string
  locate(span: Span): Span
}

type Replace = (...match: (string | undefined)[]) => string

/** Replaces what a pattern matches. Where everything comes from is worked out only if something is found. */
function decode(from: Decoded, pattern: RegExp, replace?: Replace): Decoded {
  const text = from.text.replace(pattern, (replace as (match: string) => string) ?? '')
  if (text === from.text) return from
  let trace: ((span: Span) => Span) | undefined
  return {
    text,
    locate(span) {
      trace ??= traceReplacements(from.text, pattern, replace)
      return from.locate(trace(span))
    },
  }
}

/** Makes a function that tells which part of a text a span came from, before a pattern's matches were replaced. */
function traceReplacements(text: string, pattern: RegExp, replace: Replace = () => ''): (span: Span) => Span {
  /** Of each replacement: where it starts and ends in the new text, and in the old one. */
  const cuts: number[] = []
  let [length, last] = [0, 0]
  for (const match of text.matchAll(pattern)) {
    const start = length + match.index - last
    length = start + replace(...match).length
    last = match.index + match[0].length
    cuts.push(start, length, match.index, last)
  }
  const cut = (at: number, part: number) => cuts[4 * at + part] ?? 0
  const sourceOf = (index: number): Span => {
    // The first replacement that ends after the character may hold it.
    let [low, high] = [0, cuts.length / 4]
    while (low < high) {
      const middle = (low + high) >> 1
      if (cut(middle, 1) > index) high = middle
      else low = middle + 1
    }
    if (low < cuts.length / 4 && index >= cut(low, 0)) return [cut(low, 2), cut(low, 3)]
    const at = low === 0 ? index : cut(low - 1, 3) + index - cut(low - 1, 1)
    return [at, at + 1]
  }
  return ([start, end]) => [sourceOf(start)[0], sourceOf(end - 1)[1]]
}

/** Every line break and every escape contains one of these. Most texts do not, and need no decoding. */
const needsDecoding = /[\\%&\n]/

/** Undoes line breaks and escapes, also of escapes. */
function plain(text: string, lineBreak: RegExp): Decoded {
  let decoded: Decoded = { text, locate: (span) => span }
  if (!needsDecoding.test(text)) return decoded
  for (let round = 0; round < rounds; round++) {
    const before = decoded
    decoded = decode(decode(before, lineBreak), encoded, decodeCharacter)
    if (decoded === before) break
  }
  return decoded
}

const decodeCharacter: Replace = (_, url, decimal, hex, name = '', escaped) => {
  if (decimal !== undefined) return String.fromCharCode(Number(decimal))
  const code = url ?? hex ?? escaped
  return code === undefined
    ? (entities[name.toLowerCase()] ?? '')
    : String.fromCharCode(Number.parseInt(code, 16))
}

/** The forms of a secret that are looked for, each with what makes a text comparable. */
function formsOf(secret: string, lineBreak: RegExp) {
  const bytes = unescape(encodeURIComponent(secret.toWellFormed()))
  return {
    plain: [secret, reversed(secret)]
      .map((form) => plain(form, lineBreak).text)
      .filter((form) => form.length >= leastDecoded),
    base64: base64Cores(bytes).map(withoutUrlSigns),
    hex: [[...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')],
  }
}

function reversed(text: string): string {
  return [...text].toReversed().join('')
}

/** The parts of a text's base64 that do not depend on what is before and after it, for its three alignments. */
function base64Cores(bytes: string): string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Math.floor((shift + bytes.length) / 3) * 4
    return btoa(`${'\0'.repeat(shift)}${bytes}`).slice(shift === 0 ? 0 : 4, whole)
  })
}

/** Base64 for URLs has other signs. */
function withoutUrlSigns(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/')
}

/** Secrets, and the forms to search a text for: one set for each way in which its lines may be broken. */
interface Search {
  secrets: readonly string[]
  forms: { lineBreak: RegExp; plain: string[]; base64: string[]; hex: string[] }[]
}

function prepareSearch(secrets: readonly string[]): Search {
  const longEnough = secrets.filter((secret) => secret.length >= leastLength)
  const forms = [lineEnd, lineStart].map((lineBreak) => {
    const each = longEnough.map((secret) => formsOf(secret, lineBreak))
    return {
      lineBreak,
      plain: each.flatMap(({ plain }) => plain),
      base64: each.flatMap(({ base64 }) => base64),
      hex: each.flatMap(({ hex }) => hex),
    }
  })
  return { secrets: longEnough, forms }
}

/** Where a text holds secrets, in any form. */
function* findSecrets(text: string, { secrets, forms }: Search): Generator<Span> {
  for (const secret of secrets)
    yield* occurrences({ text, locate: (span) => span }, [secret, reversed(secret)])
  let before: string | undefined
  for (const { lineBreak, plain: plainForms, base64, hex: hexForms } of forms) {
    const decoded = plain(text, lineBreak)
    yield* occurrences(decoded, plainForms)
    // If both ways of breaking lines decode to the same text, it was searched for these forms already.
    if (decoded.text === before) continue
    before = decoded.text
    yield* occurrences({ ...decoded, text: withoutUrlSigns(decoded.text) }, base64)
    const hex = decode(decoded, byteBreak)
    yield* occurrences({ ...hex, text: hex.text.toLowerCase() }, hexForms)
  }
}

function* occurrences({ text, locate }: Decoded, forms: readonly string[]): Generator<Span> {
  for (const form of forms)
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
      yield locate([at, at + form.length])
}

/** A function that removes the given secrets from any text. Secrets under eight characters are not looked for. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const search = prepareSearch(secrets)
  if (search.secrets.length === 0) return (text) => text
  return (text) => {
    const spans = [...findSecrets(text, search)].sort((one, other) => one[0] - other[0] || other[1] - one[1])
    let [redacted, last] = ['', 0]
    for (const [start, end] of spans) {
      // A secret within another one, or found in another form as well, goes with it.
      if (start >= last) redacted += text.slice(last, start) + replacement
      last = Math.max(last, end)
    }
    return redacted + text.slice(last)
  }
}

/** Whether a text holds one of the secrets, in any form that a redactor removes. */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  return findSecrets(text, prepareSearch(secrets)).next().done !== true
}
