import { expect, it } from 'vitest'
import { poisson, randomFrom } from '../../../../bench/random.ts'
import { effectOf } from '../../../../src/visitors/core/suggestions/effect.ts'

it.each([
  [15, 0.1, 500],
  [20, 1, 60],
  [40, 0.5, 200],
  [40, 2, 200],
  [100, 0.8, 1_000],
])(
  'in 9 of 10 cases, the interval contains the true change: %d events times %d, with %d on the rest of the site',
  (events, by, rest) => {
    const random = randomFrom(7)
    const effects = Array.from({ length: 3_000 }, () => {
      const [first, second] = [poisson(events, random), poisson(events * by, random)]
      const [restFirst, restSecond] = [poisson(rest, random), poisson(rest, random)]
      return effectOf({ is: 'counts', first, second, restFirst, restSecond })
    }).filter((effect) => effect !== null)
    const right = effects.filter(({ low, high }) => low <= by - 1 && by - 1 <= high)
    expect(right.length / effects.length).toBeGreaterThan(0.885)
    expect(right.length / effects.length).toBeLessThan(0.945)
  },
)

it('the interval is finite if no events are left', () => {
  const effect = effectOf({ is: 'counts', first: 12, second: 0, restFirst: 100, restSecond: 100 })
  expect(effect).toMatchObject({ change: -1, rest: 0 })
  expect(effect?.low).toBeGreaterThan(-1)
  expect(effect?.high).toBeLessThan(-0.5)
})
