/** TROUBLESHOOTING.md contains every message. (The compiler finds a kind of problem without an entry.) */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { entries, harmless, samples, troubleshooting } from '../../scripts/troubleshooting.ts'
import { failable, outcomes } from '../../src/core/outcome.ts'
import type { Problem } from '../../src/core/problems.ts'
import { say } from '../../src/say/messages.ts'
import { placeOf } from '../../src/say/problems.ts'
import { reasons } from '../../src/say/rejections.ts'

it('a search in TROUBLESHOOTING.md for the first sentence of a message finds it', () => {
  const page = troubleshooting()
  const isFound = (what: string) => ['### ', '“'].some((start) => page.includes(start + what))
  expect(entries.filter(({ what }) => !isFound(what))).toEqual([])
  expect(entries.filter(({ what }) => !/^\S.*[^.]\.$/.test(what))).toEqual([])
})

/** Messages that need no action, and one that prints a problem. */
const progress = `failing job status waiting jobOver waitingForEarlier noDiff holdIgnored
  tokensMasked limited page notOnDefault otherAccount unchanged filesCut unknownStatus
  prompt sinceLast`

it('TROUBLESHOOTING.md has each message of the log that may need an action', () => {
  const code = readFileSync(join(projectDir, 'scripts/troubleshooting.ts'), 'utf8')
  const names = Object.keys(say).filter((name) => !code.includes(`say.${name}(`))
  expect(names.sort()).toEqual(progress.split(/\s+/).sort())
})

/** The targets of links on the page. */
const anchors = [...troubleshooting().matchAll(/<a name="([^"]+)"><\/a>/g)].map(([, name = '']) => name)

/** A sample with other values: those of samples are in capitals, and the host. */
function withValues(sample: Problem, value: string): Problem {
  const isValue = (each: unknown) => typeof each === 'string' && /^[A-Z][A-Z -]+$|^api\.mintlify/.test(each)
  return JSON.parse(JSON.stringify(sample, (_, each) => (isValue(each) ? value : each)))
}

it('every error links to its own place in TROUBLESHOOTING.md, whatever its values are', () => {
  expect(anchors.length).toBeGreaterThan(80)
  expect(new Set(anchors).size).toBe(anchors.length)
  const errors = samples.filter(({ kind }) => !harmless.includes(kind))
  const links = ['', '']
  errors.push(
    { kind: 'open-limit', limit: 12, links },
    { kind: 'allowed-paths', reason: 'outside', paths: links },
  )
  fc.assert(
    fc.property(fc.constantFrom(...errors), fc.string({ unit: 'grapheme' }), (sample, value) => {
      expect(anchors).toContain(placeOf('error', withValues(sample, value)))
    }),
    { numRuns: 2000 },
  )
  const red = outcomes.filter((outcome) => failable.includes(outcome) || outcome === 'cancelled')
  const places = [...red, 'settled'].map((outcome) => placeOf(outcome, null))
  expect(places.filter((place) => place !== '' && !anchors.includes(place))).toEqual([])
})

it('a search in TROUBLESHOOTING.md for GitHub’s words finds what to do', () => {
  const page = troubleshooting()
  expect(page).toContain('“Resource not accessible by integration”')
  expect(reasons.filter(([words]) => !page.includes(`“${words}”`))).toEqual([])
})
