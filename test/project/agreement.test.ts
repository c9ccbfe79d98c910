/** action.yml, the code and the README say the same. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir, readAction } from '../../sandbox/runner/action.ts'
import { withTables } from '../../scripts/readme.ts'
import { inputNames, parseInputs } from '../../src/core/inputs/inputs.ts'
import { outcomes } from '../../src/core/outcome.ts'
import { outputNames } from '../../src/render/outputs.ts'

const action = readAction()
const readme = readFileSync(join(projectDir, 'README.md'), 'utf8')

it('action.yml has the inputs that the code reads', () => {
  expect(Object.keys(action.inputs).toSorted()).toEqual(inputNames.toSorted())
})

it('action.yml has the outputs that the code sets', () => {
  expect(Object.keys(action.outputs)).toEqual([...outputNames])
})

it('an input that is left empty reads as its default in action.yml', () => {
  const given = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'x' }
  const defaults = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [
      name,
      (input.default ?? '').replace(/^\$\{\{.*\}\}$/, ''),
    ]),
  )
  const context = { isComment: false, now: Date.UTC(2026, 10, 18) }
  expect(parseInputs(given, context)).toEqual(parseInputs({ ...defaults, ...given }, context))
})

it("the README's tables are those of action.yml", () => {
  expect(withTables(readme)).toBe(readme)
})

it('the README explains every outcome', () => {
  const explained = [...readme.matchAll(/^\| `([a-z-]+)` \| .* \| .* \|$/gm)].map(([, name]) => name)
  expect(explained).toEqual(expect.arrayContaining([...outcomes]))
})

const examples = readdirSync(join(projectDir, 'examples'))
const pages = [
  readme,
  ...readdirSync(join(projectDir, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(projectDir, 'docs', name), 'utf8')),
]

it.each(examples)('examples/%s stands in the README or in docs/, to the letter', (name) => {
  const text = readFileSync(join(projectDir, 'examples', name), 'utf8')
  expect(pages.filter((page) => page.includes(text))).toHaveLength(1)
})
