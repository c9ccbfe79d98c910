/** Runs the committed bundle as the runner does: to its end, or until something happens. */
import { runStep, type StepResult, startStep } from '../../sandbox/runner/step.ts'
import { worldsOf } from '../steps/world.ts'

const told = (result: StepResult) => ({
  ...result,
  /** Titles and texts of all log entries. */
  text: result.log.map(({ title = '', text }) => `${title} ${text}`).join('\n'),
})

export const bundle = worldsOf(async (options) => told(await runStep(options)))

/** The same, for steps that are cancelled or killed: by `stop`, or at the first line of the log that begins like this. */
export function stoppable(how: 'cancel' | 'kill', line?: string) {
  let step: ReturnType<typeof startStep> | undefined
  const stop = () => (how === 'cancel' ? step?.cancel() : step?.kill('SIGKILL'))
  const worlds = worldsOf(async (options) => {
    step = startStep({ ...options, onLine: ({ text }) => void (line && text.startsWith(line) && stop()) })
    return told(await step.done)
  })
  return { ...worlds, stop }
}
