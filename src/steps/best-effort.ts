/** Work after a step's result is written. */
import type { StepContext } from './context.ts'

/** Runs work after the result is written. If it throws, logs a warning, because the result must not be lost. */
export async function bestEffort(
  { runner }: Pick<StepContext, 'runner'>,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    const text = `The result is complete, but could not be reported to GitHub. This is a bug in the action: ${error}`
    runner.log({ level: 'warning', title: 'GitHub not updated', text })
  }
}
