/** The repository is renamed between two runs: the second does what it would do without that. */
import { expect, it } from 'vitest'
import { Repository } from '../../sandbox/github/repository.ts'
import {
  code,
  expectSame,
  merge,
  newName,
  next,
  oldName,
  onCode,
  opened,
  renames,
  repository,
  schedule,
  settle,
} from './renames.ts'
import { runStep } from './run.ts'
import { worldsOf } from './world.ts'

/** Worlds whose clock can be moved. */
function movedWorlds() {
  const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead), options: '' }
  const { createWorld } = worldsOf((step) => runStep({ ...step, date: clock.now().getTime() }))
  return { createWorld, clock }
}

it.each(renames)('after a rename, %s does what it would do without it', async (...row) => {
  const { createWorld, clock } = movedWorlds()
  await expectSame(createWorld, clock, row)
})

it('after another repository took the name, settle writes nothing on its pull requests', async () => {
  const { createWorld, clock } = movedWorlds()
  const world = await createWorld({ clock, repository, events: [onCode] })
  const { hub } = world
  await world.run(onCode, { hold: 'merge' })
  const held = hub.statuses.length
  hub.rename(oldName, newName)
  const merged = { ...code, merged: { commit: merge } }
  hub.create(new Repository({ ...repository, name: oldName, id: 7, pulls: [merged, opened] }))
  const { outputs } = await world.run(schedule, settle, { ...next, GITHUB_REPOSITORY: newName })
  expect([outputs.outcome, hub.statuses.length]).toEqual(['settled', held])
})
