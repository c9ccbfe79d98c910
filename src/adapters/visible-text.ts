/** Reads hostile Markdown in limited time. */
import { runInNewContext } from 'node:vm'
import { visibleText } from '../core/prompt/visible.ts'

/** In milliseconds. The longest comments that people write take a tenth of this time. */
const readTimeout = 5_000

/**
 * The text that GitHub shows; null if it takes too long to read. A hostile text can occupy a parser for minutes or
 * overflow its stack, and only node:vm can interrupt a synchronous function.
 */
export function readVisible(markdown: string, timeout = readTimeout): string | null {
  const read = () => visibleText(markdown)
  try {
    return runInNewContext('read()', { read }, { timeout })
  } catch (error) {
    const isTimeout = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    if (isTimeout || error instanceof RangeError) return null
    throw error
  }
}
