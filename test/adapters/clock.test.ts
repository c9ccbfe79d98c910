import { expect, it } from 'vitest'
import { createClock } from '../../src/adapters/clock.ts'

const hourMs = 3_600_000
const headerOf = (time: number) => new Date(time).toUTCString()

it.each([
  ['an hour slow', hourMs],
  ['an hour fast', -hourMs],
])('the date is the first one in a header, on a machine that is %s', (_, ahead) => {
  const clock = createClock()
  const error = () => clock.date() - Date.now() - ahead
  clock.follow(undefined)
  clock.follow('soon')
  expect(clock.date()).toBeCloseTo(Date.now(), -3)
  clock.follow(headerOf(Date.now() + ahead))
  clock.follow(headerOf(Date.now() + 9 * ahead))
  // A header has no fractions of a second.
  expect(error()).toBeLessThanOrEqual(0)
  expect(error()).toBeGreaterThan(-2_000)
  expect(clock.now()).toBeLessThanOrEqual(performance.now())
})
