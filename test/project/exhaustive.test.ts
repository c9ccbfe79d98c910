/** Each input is read, and each message is printed. (The compiler finds a trigger without a case, and an outcome without a text.) */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { samples } from '../../scripts/troubleshooting.ts'
import { inputNames } from '../../src/core/inputs/schema.ts'
import type { Problem } from '../../src/core/problems.ts'
import { say } from '../../src/say/messages.ts'

const src = join(projectDir, 'src')

/** The code of src without comments, except files whose paths match. */
function codeExcept(left: RegExp): string {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const files = names.filter((name) => name.endsWith('.ts') && !left.test(name))
  const texts = files.map((name) => readFileSync(join(src, name), 'utf8'))
  return texts.join('\n').replace(/\/\*\*[\s\S]*?\*\/|(?<=^\s*)\/\/.*/gm, '')
}

it('each input is read by the code', () => {
  const code = codeExcept(/^core\/inputs\b/)
  const isRead = (name: string) => {
    const field = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    // A property, a part of a destructured object, or an input that is read before all others.
    const read = `\\.${field}\\b|\\{[^{}();=]*\\b${field}\\b[^{}();=]*\\}(?: =|:|,$| of)|raw(?:\\['|, ')${name}'`
    return new RegExp(read, 'm').test(code)
  }
  expect(inputNames.filter((name) => !isRead(name))).toEqual([])
})

it('each message of the log is printed by the code', () => {
  const code = codeExcept(/^say\/messages\.ts$/)
  const isPrinted = (message: string) => new RegExp(`\\bsay\\.${message}\\(`).test(code)
  expect(Object.keys(say).filter((message) => !isPrinted(message))).toEqual([])
})

it('each kind of problem arises somewhere in the code', () => {
  const code = codeExcept(/^(core\/problems\.ts$|say\/)/)
  const arises = ({ kind }: Problem) => code.includes(`kind: '${kind}'`)
  expect(samples.filter((sample) => !arises(sample))).toEqual([])
})
