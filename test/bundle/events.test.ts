import { it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import { expectNothing } from '../steps/events-world.ts'

// test/steps/events.test.ts covers every event.
it.concurrent.each(['issues', 'pull_request_target', 'a_new_event'])(
  "a stranger's %s with command, label and prompt set starts nothing",
  (name) => expectNothing(name, runStep),
)
