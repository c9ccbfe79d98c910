/** How much memory the process takes before it looks for what it can free. */
import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap's nursery at its first size. What a large site's pages leave behind would make V8 enlarge it until it
 * is more than half of the process's memory (`npm run bench`): its growth suits servers, not a step of some seconds.
 * V8 reads the flag each time it would grow; a V8 that has dropped it says so on stderr, and grows.
 */
export function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
