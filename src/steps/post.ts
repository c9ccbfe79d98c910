/** The post step: reports for a main step that was killed. It sends nothing to the platform. */
import { readState } from '../adapters/runner.ts'
import { unseal } from '../adapters/sign.ts'
import { textOf } from '../core/inputs/inputs.ts'
import type { RawInputs } from '../core/inputs/schema.ts'
import { finishKilled } from '../run/run.ts'
import { killedEnding } from '../say/ending.ts'
import type { StepContext } from './context.ts'
import { bestEffort } from './finish.ts'
import { createStepPorts } from './ports.ts'

/** Time for the post step in milliseconds. After a cancel, a few minutes are left at most. */
const timeout = 30_000

/** Finishes what a killed step left. The main step has checked the inputs. If the proxy settings are invalid, GitHub is not called. */
export async function runPost(raw: RawInputs, step: StepContext) {
  const { runner, jobRef, proxyFaults, run } = step
  const sealed = readState('checkpoint')
  if (sealed !== '' && proxyFaults.length === 0)
    await bestEffort(step, () => finishRequest(sealed, raw, step))
  if (readState('finished') !== '') return
  const { entries, summary } = killedEnding(
    readState('sending') !== '',
    run.step.project,
    readState('jobId') || jobRef.jobId,
  )
  runner.log(...entries)
  await runner.summary(summary)
}

/** Finishes the request of a checkpoint. */
async function finishRequest(sealed: string, raw: RawInputs, step: StepContext) {
  const apiKey = raw['api-key']
  const inputs = {
    // Nothing is sent to the platform, so its URL does not matter.
    baseUrl: 'http://localhost',
    apiKey,
    githubToken: textOf(raw, 'github-token'),
    command: textOf(raw, 'command'),
    label: textOf(raw, 'label'),
    timeout,
    dryRun: false,
  }
  const ports = createStepPorts(inputs, step)
  // Without a key, the main step saved nothing, and anyone could make a seal.
  const checkpoint = apiKey === '' ? undefined : unseal(sealed, ports.sign)
  if (checkpoint === undefined)
    return step.runner.log({
      level: 'warning',
      title: 'Thread not updated',
      text: 'The saved state is not from this action: another step of the job set `STATE_checkpoint`.',
    })
  await ports.github.viewer()
  await finishKilled(JSON.parse(checkpoint), ports)
}
