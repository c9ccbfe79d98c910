/** TROUBLESHOOTING.md contains every message that asks a reader to act. */
import { expect, it } from 'vitest'
import { sections, troubleshooting } from '../../scripts/troubleshooting.ts'
import { explain } from '../../src/say/problems.ts'
import { jobRef, problems } from '../say/samples.ts'

const page = troubleshooting()
const entries = sections.flatMap(([, all]) => all)

it('TROUBLESHOOTING.md has an entry for each kind of problem', () => {
  const known = new Set(entries.map(({ id }) => id))
  const missing = problems.filter(([, problem]) => !known.has(explain(problem, jobRef).id))
  expect(missing).toEqual([])
})

it('a search in TROUBLESHOOTING.md for the first sentence of a message finds it', () => {
  const isFound = (what: string) => page.includes(`### ${what}\n`) || page.includes(`“${what}”`)
  expect(entries.filter(({ what }) => !isFound(what))).toEqual([])
  expect(entries.filter(({ what }) => !/^\S.*[^.]\.$/.test(what))).toEqual([])
})

it('TROUBLESHOOTING.md has at most 2,200 words', () => {
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(2200)
})
