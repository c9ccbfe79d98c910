/** The repository is renamed between two runs of the committed bundle. test/steps/rename.test.ts has the whole table. */
import { it } from 'vitest'
import { FastClock } from '../../sandbox/runner/fast-clock.ts'
import { expectSame, renames } from '../steps/renames.ts'
import { bundle } from './run.ts'

// `npm run test:slow` runs all.
const isMeant = process.env.STEPS === 'bundle' ? /./ : /^(a push|a hold)$/

it.concurrent.each(renames.filter(([what]) => isMeant.test(what)))(
  'after a rename, %s does what it would do without it',
  async (...row) => {
    await expectSame(bundle.createWorld, new FastClock(), row)
  },
)
