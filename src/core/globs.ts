/** Lists of globs, as inputs such as `context-paths` and `allowed-paths` give them. */

/** Whether a glob matches a path. */
export type MatchesGlob = (path: string, glob: string) => boolean

/** Whether a list of globs selects a path. A glob with `!` excludes; without any other glob, every path is selected. */
export function isSelected(path: string, globs: readonly string[], matches: MatchesGlob): boolean {
  const isMatched = (list: readonly string[]) => list.some((glob) => matches(path, glob))
  const excluded = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  const included = globs.filter((glob) => !glob.startsWith('!'))
  return (included.length === 0 || isMatched(included)) && !isMatched(excluded)
}
