/** Commands about one suggestion of a visitors report. Read here, so that other comments load nothing of the report. */

export interface SuggestionCommand {
  act: 'fix' | 'dismiss'
  /** Such as `s-1f3a9c`. */
  key: string
}

/** Reads `fix s-1f3a9c` or `dismiss s-1f3a9c`, the text after the command word; null for anything else. */
export function readSuggestionCommand(instruction: string): SuggestionCommand | null {
  const [, act = '', key = ''] = /^\s*(fix|dismiss)\s+(s-[\da-f]{6,16})\s*$/i.exec(instruction) ?? []
  if (key === '') return null
  return { act: act.toLowerCase() === 'fix' ? 'fix' : 'dismiss', key: key.toLowerCase() }
}
