/** The end of a step: its result for later steps and for people. */
import type { LogEntry } from '../core/log.ts'
import { type AgentResult, agentResult, failsStep, type Outcome } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { dayMs, toDay } from '../core/units.ts'
import { agentEnding, dryRunEnding } from '../say/ending.ts'
import { type Outputs, outputsOf } from '../say/outputs.ts'
import type { StepContext } from './context.ts'
import type { StepPorts } from './ports.ts'

/** The end of a step in any mode. */
interface StepEnd {
  outputs: Outputs
  entries: readonly LogEntry[]
  /** Markdown. */
  summary: string
  isFailed: boolean
}

/** Writes the outputs, the last lines of the log, and the summary, and sets the exit code. */
export async function writeEnd(
  { runner }: StepContext,
  { outputs, entries, summary, isFailed }: StepEnd,
): Promise<void> {
  runner.output(outputs)
  for (const entry of entries) runner.log(entry)
  await runner.summary(summary)
  runner.save('finished', 'true')
  if (isFailed) runner.fail()
}

/** Finishes a step in mode agent, or one that stops early. */
export async function finish(
  step: StepContext,
  result: AgentResult,
  failOn: ReadonlySet<Outcome> = new Set(),
): Promise<void> {
  const jobRef = { ...step.jobRef, jobId: result.jobId }
  await writeEnd(step, {
    outputs: outputsOf(result),
    ...agentEnding(result, jobRef, failOn),
    isFailed: failsStep(result.outcome, failOn),
  })
}

/** Runs work after the result is written. If it throws, logs a warning, because the result must not be lost. */
export async function bestEffort({ runner }: StepContext, act: () => Promise<void>): Promise<void> {
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
 * @param details Markdown for the summary: what the step read
 */
export async function finishDryRun(
  { problem, details }: { problem: Problem | null; details: readonly string[] },
  ports: StepPorts,
): Promise<void> {
  const { projectId } = ports.jobRef
  const access = await checkAccess(ports)
  if (ports.cancelled.aborted) return finish(ports, agentResult('cancelled', null))
  const { entry, summary } = dryRunEnding(access, problem, projectId, details)
  const outputs = { ...outputsOf(agentResult('skipped', null)), outcome: 'dry-run' }
  const isFailed = access !== null || problem !== null
  await writeEnd(ports, { outputs, entries: [entry], summary, isFailed })
}

/**
 * Reads one row of the last complete day. Returns why the key or project cannot be used; null if they can. The request
 * does not name a job: with a job, a 404 would not show whether the job, the project or the key is wrong.
 */
async function checkAccess({ clock, mintlify }: StepPorts): Promise<Problem | null> {
  const today = clock.date()
  const read = await mintlify.checkAccess({ from: toDay(today - dayMs), to: toDay(today) })
  return read.ok ? null : read.failure
}
