/**
 * Globs of paths: `*`, `?`, `[set]`, `{one,other}` and `**`.
 *
 * A glob becomes a regular expression. On two levels, it is a list of parts with stars between them: in a name, a star
 * stands for any characters; in a path, `**` stands for any folders. A part between two stars matches only where it
 * first occurs, because the second star matches whatever follows. Only the part after the last star is tried in several
 * places. So neither a hostile path nor many stars take exponential time. Braces do: each multiplies the regular expressions,
 * but only the workflow's author writes globs.
 */

/** Maximum length of a path, in characters. Longer paths match no glob and are not selected. */
const maxPathLength = 1_024

/**
 * Whether a list of globs selects a path. Globs with `!` exclude paths, even if a name begins with a dot. If there are
 * no other globs, every path that is not excluded is selected.
 */
export function isSelected(path: string, globs: readonly string[]) {
  if (path.length > maxPathLength) return false
  const excludes = (glob: string) => glob.startsWith('!') && matchesGlob(path, glob.slice(1), true)
  if (globs.some(excludes)) return false
  const inclusions = globs.filter((glob) => !glob.startsWith('!'))
  return inclusions.length === 0 || inclusions.some((glob) => matchesGlob(path, glob))
}

const cache = new Map<string, RegExp[]>()

/**
 * Matches like node's `path.posix.matchesGlob`, which takes minutes for some globs and never excludes dot files.
 * @param dot whether stars also match names that begin with a dot
 */
export function matchesGlob(path: string, glob: string, dot = false) {
  const key = `${dot} ${glob}`
  const patterns = cache.get(key) ?? expand(glob).map((each) => compileGlob(each.split(/[\\/]+/), dot))
  cache.set(key, patterns)
  return patterns.some((pattern) => pattern.test(`${path}/`))
}

/** One glob without braces for each combination of alternatives. */
function expand(glob: string): string[] {
  const [, before, list = '', after] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/su.exec(glob) ?? []
  if (before === undefined) return [glob]
  return list.split(',').flatMap((alternative) => expand(before + alternative + after))
}

/** Stands for a star in a source. Other signs of this kind begin a set or are escaped, so none follows another. */
export const star = '^^'

/** Compiles a glob that was split at its slashes, to match a path with a slash at its end. */
function compileGlob(names: readonly string[], dot: boolean) {
  const folder = dot ? '[^/]*/' : '(?!\\.)[^/]*/'
  const sources = names.map((name, at) => (name === '**' ? star : sourceOfName(name, dot, `name${at}`)))
  // At the end, `**` stands for at least one name.
  if (names.at(-1) === '**') sources.push(folder)
  try {
    return new RegExp(`^${fillStars(sources.join(''), folder, 'path')}/?$`, 'su')
  } catch {
    // A range such as `[z-a]` matches nothing.
    return /(?!)/
  }
}

/** The source for a name and the slash after it. @param id begins the names of its groups */
function sourceOfName(name: string, dot: boolean, id: string) {
  const signs = name.match(/\*+|\[[!^]?[^\]]+\]|[\s\S]/gu) ?? []
  const source = `${fillStars(signs.map(sourceOfSign).join(''), '[^/]', id)}/`
  if (!/^(?:[*?]|\[[!^].)/su.test(signs[0] ?? '')) return source
  // It starts with a wildcard, so the name must not be empty or, without `dot`, begin with a dot.
  const firstCharacter = dot ? '[^/]' : '[^/.]'
  return `(?=${firstCharacter})${source}`
}

/** The source for a character, `?`, a set or a star in a name. */
function sourceOfSign(sign: string) {
  if (sign.startsWith('*')) return star
  if (sign === '?') return '[^/]'
  const [, not, members = ''] = /^\[([!^]?)(.+)\]$/su.exec(sign) ?? []
  if (not === undefined) return sign.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  return `(?!/)[${not && '^'}${members.replace(/[\\[\]^]/g, '\\$&')}]`
}

/**
 * Replaces the stars in a source with any number of fillers. JavaScript has no atomic groups, so for a part between two
 * stars, a lookahead finds the first place, and a reference to its group skips to the part's end.
 * @param id begins the names of the groups
 */
export function fillStars(source: string, filler: string, id: string) {
  const [start = '', ...others] = source.split(star)
  const end = others.pop()
  if (end === undefined) return start
  const once = (part: string, at: number) => `(?=(?<${id}_${at}>(?:${filler})*?${part}))\\k<${id}_${at}>`
  return `${start}${others.map(once).join('')}(?:${filler})*${end}`
}
