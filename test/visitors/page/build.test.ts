/** report.html as a file: its contents, and what its policy allows. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../../../sandbox/runner/action.ts'
import { buildPage } from '../../../scripts/page.ts'
import {
  fillPage,
  makeEmpty,
  makeFirst,
  makeHostile,
  makeIncomplete,
  makeReport,
  makeUncompared,
} from './sample.ts'

const template = await buildPage()

function between(start: string, end: string): string {
  const from = template.indexOf(start) + start.length
  return template.slice(from, template.indexOf(end, from))
}

const script = between('<script type="module">', '</script>')
const style = between('<style>', '</style>')
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

it('the page imports only its own folder and the core, except for types', () => {
  const folder = join(projectDir, 'src/visitors/page')
  const modules = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const imports = modules.flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /^(?:import|export) (?!type\b)[^']*from '([^']+)'/gm,
      ),
    ].map(([, from = '']) => from),
  )
  const others = new Set(imports.filter((from) => !modules.includes(from.replace(/^\.\//, ''))))
  expect([...others].filter((name) => !/^\.\.\/(?:\.\.\/)?core\//.test(name))).toEqual([])
})

describe('the template', () => {
  it("the template's policy allows only its own script and style", () => {
    expect(between('http-equiv="Content-Security-Policy" content="', '"').split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${sha256(script)}`,
      `style-src ${sha256(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ])
  })

  it('the template has exactly one place for the report', () => {
    expect(template.match(/%[A-Z]+%/g)).toEqual(['%REPORT%'])
    expect(template).toContain('<script type="application/json" id="report">"%REPORT%"</script>')
  })

  it('the template loads nothing from the network', () => {
    expect(template).not.toMatch(/<link|<img|<iframe|\ssrc=|url\(|@import|\bfetch\(|XMLHttpRequest/)
    expect(template.match(/https?:\/\/[^'"`]*/g)).toEqual(['http://www.w3.org/2000/svg'])
  })

  it('the template has no way to turn text into HTML or code', () => {
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|Function\(/,
    )
  })

  it('the template is the same in every build', async () => {
    expect(await buildPage()).toBe(template)
  })

  it('report.html contains the whole report, whatever its text is', () => {
    const filled = fillPage(template, makeHostile())
    const json = /id="report">(.*?)<\/script>/s.exec(filled)?.[1] ?? ''
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(makeHostile())))
  })
})

describe('the samples', () => {
  const schema = JSON.parse(readFileSync(join(projectDir, 'schema/visitors-report.v2.json'), 'utf8'))
  const formats = { date: /^\d{4}-\d\d-\d\d$/, 'date-time': true } as const
  const valid = new Ajv2020({ formats, allowUnionTypes: true }).compile(schema)

  it.each([
    ['small', makeReport()],
    ['large', makeReport(1_200)],
    ['incomplete', makeIncomplete()],
    ['uncompared', makeUncompared()],
    ['empty', makeEmpty()],
    ['first', makeFirst()],
    ['hostile', makeHostile()],
  ])('the sample “%s” matches the schema', (_, report) => {
    valid(report)
    expect(valid.errors).toBeNull()
  })
})
