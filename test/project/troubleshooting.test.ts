/** TROUBLESHOOTING.md contains every message. (The compiler finds a kind of problem without an entry.) */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { entries, troubleshooting } from '../../scripts/troubleshooting.ts'
import { say } from '../../src/say/messages.ts'

it('a search in TROUBLESHOOTING.md for the first sentence of a message finds it', () => {
  const page = troubleshooting()
  const isFound = (what: string) => page.includes(`### ${what}\n`) || page.includes(`“${what}”`)
  expect(entries.filter(({ what }) => !isFound(what))).toEqual([])
  expect(entries.filter(({ what }) => !/^\S.*[^.]\.$/.test(what))).toEqual([])
})

it('TROUBLESHOOTING.md has each message of the log', () => {
  const code = readFileSync(join(projectDir, 'scripts/troubleshooting.ts'), 'utf8')
  // `failing` prints a problem.
  const names = Object.keys(say).filter((name) => name !== 'failing')
  expect(names.filter((name) => !code.includes(`say.${name}(`))).toEqual([])
})
