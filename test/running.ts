/** For tests that run in parallel: finds the current test, and cleans up when it ends. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'

/** The current test; setup.ts sets it. */
export const running = new AsyncLocalStorage<TestContext>()

/** Like Vitest's `onTestFinished`, which does not know the calling test if tests run in parallel. */
export function onTestFinished(cleanUp: () => unknown): void {
  const finished = async () => void (await cleanUp())
  const test = running.getStore()
  if (test === undefined) throw new Error('onTestFinished was called outside a test')
  test.onTestFinished(finished)
}

/** Makes an empty folder, which is removed when the current test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
