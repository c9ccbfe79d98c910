/** How much memory the process uses before it collects garbage. */
import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap's new space at its initial size. For a large site, V8 would enlarge it to more than half of the process's
 * memory (`npm run bench`), which suits servers and not a step of a few seconds. V8 reads the flag whenever it would grow;
 * a version without the flag says so on stderr, and grows.
 */
export function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
