/** The line-by-line difference between two texts, as git shows it. */

/** Number of unchanged lines shown around a change: git's default. */
const context = 3

interface LineDiff {
  additions: number
  deletions: number
  /** The hunk, without a line break after its last line; empty if nothing differs. */
  patch: string
}

/** The difference as one hunk, from the first to the last line that differs. git would use several hunks for distant changes. */
export function lineDiff(before: string, after: string): LineDiff {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  const shorter = Math.min(old.length, now.length) - start
  while (end < shorter && old.at(-1 - end) === now.at(-1 - end)) end++
  const removed = old.slice(start, old.length - end)
  const added = now.slice(start, now.length - end)
  if (removed.length + added.length === 0) return { additions: 0, deletions: 0, patch: '' }
  const above = old.slice(Math.max(0, start - context), start)
  const below = old.slice(old.length - end).slice(0, context)
  const from = start - above.length
  const size = above.length + below.length
  const head = `@@ -${range(from, size + removed.length)} +${range(from, size + added.length)} @@`
  const lines = [
    ...above.map((text) => printed(' ', text)),
    ...removed.map((text) => printed('-', text)),
    ...added.map((text) => printed('+', text)),
    ...below.map((text) => printed(' ', text)),
  ]
  return { additions: added.length, deletions: removed.length, patch: [head, ...lines].join('\n') }
}

/** Lines with their line breaks, so that a last line without one differs from the same line with one. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** git's notation for a range of lines: a count of 1 is omitted, and an empty range has the number of the line before it. */
function range(before: number, count: number): string {
  if (count === 0) return `${before},0`
  return count === 1 ? `${before + 1}` : `${before + 1},${count}`
}

function printed(sign: ' ' | '-' | '+', text: string): string {
  if (text.endsWith('\n')) return `${sign}${text.slice(0, -1)}`
  return `${sign}${text}\n\\ No newline at end of file`
}
