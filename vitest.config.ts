import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests in a browser. */
const inBrowser = ['test/page/{report,build}.test.ts', 'test/render/report/drawn.test.ts']

/** A project of its own for each kind of test; `vitest run --project unit` runs one. */
export default defineConfig({
  test: {
    reporters: ['default', './test/reporter.ts'],
    // Three for two cores: tests of the bundle and in a browser mostly wait for the processes that they started.
    maxWorkers: availableParallelism() + 1,
    // The bundle's runs poll a real server; the longest ones wait for a deadline of their own.
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'bundle',
          include: ['test/bundle/*.test.ts'],
          setupFiles: ['test/bundle/setup.ts'],
          isolate: false,
          // Steps spend their time waiting for the next read, so they run side by side.
          sequence: { concurrent: true },
          maxConcurrency: 8,
        },
      },
      {
        extends: true,
        test: { name: 'page', include: inBrowser },
      },
      {
        extends: true,
        test: {
          name: 'adapters',
          include: ['test/{adapters,sandbox,steps}/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'render',
          include: ['test/{render,project}/**/*.test.ts', 'test/page/text.test.ts'],
          exclude: inBrowser,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/{core,usecases}/**/*.test.ts'],
          // Pure code keeps no state, so its files share one module graph.
          isolate: false,
        },
      },
    ],
  },
})
