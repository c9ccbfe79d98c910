import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs the tests of the bundle first. Some wait for a real deadline, and other tests can use that time. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isWaiting = ({ moduleId }: TestSpecification) => moduleId.includes('/test/bundle/')
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))]
  }
}

// Loads the production builds of libraries, as the action does. Development builds are slower.
process.env.NODE_ENV = 'production'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './test/reporter.ts'],
    sequence: { sequencer: WaitingFirst },
    // More than cores: tests of the bundle and in a browser mostly wait for the processes they started.
    maxWorkers: availableParallelism() + 2,
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
