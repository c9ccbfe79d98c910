/** What a step prints. */

/** An entry in the log. The runner adapter makes its text safe to print. */
export type LogEntry = {
  text: string
  /** Why, if entries with this cause need only one annotation. */
  cause?: string
} & (
  | { level: 'info' }
  /** A `group` is folded in the log. The others are also shown on the run's page: at most ten of each level for a step. */
  | { level: 'group' | 'notice' | 'warning' | 'error'; title: string }
)

/** Makes a log in which each cause has one annotation: later warnings about it are plain lines. */
export function annotateOnce(print: (entry: LogEntry) => void) {
  const causes = new Set<string>()
  return (...entries: readonly LogEntry[]) => {
    for (const entry of entries) {
      const { level, text, cause = '' } = entry
      const isRepeated = level === 'warning' && causes.has(cause)
      if (cause !== '') causes.add(cause)
      print(isRepeated ? { level: 'info', text } : entry)
    }
  }
}
