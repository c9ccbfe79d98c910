import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', './test/reporter.ts'],
    // One more than cores: tests of the bundle and in a browser mostly wait for the processes they started.
    maxWorkers: availableParallelism() + 1,
    // The bundle's runs poll a real server; the longest ones wait for a deadline of their own.
    testTimeout: 30_000,
    // Test files keep no state, so the files that one worker runs share their modules.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'bundle',
          include: ['test/bundle/*.test.ts'],
          setupFiles: ['test/bundle/setup.ts'],
          // Steps spend their time waiting for the next read, so they run side by side.
          sequence: { concurrent: true },
          maxConcurrency: 8,
        },
      },
      { extends: true, test: { name: 'others', include: ['test/!(bundle)/**/*.test.ts'] } },
    ],
  },
})
