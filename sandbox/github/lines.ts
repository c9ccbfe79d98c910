/** The line-by-line difference between two texts, as git shows it. */

/** Number of unchanged lines shown around a change: git's default. */
const context = 3
/** Maximum number of pairs of lines to compare for the shortest difference. Beyond it, everything counts as one change. */
const mostPairs = 4_000_000
/** git cuts a hunk's heading to this many characters. */
const longestHeading = 80

type Sign = ' ' | '-' | '+'

interface Line {
  sign: Sign
  text: string
}

interface LineDiff {
  additions: number
  deletions: number
  /** The hunks, without a line break after the last one; empty if nothing differs. */
  patch: string
  /** Number of bytes in the unchanged lines. */
  kept: number
}

export function lineDiff(before: string, after: string): LineDiff {
  const script = editScript(linesOf(before), linesOf(after))
  const withSign = (sign: Sign) => script.filter((line) => line.sign === sign)
  return {
    additions: withSign('+').length,
    deletions: withSign('-').length,
    patch: hunksOf(script).join('\n'),
    kept: withSign(' ').reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
  }
}

/** Lines with their line breaks, so that a last line without one differs from the same line with one. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function editScript(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const shorter = Math.min(before.length, after.length) - start
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end++
  const same = (lines: readonly string[]) => lines.map((text): Line => ({ sign: ' ', text }))
  return [
    ...same(before.slice(0, start)),
    ...middleScript(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ]
}

function middleScript(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > mostPairs) {
    return [...signed('-', before), ...signed('+', after)]
  }
  const width = after.length + 1
  // At (i, j): the longest common subsequence of the old lines from i on and the new lines from j on.
  const longest = new Uint32Array((before.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const isSame = before[i] === after[j]
      longest[i * width + j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const script: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      script.push(...signed(' ', before.slice(i, ++i)))
      j++
    } else if (at(i + 1, j) >= at(i, j + 1)) script.push(...signed('-', before.slice(i, ++i)))
    else script.push(...signed('+', after.slice(j, ++j)))
  }
  return [...script, ...signed('-', before.slice(i)), ...signed('+', after.slice(j))]
}

function signed(sign: Sign, lines: readonly string[]): Line[] {
  return lines.map((text) => ({ sign, text }))
}

function hunksOf(script: readonly Line[]): string[] {
  const hunks: string[] = []
  let [position, oldLines, newLines] = [0, 0, 0]
  const count = (to: number) => {
    const passed = script.slice(position, to)
    position = to
    const [inOld, inNew] = ['+', '-'].map((other) => passed.filter(({ sign }) => sign !== other).length)
    return { inOld: inOld ?? 0, inNew: inNew ?? 0, passed }
  }
  for (const { from, to } of rangesOf(script)) {
    const skipped = count(from)
    oldLines += skipped.inOld
    newLines += skipped.inNew
    const { inOld, inNew, passed } = count(to)
    const head = `@@ -${range(oldLines, inOld)} +${range(newLines, inNew)} @@${headingOf(script, from)}`
    hunks.push([head, ...passed.map(printed)].join('\n'))
    oldLines += inOld
    newLines += inNew
  }
  return hunks
}

/** The ranges to show: every change with its context. Adjacent ranges are merged. */
function rangesOf(script: readonly Line[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  for (const [index, { sign }] of script.entries()) {
    if (sign === ' ') continue
    const last = ranges.at(-1)
    const to = Math.min(script.length, index + 1 + context)
    if (last !== undefined && index - context <= last.to) last.to = to
    else ranges.push({ from: Math.max(0, index - context), to })
  }
  return ranges
}

/** git's notation for a range of lines: a count of 1 is omitted, and an empty range has the number of the line before it. */
function range(before: number, count: number): string {
  if (count === 0) return `${before},0`
  return count === 1 ? `${before + 1}` : `${before + 1},${count}`
}

/** The last line before a hunk that looks like a heading, chosen as git does without a driver for the language. */
function headingOf(script: readonly Line[], from: number): string {
  for (let index = from - 1; index >= 0; index--) {
    const { sign, text } = script[index] as Line
    if (sign !== '+' && /^[A-Za-z_$]/.test(text)) return ` ${text.trimEnd().slice(0, longestHeading)}`
  }
  return ''
}

function printed({ sign, text }: Line): string {
  if (text.endsWith('\n')) return `${sign}${text.slice(0, -1)}`
  return `${sign}${text}\n\\ No newline at end of file`
}
