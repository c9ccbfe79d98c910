/** Ends a dry run in any mode: checks the key, shows the checks, and fails the step if one failed. */
import type { Problem } from '../core/problem.ts'
import { withoutJob } from '../life/live.ts'
import { describeDryRun } from '../say/dry-run.ts'
import { outputNames } from '../say/outputs.ts'
import { checkAccess } from '../usecases/dry-run.ts'
import type { PlatformPorts } from '../usecases/ports.ts'
import { type StepContext, stateKeys } from './context.ts'
import { finish } from './finish.ts'

/** What a run did with ports that do not write. */
export interface DryRunEnd {
  /** Why a real run would fail; null if it would not. */
  problem: Problem | null
  /** Markdown for the summary: what the step read. */
  details: readonly string[]
}

/** Finishes a dry run. Its only output is the outcome. */
export async function finishDryRun(
  { problem, details }: DryRunEnd,
  ports: PlatformPorts,
  step: StepContext,
): Promise<void> {
  const { runner, jobRef, cancelled } = step
  const access = await checkAccess(jobRef.projectId, ports)
  if (cancelled.aborted) return finish(step, withoutJob('cancelled', null))
  const { entry, summary } = describeDryRun({ access, run: problem }, jobRef, details)
  for (const name of outputNames) runner.output(name, name === 'outcome' ? 'dry-run' : '')
  runner.log(entry)
  await runner.summary(summary)
  runner.save(stateKeys.finished, 'true')
  if (access !== null || problem !== null) runner.fail()
}
