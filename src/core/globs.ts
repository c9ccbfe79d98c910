/** Globs of paths: `*`, `?`, `[set]`, `{one,other}` and `**`. Matching never takes exponential time, even for hostile globs. */

/** Maximum length of a path, in characters. Longer paths match no glob and are not selected. */
const maxPathLength = 1_024

/**
 * Whether a list of globs selects a path. Globs with `!` exclude paths, even if a name begins with a dot. If there are
 * no other globs, every path that is not excluded is selected.
 */
export function isSelected(path: string, globs: readonly string[]): boolean {
  const included = globs.filter((glob) => !glob.startsWith('!'))
  return (
    path.length <= maxPathLength &&
    (included.length === 0 || included.some((glob) => matchesGlob(path, glob))) &&
    !globs.some((glob) => glob.startsWith('!') && matchesGlob(path, glob.slice(1), true))
  )
}

const compiled = new Map<string, RegExp[]>()

/**
 * Matches like node's `path.posix.matchesGlob`, which takes minutes for some globs and never excludes dot files.
 * @param dot whether stars also match names that begin with a dot
 */
export function matchesGlob(path: string, glob: string, dot = false): boolean {
  const key = `${dot} ${glob}`
  const patterns = compiled.get(key) ?? expand(glob).map((each) => compileGlob(each.split(/[\\/]+/), dot))
  compiled.set(key, patterns)
  return patterns.some((pattern) => pattern.test(`${path}/`))
}

/** One glob without braces for each combination of alternatives. `core/inputs` limits how many there are. */
function expand(glob: string): string[] {
  const [, before, list = '', after] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/su.exec(glob) ?? []
  if (before === undefined) return [glob]
  return list.split(',').flatMap((alternative) => expand(before + alternative + after))
}

/** Compiles a glob that was split at its slashes, to match a path with a slash at its end. */
export function compileGlob(names: readonly string[], dot: boolean): RegExp {
  let count = 0
  // Text between two stars matches at its first occurrence only, because the second star can match whatever is left.
  // Only the text after the last star is tried in several places, so matching stays fast.
  const join = ([start = '', ...others]: string[], filler: string) => {
    const end = others.pop()
    if (end === undefined) return start
    const once = (text: string) => `(?=(?<at${++count}>(?:${filler})*?${text}))\\k<at${count}>`
    return `${start}${others.map(once).join('')}(?:${filler})*${end}`
  }
  const nameOf = (name: string) => {
    const signs = name.match(/\*+|\[[!^]?[^\]]+\]|[\s\S]/gu) ?? []
    const texts = ['']
    for (const sign of signs) texts.push(sign.startsWith('*') ? '' : texts.pop() + sourceOf(sign))
    const isAny = /^(?:[*?]|\[[!^].)/su.test(signs[0] ?? '')
    return `${isAny ? `(?=[^/${dot ? '' : '.'}])` : ''}${join(texts, '[^/]')}/`
  }
  const runs = ['']
  for (const name of names) runs.push(name === '**' ? '' : runs.pop() + nameOf(name))
  const folder = `${dot ? '' : '(?!\\.)'}[^/]*/`
  // At the end, `**` stands for at least one name.
  if (names.at(-1) === '**') runs.push(runs.pop() + folder)
  try {
    return new RegExp(`^${join(runs, folder)}/?$`, 'su')
  } catch {
    // A range such as `[z-a]` matches nothing.
    return /(?!)/
  }
}

/** The regular expression for one character, `?` or set in a name; stars are handled elsewhere. */
function sourceOf(sign: string): string {
  const [, not, members = ''] = /^\[([!^]?)(.+)\]$/su.exec(sign) ?? []
  if (not !== undefined) return `(?!/)[${not && '^'}${members.replace(/[\\[\]^]/g, '\\$&')}]`
  return sign === '?' ? '[^/]' : sign.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
}
