/** Ends a dry run in any mode: checks the key, shows all checks, and fails the step if one failed. */

import { agentDryRun, type DryRun, type DryRunRead, failedCheck } from '../core/dry-run.ts'
import type { Problem } from '../core/problem.ts'
import type { Thread } from '../core/thread.ts'
import { type Host, type LifePorts, live, type Plan, withoutJob } from '../life/live.ts'
import { describeDryRun, dryRunComment, dryRunSummary } from '../render/dry-run.ts'
import { type Outputs, outputNames, outputsOf } from '../render/outputs.ts'
import { leftOutBlock, promptBlock } from '../render/summary.ts'
import { checkAccess } from '../usecases/dry-run.ts'
import type { Ended } from '../usecases/ended.ts'
import type { Policy } from '../usecases/policy.ts'
import type { OwnComments, PlatformPorts } from '../usecases/ports.ts'
import { type StepContext, stateKeys } from './context.ts'

/** The end of a dry run, before the key is checked. */
export interface DryRunEnd {
  /** What the mode checked, besides the inputs and the key. */
  found: DryRun
  /** The thread to reply on; null for none. */
  thread: Thread | null
  /** The job that the step would wait for, or send a follow-up to. */
  jobId: string | null
  /** What the step would have done: lines for the log, and Markdown for the summary. */
  plan: { lines: readonly string[]; details: readonly string[] }
  /** The mode's outputs. The outcome is replaced with `dry-run`. */
  outputs: Outputs
}

type DryRunPorts = PlatformPorts & { github?: Pick<OwnComments, 'reply'> }

/** Finishes a dry run. @returns false if the step was cancelled before anything was written */
export async function finishTrial(
  { found, thread, jobId, plan, outputs }: DryRunEnd,
  ports: DryRunPorts,
  { runner, jobRef: given, runUrl, cancelled }: StepContext,
): Promise<boolean> {
  const access = await checkAccess(given.projectId, ports)
  if (cancelled.aborted) return false
  const jobRef = { ...given, jobId }
  const always = [
    { name: 'inputs', problem: null },
    { name: 'access', problem: access },
  ] as const
  const checked = { ...found, checks: [...always, ...found.checks] }
  const trial =
    thread === null ? checked : await reply(thread, checked, dryRunComment(checked, jobRef, runUrl), ports)
  const all = { ...outputs, outcome: 'dry-run' }
  for (const name of outputNames) runner.output(name, all[name])
  for (const text of plan.lines) runner.log({ level: 'info', text })
  for (const entry of describeDryRun(trial, jobRef)) runner.log(entry)
  await runner.summary(dryRunSummary(trial, jobRef, plan.details))
  runner.save(stateKeys.finished, 'true')
  if (failedCheck(trial) !== null) runner.fail()
  return true
}

/** Replies on the thread, which also checks whether the job can comment there. */
async function reply(thread: Thread, trial: DryRun, text: string, { github }: DryRunPorts): Promise<DryRun> {
  const replied = await github?.reply(thread, text)
  if (replied === undefined) return trial
  const problem: Problem | null = replied.ok
    ? null
    : { type: 'record-unwritten', where: 'comment', rejection: replied.rejection }
  return { ...trial, checks: [...trial.checks, { name: 'reply', problem }] }
}

/** The place of a dry run's request in mode agent: a thread, a change, or neither. */
export type DryRunPlace = { thread: Thread } | 'change' | null

/** Runs a dry run in mode agent, for a request that is not skipped. @returns see `finishTrial` */
export async function tryAgent(
  plan: Plan | Ended,
  { replies, settings }: Policy,
  place: DryRunPlace,
  ports: Omit<LifePorts, 'host'> & Required<DryRunPorts>,
  step: StepContext,
): Promise<boolean> {
  const result = plan.kind === 'ended' ? null : await live(plan, { ...ports, host: hostOfTrial(step) })
  const problem = plan.kind === 'ended' ? plan.problem : (result?.problem ?? null)
  const isRecorded = replies && settings.scope.hasToken
  const thread = place === null || place === 'change' ? null : place.thread
  // People whose role could not be checked get no reply.
  const mayAnswer = isRecorded && problem?.type !== 'gate-closed'
  return finishTrial(
    {
      found: agentDryRun({
        problem,
        read: readAt(place),
        isRecorded,
        hasPrompt: result?.outcome !== 'dry-run' || result.prompt !== null,
      }),
      thread: mayAnswer ? thread : null,
      jobId: result?.jobId ?? null,
      outputs: outputsOf(result ?? withoutJob('error', problem)),
      plan: { lines: [], details: result === null ? [] : [leftOutBlock(result), promptBlock(result)] },
    },
    ports,
    step,
  )
}

/** What was read from GitHub for the request. */
function readAt(place: DryRunPlace): DryRunRead | null {
  if (place === null || place === 'change') return place
  return place.thread.isPullRequest ? 'pull-request' : 'issue'
}

/** A host that does nothing: a dry run writes its results only after all checks. */
function hostOfTrial({ jobRef }: StepContext): Host {
  return {
    save: () => {},
    sending: () => false,
    started: async () => {},
    output: ({ jobId }) => {
      // The log names the job that would get the prompt.
      jobRef.jobId = jobId
    },
    finish: async () => {},
    lastly: async () => {},
  }
}
