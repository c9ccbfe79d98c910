import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  changeBetween,
  changeText,
  fractionOf,
  percentText,
  plainPercent,
  shareText,
} from '../../src/visitors/figures.ts'
import { rowsOf } from '../core/samples.ts'

// The limit of chance is 3√(a + b): 9 for 0 and 9, and 30 for 35 and 65. A change of just that much may be chance. A
// change beyond chance but under 0.1% is level. A percentage is never rounded up to a whole percent.
it.each(
  rowsOf(`
    1300          | 1000          | 0.3     | up    | ▲ +30.0% from 1,000
    0             | 436           | -1      | down  | ▼ −100.0% from 436
    50            | 0             | null    | up    | ▲ new
    5             | 0             | null    | level | new
    0             | 0             | null    | level | –
    1004          | 1000          | 0.004   | level | +0.4% from 1,000
    500           | 500           | 0       | level | 0.0% from 500
    1             | 3             | -0.6667 | level | −66.7% from 3
    99999         | 100000        | 0       | level | 0.0% from 100,000
    1000000       | 1             | 999999  | up    | ▲ +99,999,900.0% from 1
    0.5           | 0.25          | 1       | level | +100.0% from 0.25
    -3            | 6             | -1.5    | level | −150.0% from 6
    3             | -6            | 1.5     | level | +150.0% from −6
    65            | 35            | 0.8571  | level | +85.7% from 35
    66            | 35            | 0.8857  | up    | ▲ +88.6% from 35
    35            | 66            | -0.4697 | down  | ▼ −46.9% from 66
    1000040000000 | 1000000000000 | 0       | level | 0.0% from 1,000,000,000,000
    800004        | 1000000       | -0.2    | down  | ▼ −19.9% from 1,000,000
    2             | 10000         | -0.9998 | down  | ▼ −99.9% from 10,000
    1290          | 1000          | 0.29    | up    | ▲ +29.0% from 1,000
    9300          | 10000         | -0.07   | down  | ▼ −7.0% from 10,000
  `),
)('the change to %s from %s is %s, %s, and reads %s', (now, before, ...expected) => {
  const change = changeBetween(Number(now), Number(before), 1)
  const text = changeText(change).replace('\u00A0', ' ')
  expect([`${fractionOf(change)}`, change.direction, text]).toEqual(expected)
})

it('the direction of a change never contradicts the percentage shown', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000), fc.nat(2_000_000), (now, then) => {
      const change = changeBetween(now, then, 1)
      const text = percentText(change)
      if (change.direction === 'up') expect(text).toMatch(/^\+.*[1-9]|^new$/)
      if (change.direction === 'down') expect(text).toMatch(/^\u2212.*[1-9]/)
      if (text === '0.0%') expect(change.direction).toBe('level')
    }),
  )
})

it.each(
  rowsOf(`
    3100 | 3000 | 0       | level
    3000 | 3000 | -0.0323 | level
    6200 | 3000 | 1       | up
  `),
)('%s visitors in 31 days after %s in 30 days are a change of %s', (now, before, ...expected) => {
  const change = changeBetween(Number(now), Number(before), 31 / 30)
  expect([`${fractionOf(change)}`, change.direction, `${change.before}`]).toEqual([...expected, before])
})

it.each(
  rowsOf(`
    0.2592 | 25.9%  | 25.92%
    0      | 0.0%   | 0%
    1.2    | 120.0% | 120%
    0.0007 | 0.1%   | 0.07%
    -0.2   | −20.0% | −20%
  `),
)('the share %s is %s, and the threshold %s', (fraction, ...expected) => {
  expect([shareText(Number(fraction)), plainPercent(Number(fraction))]).toEqual(expected)
})
