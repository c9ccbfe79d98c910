/** Each input is read, and each message is printed. (The compiler finds a trigger without a case, and an outcome without a text.) */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { inputNames } from '../../src/core/inputs/schema.ts'
import { problems } from '../../src/core/problems.ts'
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

it.each([
  ['core/problems.ts', 'problems', problems],
  ['say/messages.ts', 'say', say],
])('each message of %s is printed by the code', (path, name, messages) => {
  const code = codeExcept(new RegExp(`^${path}$`))
  const isPrinted = (message: string) => new RegExp(`\\b${name}\\.${message}\\(`).test(code)
  expect(Object.keys(messages).filter((message) => !isPrinted(message))).toEqual([])
})
