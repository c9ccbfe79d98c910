/** The end of a run: shows its result, and reports it. */
import type { AgentResult } from '../core/outcome.ts'
import { isTemporary } from '../core/reply.ts'
import { isSend } from '../mintlify/calls.ts'
import { next, stateAfter } from '../record/next.ts'
import { lookAt } from '../record/place.ts'
import { checkChanges } from './check-changes.ts'
import { actorOf, type Run, type RunPorts, save } from './plan.ts'
import { writeOnPulls } from './pull.ts'

/** Finishes the step, and reports a result on GitHub. Returns it with the changes of the agent's pull request. */
export async function finish(run: Run, result: AgentResult, ports: RunPorts): Promise<AgentResult> {
  const { hooks, clock } = ports
  if (result.problem?.kind === 'reported') return finishStep(result, ports)
  const draft = { ...afterCancel(result, ports), elapsed: clock.now() - run.start }
  hooks.output(draft)
  const final = await checkChanges(draft, run.inputs, ports, run.head)
  await hooks.finish(final)
  await hooks.lastly(() => report(run, final, ports))
  return final
}

/** Finishes a step that has nothing to report. */
export async function finishStep(result: AgentResult, ports: RunPorts): Promise<AgentResult> {
  const final = afterCancel(result, ports)
  await ports.hooks.finish(final)
  return final
}

/**
 * After a cancel, a result without a job is `cancelled`. An error was caused by the cancel, not by GitHub. A failed send
 * remains: its job perhaps does not exist, or perhaps the request arrived.
 */
function afterCancel(result: AgentResult, { cancelled }: RunPorts): AgentResult {
  const { delivery, problem } = result
  if (!cancelled.aborted || delivery === 'sent') return result
  const isFailedSend = problem?.kind === 'call-failed' && isSend(problem.call)
  return { ...result, outcome: 'cancelled', problem: isFailedSend ? problem : null }
}

/** Reports a result, unless another run has, or states that this run has left the job. */
async function report(run: Run, result: AgentResult, ports: RunPorts) {
  const { place, progress, openedAt, statement } = run
  // If this run has not read the entries, its result might contradict another run's.
  if (progress === null && !actorOf(run).isFirst) return
  const hasRecord = place.kind === 'thread' || openedAt !== null || progress?.top
  if (result.outcome === 'skipped' && !hasRecord) return
  const reporter = { ...run, statement: { ...statement, ...stateAfter(result) } }
  const { step } = await lookAt(place, (progress) => next.reporter(actorOf(reporter), progress), ports)
  if (step === null) return
  const isDone = step.do === 'leave' || (await conclude(reporter, result, step.do === 'report', ports))
  // If GitHub is too slow to clear the place before the run is killed, the post step does it.
  if (isDone && (await place.clear())) ports.hooks.save(null)
}

/** Writes a result, or states that this run has left the job; false if GitHub rejected that, and the post step can try again. */
async function conclude(run: Run, result: AgentResult, isReport: boolean, ports: RunPorts) {
  const { inputs, place, openedAt, statement } = run
  await writeOnPulls({ result, place, since: statement.since, settings: inputs }, ports)
  // A run that only waited has not written anything that it could raise.
  if (!isReport && openedAt === null) return true
  const end = place.result(result, isReport)
  save(run, ports, end)
  // The entry comes last: if the run is killed before that, the next run repeats all of this.
  const reply = await place.write(statement, end)
  return reply.ok || !isTemporary(reply.failure)
}
