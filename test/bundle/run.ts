/** Runs the committed bundle as the runner does, against the embedded platform. */
import type { Platform, PlatformOptions } from '../../sandbox/platform/server.ts'
import { runStep, type StepOptions, type StepResult } from '../../sandbox/runner/step.ts'
import { inputsFor, platformFor } from '../service.ts'

export interface Run extends StepResult {
  platform: Platform
  /** Titles and texts of all log entries. */
  text: string
}

/** Runs one step with its own platform. */
export async function runBundle(
  inputs: Record<string, string>,
  options: PlatformOptions = {},
  step: Omit<StepOptions, 'with'> = {},
): Promise<Run> {
  const platform = await platformFor(options)
  const result = await runStep({ ...step, with: { ...inputsFor(platform.url, inputs.mode), ...inputs } })
  return {
    ...result,
    platform,
    text: result.log.map(({ title, text }) => `${title ?? ''} ${text}`).join('\n'),
  }
}
