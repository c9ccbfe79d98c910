/** Globs of paths: `*`, `?`, `[set]`, `{one,other}` and `**`. Matching never takes exponential time, even for hostile globs. */

/** Whether a glob matches a path. @param dot whether stars also match names that begin with a dot */
export type MatchesGlob = (path: string, glob: string, dot?: boolean) => boolean

/** One step in matching a name: any text, any character, a set of characters, or one character. */
type Step = '**' | '*' | RegExp | { is: string }

/** A compiled glob, name by name; null stands for any number of folders. */
export type Pattern = readonly (readonly Step[] | null)[]

/** Maximum length of a path, in characters. Longer paths match no glob and are not selected. */
const maxPathLength = 1_024

const anyName: readonly Step[] = ['**']
const never = /(?!)/

/**
 * Whether a list of globs selects a path. Globs with `!` exclude paths, even if a name begins with a dot. If there are
 * no other globs, every path that is not excluded is selected.
 */
export function isSelected(path: string, globs: readonly string[], matches: MatchesGlob): boolean {
  const excluded = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  const included = globs.filter((glob) => !glob.startsWith('!'))
  return (
    path.length <= maxPathLength &&
    (included.length === 0 || included.some((glob) => matches(path, glob))) &&
    !excluded.some((glob) => matches(path, glob, true))
  )
}

const compiled = new Map<string, Pattern[]>()

/** Matches like node's `path.posix.matchesGlob`, which takes minutes for some globs and never excludes dot files. */
export const matchesGlob: MatchesGlob = (path, glob, dot = false) => {
  if (path.length > maxPathLength) return false
  const patterns =
    compiled.get(glob) ?? expand(glob.replaceAll('\\', '/')).map((each) => compileNames(namesOf(each)))
  compiled.set(glob, patterns)
  return patterns.some((pattern) => matchesNames(namesOf(path), pattern, dot))
}

function namesOf(path: string): string[] {
  return path.replace(/\/+/g, '/').split('/')
}

/** One glob without braces for each combination of alternatives. `core/inputs` limits how many there are. */
function expand(glob: string, from = 0): string[] {
  const start = glob.indexOf('{', from)
  if (start === -1) return [glob]
  const commas: number[] = []
  let depth = 0
  for (let at = start; at < glob.length; at++) {
    if (glob[at] === '{') depth++
    else if (glob[at] === ',' && depth === 1) commas.push(at)
    else if (glob[at] === '}' && --depth === 0) {
      if (commas.length === 0) break
      const ends = [start, ...commas, at]
      return ends
        .slice(1)
        .flatMap((end, index) =>
          expand(glob.slice(0, start) + glob.slice((ends[index] ?? 0) + 1, end) + glob.slice(at + 1), start),
        )
    }
  }
  return expand(glob, start + 1)
}

/** Compiles a glob that was split at its slashes. */
export function compileNames(parts: readonly string[]): Pattern {
  const names = parts.map((part) => (part === '**' ? null : compileName(part)))
  // At the end, `**` stands for at least one name.
  return parts.at(-1) === '**' ? [...names, anyName] : names
}

function compileName(part: string): Step[] {
  return (part.match(/\*+|\[[!^]?[^\]]+\]|[\s\S]/gu) ?? []).map((sign): Step => {
    if (sign.startsWith('*')) return '**'
    if (sign === '?') return '*'
    const [, not, members = ''] = /^\[([!^]?)(.+)\]$/su.exec(sign) ?? []
    return not === undefined ? { is: sign } : setOf(not, members)
  })
}

function setOf(not: string, members: string): RegExp {
  try {
    return new RegExp(`^[${not && '^'}${members.replace(/[\\[\]^]/g, '\\$&')}]$`, 'su')
  } catch {
    return never
  }
}

/** Whether a compiled glob matches a path. Only the last `**` is tried again: it can match whatever an earlier one could. */
export function matchesNames(names: readonly string[], pattern: Pattern, dot: boolean): boolean {
  let [at, part] = [0, 0]
  let retry: { at: number; part: number } | undefined
  while (at < names.length) {
    const wanted = pattern[part]
    if (wanted === null) {
      part++
      retry = { at, part }
    } else if (wanted !== undefined && matchesName(names[at] ?? '', wanted, dot)) {
      at++
      part++
    } else if (wanted === undefined && names[at] === '' && at === names.length - 1) return at > 0
    else if (retry === undefined || (!dot && isDotName(names[retry.at]))) return false
    else {
      retry.at++
      ;({ at, part } = retry)
    }
  }
  return part === pattern.length
}

/** Whether a compiled name matches. Like `matchesNames`, it tries only the last star again. */
function matchesName(name: string, steps: readonly Step[], dot: boolean): boolean {
  if (name === '') return steps.length === 0 || steps === anyName
  if (!dot && isDotName(name) && !namesDot(steps[0])) return false
  const characters = [...name]
  let [at, step] = [0, 0]
  let retry: { at: number; step: number } | undefined
  while (at < characters.length) {
    const wanted = steps[step]
    if (wanted === '**') {
      step++
      retry = { at, step }
    } else if (wanted !== undefined && fits(characters[at] ?? '', wanted)) {
      at++
      step++
    } else if (retry === undefined) return false
    else {
      retry.at++
      ;({ at, step } = retry)
    }
  }
  return steps.slice(step).every((rest) => rest === '**')
}

function fits(character: string, wanted: Exclude<Step, '**'>): boolean {
  if (wanted === '*') return true
  return wanted instanceof RegExp ? wanted.test(character) : wanted.is === character
}

/** Whether a step matches a dot explicitly. */
function namesDot(step: Step | undefined): boolean {
  if (step instanceof RegExp) return !step.source.startsWith('^[^')
  return typeof step === 'object'
}

function isDotName(name = ''): boolean {
  return name.startsWith('.')
}
