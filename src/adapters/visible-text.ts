/** Reads hostile Markdown in bounded time. */
import { runInNewContext } from 'node:vm'
import { visibleText } from '../core/prompt/visible.ts'

/** Milliseconds. The longest comment that people write takes a tenth. */
const readTimeout = 5_000

/**
 * The text that GitHub shows; null if it cannot be read in time. Made for that, a text can take a parser minutes or
 * overflow its stack. node:vm is the only way to interrupt a synchronous function.
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
