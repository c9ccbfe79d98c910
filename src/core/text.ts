/** Outside text is hostile. These functions make it harmless. */

/**
 * Control (except tabs and line feeds), format (bidi marks, zero-width characters, tags), private-use, lone-surrogate
 * and unassigned code points, and line and paragraph separators.
 */
const hiddenClasses = String.raw`(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]`
/**
 * Letters, marks and symbols without a visible glyph: fillers, variation selectors, the empty Braille cell and the null
 * notehead.
 */
const hiddenSigns = String.raw`(?!\u{FE0F})\p{Default_Ignorable_Code_Point}|[\u{2800}\u{1D159}]`
/** U+FE0F is part of many emoji, and of keys such as 1️⃣. Anywhere else, it counts as hidden. */
const loneSelector = String.raw`(?<!\p{Extended_Pictographic})\u{FE0F}(?!\u{20E3})`
/** A character that is invisible, or that changes how text is displayed, for a regular expression with the flag `u`. */
export const hidden = `(?:${hiddenClasses}|${hiddenSigns}|${loneSelector})`
const hiddenCharacter = new RegExp(hidden, 'gu')

/**
 * Replaces characters that are invisible, or that change how text is displayed, with escapes such as `\u{202E}`. Tabs
 * and line feeds stay. A carriage return before a line feed is removed.
 */
export function showHidden(text: string) {
  return replaceHidden(text, (character) => {
    const codePoint = character.codePointAt(0) ?? 0
    return `\\u{${codePoint.toString(16).toUpperCase()}}`
  })
}

/** Removes the characters that `showHidden` makes visible, for prose that is sent to the agent. */
export function stripHidden(text: string) {
  return replaceHidden(text, () => '')
}

function replaceHidden(text: string, by: (character: string) => string) {
  return text.replace(/\r\n/g, '\n').replace(hiddenCharacter, by)
}

/**
 * Makes text safe to print: the runner parses `::command::` at the start of a line, and `##[command]` anywhere in one
 * (actions/runner, ActionCommand.cs).
 */
export function withoutCommands(text: string) {
  return showHidden(text)
    .replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ')
    .replace(/##(?=\[)/g, '## ')
}

/** Text on one line of at most `limit` characters, for a message or a table. */
export function oneLine(text: string, limit = 300) {
  // Outside text can have megabytes.
  const start = showHidden(text.slice(0, 100 * limit))
  return cut(start.replace(/\s+/g, ' ').trim(), limit)
}

/** Outside text for a sentence: on one line, and without backticks, which mark code in sentences. */
export function quote(text: string, limit?: number) {
  return oneLine(text, limit).replaceAll('`', "'")
}

/** A sentence in which each value is text from outside, between backticks or not. */
export function sentence(parts: TemplateStringsArray, ...values: (string | number)[]) {
  return String.raw({ raw: parts }, ...values.map((value) => quote(String(value))))
}

/** Puts a value in place of each word in capitals that has one. */
export function fill(template: string, values: Readonly<Record<string, string>>) {
  return template.replace(/\b[A-Z]+\b/g, (word) => values[word] ?? word)
}

/** Text of at most `limit` characters, with an ellipsis if it was cut. Never cuts within a character. */
export function cut(text: string, limit: number) {
  if (text.length <= limit) return text
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A code fence that its content cannot close: longer than any run of backticks in it (CommonMark, 4.5). */
export function fenced(content: string, info = '') {
  let fence = '```'
  for (const [run] of content.matchAll(/`+/g)) if (run.length >= fence.length) fence = `${run}\``
  return `${fence}${info}\n${content.replace(/\n$/, '')}\n${fence}`
}

/** A text, or nothing. */
export type Optional = string | false | null | undefined

/** Joins texts. Skips missing and empty ones. */
export function joinTexts(texts: readonly Optional[], separator: string) {
  return texts.filter(Boolean).join(separator)
}

/** Joins texts as paragraphs. Skips missing and empty ones; null if none is left. */
export function paragraphs(texts: readonly Optional[]) {
  return joinTexts(texts, '\n\n') || null
}

/** The first items of a list, and how many more there are. @param total differs if the list has only some of them */
export function firstOf(items: readonly string[], limit: number, total = items.length) {
  const first = items.slice(0, limit)
  const more = Math.max(total, items.length) - first.length
  if (more === 0) return first
  return [...first, `and ${more} more`]
}

/** Whether two names of accounts, repositories, labels or commands are the same: GitHub ignores case. `one` may be unknown. */
export function isSameName(one: string | null | undefined, other: string) {
  return one?.toLowerCase() === other.toLowerCase()
}

/** Words as a list in a sentence: `a, b or c`. */
export function listed(words: readonly string[], conjunction = 'or') {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`
}

/** JSON as a value; undefined if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * One segment of a request's path, as the id of a project or job must be. `.` and `..` would lead elsewhere, and GitHub
 * would evaluate braces in a workflow.
 */
export const pathSegment = /^(?!\.{1,2}$)[^\s/\\{}\p{C}]{1,200}$/u
