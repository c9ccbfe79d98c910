/** The repository is renamed between two runs of the committed bundle. test/steps/rename.test.ts has the whole table. */
import { it } from 'vitest'
import { FastClock } from '../../sandbox/runner/fast-clock.ts'
import { expectSame, renames } from '../steps/renames.ts'
import { bundle } from './run.ts'

it.concurrent.each(renames.filter(([what]) => /^(a push|a hold)$/.test(what)))(
  'after a rename, %s does what it would do without it',
  async (...row) => {
    await expectSame(bundle.createWorld, new FastClock(), row)
  },
)
