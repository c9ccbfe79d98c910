/** TROUBLESHOOTING.md contains every message. (The compiler finds a kind of problem without an entry.) */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { entries, troubleshooting } from '../../scripts/troubleshooting.ts'
import { say } from '../../src/say/messages.ts'
import { reasons } from '../../src/say/rejections.ts'

it('a search in TROUBLESHOOTING.md for the first sentence of a message finds it', () => {
  const page = troubleshooting()
  const isFound = (what: string) => page.includes(`### ${what}\n`) || page.includes(`“${what}”`)
  expect(entries.filter(({ what }) => !isFound(what))).toEqual([])
  expect(entries.filter(({ what }) => !/^\S.*[^.]\.$/.test(what))).toEqual([])
})

/** Messages that need no action, and one that prints a problem. */
const progress = `failing retrying job status waiting jobOver waitingForEarlier earlierHasNoJob noDiff holdIgnored
  tokensMasked limited page notOnDefault otherAccount`

it('TROUBLESHOOTING.md has each message of the log that may need an action', () => {
  const code = readFileSync(join(projectDir, 'scripts/troubleshooting.ts'), 'utf8')
  const names = Object.keys(say).filter((name) => !code.includes(`say.${name}(`))
  expect(names.sort()).toEqual(progress.split(/\s+/).sort())
})

it('a search in TROUBLESHOOTING.md for GitHub’s words finds what to do', () => {
  const page = troubleshooting()
  expect(reasons.filter(([words]) => !page.includes(`“${words}”`))).toEqual([])
})
