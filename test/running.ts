/** Tests that run side by side: which of them the code runs for, and what ends with it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { TestContext } from 'vitest'

/** The test that the code runs for; setup.ts sets it. */
export const running = new AsyncLocalStorage<TestContext>()

/** Like Vitest's own, which does not know which test called it while tests run side by side. */
export function onTestFinished(cleanUp: () => unknown): void {
  const finished = async () => void (await cleanUp())
  const test = running.getStore()
  if (test === undefined) throw new Error('onTestFinished was called outside a test')
  test.onTestFinished(finished)
}
