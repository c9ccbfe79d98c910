/** The runner's command files (actions/runner, FileCommandManager.cs): `name=value` and `name<<DELIMITER` … */

/** The pairs of an output or state file. A torn entry ends the reading with an error; what stands before it counts. */
export function parseCommandFile(text: string): { values: Record<string, string>; error?: string } {
  const values: Record<string, string> = {}
  const lines = text.split(/\r\n|\n|\r/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const [, name = '', operator, rest = ''] = /^(.+?)(<<|=)(.*)$/s.exec(line) ?? []
    if (operator === undefined) return { values, error: `Invalid format '${line}'` }
    if (operator === '=') {
      values[name] = rest
      continue
    }
    const end = lines.indexOf(rest, at + 1)
    if (end < 0) return { values, error: `Matching delimiter not found '${rest}'` }
    values[name] = lines.slice(at + 1, end).join('\n')
    at = end
  }
  return { values }
}
