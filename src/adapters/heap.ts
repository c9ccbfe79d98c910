/** Limits how much memory the process uses before it collects garbage. */
import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap's new space at its initial size. For a large site, V8 would enlarge it to more than half of the
 * process's memory (`npm run bench`), which suits servers but not a step of a few seconds. V8 checks the flag each time
 * it might grow the space; a version without the flag prints a warning and grows the space.
 */
export function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
