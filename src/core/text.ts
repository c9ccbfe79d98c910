/** Outside text is hostile. These functions make it harmless. */

/** Controls, formats (bidi marks, zero-width characters, tags), private, lone and unassigned code points, separators. */
const hiddenClasses = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}`
/** Letters, marks and signs that show nothing: fillers, variation selectors, an empty Braille cell and an empty note. */
const hiddenSigns = String.raw`(?!\u{FE0F})\p{Default_Ignorable_Code_Point}|[\u{2800}\u{1D159}]`
/** U+FE0F is part of many emoji, and of keys such as 1️⃣. It is hidden anywhere else. */
const loneSelector = String.raw`(?<!\p{Extended_Pictographic})\u{FE0F}(?!\u{20E3})`
const hidden = new RegExp(`[${hiddenClasses}]|${hiddenSigns}|${loneSelector}`, 'gu')

/**
 * Shows characters that nobody sees, or that change what is seen, as `\u{202E}`. Tab and line feed stay. A carriage
 * return before a line feed goes.
 */
export function showHidden(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(hidden, (character) => {
    if (character === '\n' || character === '\t') return character
    return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`
  })
}

/** Removes what `showHidden` shows: for prose that is sent on. */
export function stripHidden(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(hidden, (character) => (/[\n\t]/.test(character) ? character : ''))
}

/**
 * Makes text that cannot command the runner, which parses `::command::` at the start of any printed line, and
 * `##[command]` anywhere in one (actions/runner, ActionCommand.cs).
 */
export function withoutCommands(text: string): string {
  return showHidden(text)
    .replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ')
    .replace(/##(?=\[)/g, '## ')
}

/** Text on one line, at most `limit` characters long, for a message or a table. */
export function oneLine(text: string, limit = 300): string {
  // Outside text can be very long: only as much of it is read as is shown.
  for (let length = 2 * limit; length < text.length; length *= 2) {
    const start = onOneLine(text.slice(0, length).replace(/[\uD800-\uDBFF\r]$/, ''))
    if (start.length > limit) return cut(start, limit)
  }
  return cut(onOneLine(text), limit)
}

function onOneLine(text: string): string {
  return showHidden(text).replace(/\s+/g, ' ').trim()
}

/** Text of at most `limit` characters, with an ellipsis if it was cut; never in the middle of a character. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A fence that its content cannot close: longer than the longest run of backticks inside (CommonMark, 4.5). */
export function fenced(content: string, info = ''): string {
  const longest = (content.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${info}\n${content.replace(/\n$/, '')}\n${fence}`
}
