/** What a step does once its result is written. */
import type { StepContext } from './context.ts'

/** What comes after the result stands: whatever goes wrong there, the result is not lost over it. */
export async function bestEffort(
  { runner }: Pick<StepContext, 'runner'>,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    const text = `The result stands; telling GitHub of it went wrong in a way that nobody expected: ${error}`
    runner.log({ level: 'warning', title: 'GitHub was not told', text })
  }
}
