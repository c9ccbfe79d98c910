/** The end of a step: its result for later steps and for people. */
import { type AgentResult, agentResult, failsStep, type Outcome } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { agentEnding, dryRunEnding } from '../say/ending.ts'
import { type Outputs, outputsOf, withEmpty } from '../say/outputs.ts'
import { placeOf } from '../say/problems.ts'
import type { StepContext } from './context.ts'
import type { StepPorts } from './ports.ts'

/** The end of a step in any mode. */
interface StepEnd extends ReturnType<typeof agentEnding> {
  /** What its place in TROUBLESHOOTING.md depends on. */
  cause: { outcome: Outcome; problem: Problem | null }
  outputs: Outputs
  isFailed: boolean
}

/** Writes the outputs, the last lines of the log, and the summary, and sets the exit code. */
export async function writeEnd({ runner, actionUrl }: StepContext, end: StepEnd) {
  const { cause, outputs, entries, summary, isFailed } = end
  const help = `\n${actionUrl}/TROUBLESHOOTING.md#${placeOf(cause.outcome, cause.problem)}`
  runner.output(outputs)
  for (const entry of entries) {
    if (entry.level === 'error') runner.log({ ...entry, text: entry.text + help })
    else runner.log(entry)
  }
  await runner.summary(isFailed ? `${summary}${help}\n` : summary)
  runner.save('finished', 'true')
  if (isFailed) runner.fail()
}

/** Finishes a step in mode agent, or one that stops early. */
export async function finishAgent(
  step: StepContext,
  result: AgentResult,
  failOn: ReadonlySet<Outcome> = new Set(),
) {
  await writeEnd(step, {
    cause: result,
    ...agentEnding(result, failOn),
    outputs: outputsOf(result, step.serverUrl),
    isFailed: failsStep(result.outcome, failOn),
  })
}

/** Runs work after the result is written. If it throws, logs a warning, because the result must not be lost. */
export async function bestEffort({ runner }: StepContext, act: () => Promise<void>) {
  try {
    await act()
  } catch (error) {
    const text = `The result is complete, but could not be reported to GitHub. This is a bug in the action: ${error}`
    runner.log({ level: 'warning', title: 'GitHub not updated', text })
  }
}

/**
 * Finishes a dry run in any mode. Its only output is the outcome.
 * @param problem why a real run would fail; null if it would not
 * @param names the permissions of a real run
 */
export async function finishDryRun(problem: Problem | null, names: readonly string[], ports: StepPorts) {
  const reply = await ports.mintlify.checkAccess()
  if (ports.cancelled.aborted) return finishAgent(ports, agentResult('cancelled', null))
  const accessProblem = reply.ok ? null : reply.failure
  await writeEnd(ports, {
    cause: { outcome: 'error', problem: accessProblem ?? problem },
    ...dryRunEnding(accessProblem, problem, { names, hasRead: ports.accepted.has('contents=read') }),
    outputs: withEmpty<never>({ outcome: 'dry-run' }),
    isFailed: accessProblem !== null || problem !== null,
  })
}
