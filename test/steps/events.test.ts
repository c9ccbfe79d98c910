import { it } from 'vitest'
import { eventNames, unchecked } from '../webhooks.ts'
import { expectNothing } from './events-world.ts'
import { runStep } from './run.ts'

it.each([...eventNames.filter((name) => !unchecked.includes(name)), 'pull_request_target', 'a_new_event'])(
  "a stranger's `%s` event starts nothing, even if the step has a command, a label and a prompt",
  (name) => expectNothing(name, runStep),
)
