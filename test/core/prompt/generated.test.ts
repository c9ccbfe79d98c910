import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAttributes, whyGenerated } from '../../../src/core/prompt/generated.ts'
import { hostileText } from '../samples.ts'

const why = (path: string, gitattributes = '') =>
  whyGenerated(path, readAttributes(gitattributes), posix.matchesGlob)

const generated = 'generated, as .gitattributes says'
const vendored = 'vendored, as .gitattributes says'

describe('by its name', () => {
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
  ])('%s is %s', (path, reason) => {
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
  ])('%j makes %s %s', (text, path, reason) => {
    expect(why(path, text)).toBe(reason)
  })

  // Anybody may propose one. As globs these would keep the process busy for minutes; git knows no such patterns.
  it.each([
    ['braces', '{a,b}'.repeat(30)],
    ['groups', '+(a|a)'.repeat(12)],
    ['stars', '*a'.repeat(12)],
    ['stars in one name', '*a*a*a*b'],
    ['folders', '**/'.repeat(60)],
    ['length', 'a'.repeat(501)],
  ])('a pattern that branches without end is not taken: %s', (_, pattern) => {
    expect(readAttributes(`${pattern} linguist-generated\n*.ts linguist-generated`)).toEqual([
      { glob: '**/*.ts', why: 'generated', isSet: true },
    ])
  })

  it('has no more lines than are matched in a moment', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `/${index}.ts linguist-generated`)
    expect(readAttributes(lines.join('\n')).length).toBeLessThanOrEqual(500)
  })

  it('never throws, and names only what it says', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (text, path) => {
        const attributes = readAttributes(text)
        if (!text.includes('linguist-')) expect(attributes).toEqual([])
        expect([undefined, 'lock file', 'minified', 'vendored', generated, vendored]).toContain(
          whyGenerated(path, attributes, posix.matchesGlob),
        )
      }),
    )
  })
})
