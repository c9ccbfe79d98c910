import { it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import { expectNothing } from '../steps/events-world.ts'

// test/steps/events.test.ts covers every event.
it("a stranger's pull_request_target with command, label and prompt set starts nothing", () =>
  expectNothing('pull_request_target', runStep))
