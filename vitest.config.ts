import { defineConfig } from 'vitest/config'

/** A project of its own for each kind of test; `vitest run --project unit` runs one. */
export default defineConfig({
  test: {
    reporters: ['default', './test/reporter.ts'],
    // Two for two cores; a worker of the bundle's tests mostly waits for the steps it started.
    maxWorkers: '100%',
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
        test: { name: 'page', include: ['test/page/report.test.ts', 'test/page/build.test.ts'] },
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
          name: 'unit',
          include: ['test/{core,usecases,render,project}/**/*.test.ts', 'test/page/text.test.ts'],
          // Pure code keeps no state, so its files share one module graph.
          isolate: false,
        },
      },
    ],
  },
})
