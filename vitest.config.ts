import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Libraries as users get them: the builds for development check themselves all the time.
process.env.NODE_ENV = 'production'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './test/reporter.ts'],
    // One more than cores: tests of the bundle and in a browser mostly wait for the processes they started.
    maxWorkers: availableParallelism() + 1,
    // Of the tests of the bundle in one file, which poll a real server and wait for the next read most of the time.
    maxConcurrency: 8,
    // The longest ones wait for a deadline of their own.
    testTimeout: 30_000,
    // Test files keep no state, so the files that one worker runs share their modules.
    isolate: false,
  },
})
