/** The demo's repository with a command on issue 7, and a step that settles its detached jobs. */
import { demoRepository } from '../../sandbox/demo.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { createWorld, type Setting } from './comment-world.ts'

/** Creates the world. @param runStep runs a step in this process or as the bundle */
export async function createDetached<Run>(
  runStep: (options: StepOptions) => Promise<Run>,
  setting: Setting = {},
) {
  const github = { repositories: [demoRepository()], ...setting.github }
  const { run, ...world } = await createWorld(runStep, { events: [issueComment()], ...setting, github })
  return {
    ...world,
    ask: run,
    settle: (event: WorkflowEvent, inputs: Record<string, string> = {}) =>
      run(event, { mode: 'settle', command: '/docs', timeout: '1m', ...inputs }),
  }
}
