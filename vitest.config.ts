import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts the longest files first. Alternates tests of the bundle, which mostly wait, with tests that use the idle cores. */
class Alternating extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isWaiting = ({ moduleId }: TestSpecification) => moduleId.includes('/test/bundle/')
    const busy = sorted.filter((file) => !isWaiting(file))
    const pairs = sorted.filter(isWaiting).flatMap((file) => [file, ...busy.splice(0, 1)])
    return [...pairs, ...busy]
  }
}

const named = (folder: string, names: string) =>
  names.split(' ').map((name) => `test/${folder}/${name}.test.ts`)
/** Tests of the mocks, and tests that start many processes, which wait for signals, deadlines, and each other. */
const waiting = [
  ...named('bundle', 'hostile ledger rejections rename resilience smoke visitors'),
  ...named('sandbox', 'emulate github runner serve'),
  ...named('project', 'release'),
]
/** Tables that the bundle can carry out, too, and searches of which `npm test` leaves out the largest. */
const more = [
  ...named('steps', 'accounts bounds decisions guesses whose-changes'),
  ...named('explorer', 'explorer'),
]
/** Tests that need a browser, or GitHub's own parser of workflows. */
const outside = [...named('visitors/render', 'drawn'), ...named('project', 'workflows')]
/** `npm run test:slow` and `npm run test:judges`, which CI runs after `npm test`. */
const isSlow = process.env.STEPS === 'bundle'
const isJudged = process.env.JUDGES === 'all'

// Loads the production builds of libraries, as the action does. Development builds are slower.
process.env.NODE_ENV = 'production'

export default defineConfig({
  test: {
    include: isSlow ? [...waiting, ...more] : ['test/**/*.test.ts'],
    exclude: isSlow || isJudged ? [] : [...waiting, ...outside],
    setupFiles: ['test/setup.ts'],
    sequence: { sequencer: Alternating },
    // More workers than cores, because tests of the bundle and in a browser mostly wait for processes that they started.
    maxWorkers: availableParallelism() + 1,
    // Tests of the bundle spend most of their time waiting for the next poll.
    maxConcurrency: 8,
    // Some tests of the bundle wait for a real deadline.
    testTimeout: 60_000,
    // A browser starts slowly on a busy machine.
    hookTimeout: 60_000,
    // Test files do not keep state, so all files in a worker can share modules.
    isolate: false,
  },
})
