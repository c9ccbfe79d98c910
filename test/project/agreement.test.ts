/** action.yml, the code, the examples and the docs agree. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { monthRows } from '../../bench/month.ts'
import { projectDir, readAction } from '../../sandbox/runner/action.ts'
import { generatedFiles, pages } from '../../scripts/docs.ts'
import { reusableWorkflows } from '../../scripts/reusable-workflows.ts'
import { subActions } from '../../scripts/sub-actions.ts'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import { inputNames, inputsByMode } from '../../src/core/inputs/schema.ts'
import { outputNames } from '../../src/say/outputs.ts'
import { noInputs } from '../core/samples.ts'

const action = readAction()
const readPage = (page: string) => readFileSync(join(projectDir, page), 'utf8')
const yamlIn = (text: string) => [...text.matchAll(/^```ya?ml\n(.*?)^```$/gms)].map(([, yaml = '']) => yaml)
const examples = readdirSync(join(projectDir, 'examples'))

it('action.yml has the inputs that the code reads', () => {
  expect(Object.keys(action.inputs).toSorted()).toEqual(inputNames.toSorted())
})

it('action.yml has the outputs that the code sets', () => {
  expect(Object.keys(action.outputs)).toEqual([...outputNames])
})

it('an empty input is read as its default in action.yml', () => {
  const least = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'x' }
  const defaults = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [
      name,
      (input.default ?? '').replace(/^\$\{\{.*\}\}$/, ''),
    ]),
  )
  const context = { isComment: false, now: Date.UTC(2026, 10, 18) }
  expect(parseInputs({ ...noInputs, ...least }, context)).toEqual(
    parseInputs({ ...noInputs, ...defaults, ...least }, context),
  )
})

it.each([...generatedFiles()])('%s has the text that `npm run docs` writes', (path, text) => {
  expect(readPage(path)).toBe(text)
})

it.each(subActions)('%s/action.yml has the inputs of its mode, with the same defaults', (mode) => {
  const { inputs } = readAction(join(projectDir, mode))
  expect(Object.keys(inputs).toSorted()).toEqual(['mode', ...Object.keys(inputsByMode[mode])].toSorted())
  expect(inputs).toEqual({
    ...Object.fromEntries(Object.keys(inputs).map((name) => [name, action.inputs[name]])),
    mode: { description: expect.any(String), default: mode },
  })
})

it.each(reusableWorkflows)('$path accepts and passes on every input of mode $mode', ({ path, mode }) => {
  const { on, jobs } = parse(readPage(path))
  const [{ steps }] = Object.values(jobs) as [{ steps: { uses?: string; with: Record<string, string> }[] }]
  const step = steps.find(({ uses = '' }) => uses.includes('/docs-agent-action'))
  const { inputs, secrets } = on.workflow_call
  for (const name of Object.keys(inputsByMode[mode]).filter((name) => name !== 'matrix-index')) {
    expect({ ...inputs, ...secrets }).toHaveProperty([name])
    expect(step?.with[name]).toMatch(new RegExp(`^\\$\\{\\{ (?:inputs|secrets)\\.${name}\\b`))
  }
})

it.each(examples)('examples/%s is on a page, or linked from one', (name) => {
  const example = readPage(join('examples', name))
  const isOn = (page: string) => page.includes(`examples/${name})`) || page.includes(example)
  expect(pages().filter((page) => isOn(readPage(page)))).not.toEqual([])
})

it.each(pages())('every YAML block of %s is an example, so a test runs it', (page) => {
  const texts = examples.map((name) => readPage(join('examples', name)))
  expect(yamlIn(readPage(page)).filter((block) => !texts.includes(block))).toEqual([])
})

it('the README states the same jobs as the benchmark', () => {
  const [[, pushes] = [], [, daily] = [], [, weekly] = []] = monthRows()
  const readme = readPage('README.md').replace(/\s+/g, ' ')
  expect(readme).toContain(
    `gets ${pushes} jobs if it runs on each push, ${daily} on workdays, and ${weekly} once a week`,
  )
})

it('the README fits on a screen or two, and begins with one short workflow', () => {
  const readme = readPage('README.md')
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900)
  const [workflow = '', ...more] = yamlIn(readme)
  expect(more).toEqual([])
  expect(workflow.trim().split('\n').length).toBeLessThanOrEqual(18)
  expect(readme.slice(0, readme.indexOf(workflow) + workflow.length).split('\n').length).toBeLessThanOrEqual(
    60,
  )
})

it('README.md has the two commands that CI and newcomers run', () => {
  const commands = [...readPage('README.md').matchAll(/^ {4}(npm .*)$/gm)].map(([, command]) => command)
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

it('all documents together have at most 11,400 words', () => {
  const others = ['TROUBLESHOOTING.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
  const words = [...pages(), ...others].flatMap((page) => readPage(page).split(/\s+/).filter(Boolean))
  expect(words.length).toBeLessThanOrEqual(11_400)
})

it('the lock file names no registry, so that each user’s own registry is used', () => {
  expect(readPage('package-lock.json')).not.toMatch(/"resolved": "http/)
})

it('package.json, action.yml and the documents require the same Node.js as the bundle', () => {
  const [, version] = /required = (\d+)/.exec(readPage('src/node-version.ts')) ?? []
  expect(JSON.parse(readPage('package.json')).engines).toEqual({ node: `>=${version}` })
  expect(readPage('action.yml')).toContain(`using: node${version}\n`)
  for (const page of ['README.md', 'CONTRIBUTING.md'])
    expect(readPage(page)).toContain(`Node.js ${version} or newer`)
})
