import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAttributes, whyGenerated } from '../../../src/core/prompt/diff.ts'
import { hostileText } from '../samples.ts'

const why = (path: string, gitattributes = '') => whyGenerated(path, readAttributes(gitattributes))

const generated = 'generated or vendored, as .gitattributes says'
const vendored = 'generated or vendored, as .gitattributes says'

describe('the name of a file', () => {
  it.each([
    ['package-lock.json', 'lock file'],
    ['apps/web/pnpm-lock.yaml', 'lock file'],
    ['Cargo.lock', 'lock file'],
    ['go.sum', 'lock file'],
    ['infra/.terraform.lock.hcl', 'lock file'],
    ['dist/app.min.js', 'minified'],
    ['site.min.css', 'minified'],
    ['dist/index.js.map', 'minified'],
    ['node_modules/x/index.js', 'vendored'],
    ['src/vendor/x.go', 'vendored'],
    ['third_party/x.c', 'vendored'],
    ['src/install.ts', undefined],
    ['package.json', undefined],
    ['my-package-lock.json', undefined],
    ['package-lock.json/readme.md', undefined],
    ['src/min.js', undefined],
    ['src/vendors/x.ts', undefined],
    ['vendor', undefined],
    ['src/map.ts', undefined],
  ])('the path %s gives this reason to list the file by name only: %s', (path, reason) => {
    expect(why(path)).toBe(reason)
  })
})

describe('.gitattributes', () => {
  it.each([
    ['*.pb.go linguist-generated', 'a/b/x.pb.go', generated],
    ['*.pb.go linguist-generated=true', 'x.pb.go', generated],
    ['*.pb.go text eol=lf linguist-generated', 'x.pb.go', generated],
    ['/api/*.ts linguist-generated', 'api/x.ts', generated],
    ['/api/*.ts linguist-generated', 'src/api/x.ts', undefined],
    ['api/**  linguist-generated', 'api/v1/x.ts', generated],
    ['lib/** linguist-vendored', 'lib/x.ts', vendored],
    ['\t*.ts\tlinguist-vendored\r', 'x.ts', vendored],
    ['package-lock.json linguist-generated=false', 'package-lock.json', undefined],
    ['package-lock.json -linguist-generated', 'package-lock.json', undefined],
    ['vendor/ours/** -linguist-vendored', 'vendor/ours/x.go', undefined],
    ['vendor/ours/** -linguist-vendored', 'vendor/theirs/x.go', 'vendored'],
    ['*.ts linguist-generated\nsrc/*.ts -linguist-generated', 'src/x.ts', undefined],
    ['src/*.ts -linguist-generated\n*.ts linguist-generated', 'src/x.ts', generated],
    ['x.ts linguist-generated linguist-vendored', 'x.ts', generated],
    ['# *.ts linguist-generated', 'x.ts', undefined],
    ['[attr]gen linguist-generated', 'agen', undefined],
    ['*.ts linguist-language=Go', 'x.ts', undefined],
    ['*.ts linguist-generatedness', 'x.ts', undefined],
    ['linguist-generated', 'linguist-generated', undefined],
  ])('.gitattributes with %j gives this reason to list %s by name only: %s', (text, path, reason) => {
    expect(why(path, text)).toBe(reason)
  })

  // Git reads patterns as in gitignore: `*` stops at a slash and matches dotfiles; braces and groups are plain text.
  it.each([
    ['*.ts', '.a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['a?.ts', 'ab.ts', true],
    ['a?.ts', 'a/.ts', false],
    ['a.ts', 'axts', false],
    ['lib/*.ts', 'lib/a/b.ts', false],
    ['lib/**', 'lib/a/b.ts', true],
    ['lib/**', 'lib', false],
    ['**', 'a/b', true],
    ['**/gen', 'gen', true],
    ['**/gen', 'a/b/gen', true],
    ['**/gen/**', 'a/gen/b/c', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'a/x/b/y', false],
    ['**/a/**/b', 'x/a/y/a/z/b', true],
    ['*.[ch]', 'a/b.c', true],
    ['*.[ch]', 'a/b.d', false],
    ['*.[!ch]', 'a/b.d', true],
    ['a[0-9].ts', 'a7.ts', true],
    ['a[z-a].ts', 'az.ts', false],
    ['a[.ts', 'a[.ts', true],
    ['{a,b}.ts', 'a.ts', false],
    ['{a,b}.ts', '{a,b}.ts', true],
    ['+(a|a)', 'aa', false],
    ['a+.ts', 'a+.ts', true],
  ])('the pattern %s matches %s: %s', (pattern, path, isMatch) => {
    expect(why(path, `${pattern} linguist-generated`)).toBe(isMatch ? generated : undefined)
  })

  // A change's author controls patterns and paths. Matching these would block the process for minutes.
  it.each([
    ['a long pattern', `${'a'.repeat(200)}*`, 'a'.repeat(300)],
    ['a long path', '*.ts', `${'a/'.repeat(300)}b.ts`],
  ])('a line of .gitattributes is ignored if the comparison would take too long: %s', (_, pattern, path) => {
    expect(why(path, `${pattern} linguist-generated`)).toBeUndefined()
  })

  it('.gitattributes with 200 lines is compared with 1,000 files before the test times out', {
    timeout: 20_000,
  }, () => {
    const lines = Array.from({ length: 200 }, (_, at) => `**/a/**/a${at}*x*/**/b linguist-generated`)
    const attributes = readAttributes(lines.join('\n'))
    const paths = Array.from({ length: 1000 }, (_, at) => `${'a/'.repeat(5)}${at}.ts`)
    expect(paths.filter((path) => whyGenerated(path, attributes) !== undefined)).toEqual([])
  })

  it('only the last 200 lines of .gitattributes are read', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `/${index}.ts linguist-generated`)
    expect(readAttributes(lines.join('\n')).length).toBe(200)
  })

  it('reading any .gitattributes never throws, and gives only known reasons', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (text, path) => {
        const attributes = readAttributes(text)
        if (!text.includes('linguist-')) expect(attributes).toEqual([])
        expect([undefined, 'lock file', 'minified', 'vendored', generated, vendored]).toContain(
          whyGenerated(path, attributes),
        )
      }),
    )
  })
})
