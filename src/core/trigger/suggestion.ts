/** Commands about one suggestion of a visitors report. They are read here so that other comments do not load the code for reports. */

/** Reads `fix s-1f3a9c` or `dismiss s-1f3a9c` after the command word; null for anything else. */
export function readSuggestionCommand(instruction: string): { act: 'fix' | 'dismiss'; key: string } | null {
  const [, act = '', key = ''] = /^\s*(fix|dismiss)\s+(s-[\da-f]{6,16})\s*$/i.exec(instruction) ?? []
  if (key === '') return null
  return { act: act.toLowerCase() === 'fix' ? 'fix' : 'dismiss', key: key.toLowerCase() }
}
