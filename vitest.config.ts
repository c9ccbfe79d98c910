import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The bundle's runs poll a real server; the longest ones wait for a deadline of their own.
    testTimeout: 30_000,
  },
})
