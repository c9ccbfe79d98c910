/** Twelve weeks with the report on an issue, as a team sees them. */
import { expect, it } from 'vitest'
import { runWeeks } from '../../sandbox/weeks.ts'
import { runStep } from './run.ts'

it('the report shows each fix without repetition: raised, requested, merged, measured', async () => {
  const weeks = await runWeeks(12, '2026-11-16', runStep)
  const shown = weeks.map(({ monday, mail, deeds }) => [`Monday, ${monday}`, mail, ...deeds].join('\n\n'))
  expect(`\n${shown.join('\n\n---\n\n')}\n`).toMatchSnapshot()
})
