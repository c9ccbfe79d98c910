/** The runner's log on a terminal. */
import { styleText } from 'node:util'
import type { LogLine } from './runner/step.ts'

const styles = { error: 'red', warning: 'yellow', notice: 'blue', group: 'bold' } as const
const labels = { error: 'Error', warning: 'Warning', notice: 'Notice' } as const

/**
 * A line as in GitHub's log, with colors if the stream supports them; undefined for the end of a group and for commands.
 * An annotation's title, which GitHub shows in the run's summary, precedes the text unless the text begins with it.
 */
export function showLine({ kind, text, title }: LogLine, stream: NodeJS.WriteStream): string | undefined {
  if (kind === 'endgroup' || kind === 'command') return undefined
  if (kind === 'text') return text
  const heading = title && !text.startsWith(title) ? `${title}. ` : ''
  const label = kind === 'group' ? '▼ ' : `${labels[kind]}: ${heading}`
  return styleText(styles[kind], `${label}${text}`, { stream })
}
