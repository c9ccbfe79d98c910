/** TROUBLESHOOTING.md contains every message that asks a reader to act. (The compiler finds a kind of problem without an entry.) */
import { expect, it } from 'vitest'
import { entries, samples, troubleshooting } from '../../scripts/troubleshooting.ts'

const page = troubleshooting()

it('a search in TROUBLESHOOTING.md for the first sentence of a message finds it', () => {
  const isFound = (what: string) => page.includes(`### ${what}\n`) || page.includes(`“${what}”`)
  expect(entries.filter(({ what }) => !isFound(what))).toEqual([])
  expect(entries.filter(({ what }) => !/^\S.*[^.]\.$/.test(what))).toEqual([])
})

it('TROUBLESHOOTING.md explains at most 40 kinds of problems, in at most 2,450 words', () => {
  expect(new Set(samples.map(({ id }) => id)).size).toBeLessThanOrEqual(40)
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(2450)
})
