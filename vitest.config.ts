import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts with the longest files, every second one of the bundle: while some wait for a real deadline, others use the time. */
class Alternating extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isWaiting = ({ moduleId }: TestSpecification) => moduleId.includes('/test/bundle/')
    const busy = sorted.filter((file) => !isWaiting(file))
    const pairs = sorted.filter(isWaiting).flatMap((file) => [file, ...busy.splice(0, 1)])
    return [...pairs, ...busy]
  }
}

// Loads the production builds of libraries, as the action does. Development builds are slower.
process.env.NODE_ENV = 'production'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './test/reporter.ts'],
    sequence: { sequencer: Alternating },
    // More than cores: tests of the bundle and in a browser mostly wait for the processes they started.
    maxWorkers: availableParallelism() + 1,
    // Tests of the bundle poll a real server, and wait for the next read most of the time.
    maxConcurrency: 8,
    // The longest of them wait for a deadline of their own.
    testTimeout: 60_000,
    // A browser starts slowly on a busy machine.
    hookTimeout: 60_000,
    // Test files keep no state, so the files that one worker runs share their modules.
    isolate: false,
  },
})
