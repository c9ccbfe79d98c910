/** A release's notes come from CHANGELOG.md. Without them, there is no release. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { releaseNotes } from '../../scripts/release-notes.ts'

const changelog = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-11-20

### Added

- A thing.

## [1.0.0] - unreleased

- The first.

## [0.9.0] - 2026-11-01

[1.1.0]: https://example.com/1.1.0
`

it("a version's notes are found, without the links at the end", () => {
  expect(releaseNotes('v1.1.0', '1.1.0', changelog)).toEqual({ ok: true, notes: '### Added\n\n- A thing.' })
})

describe('a release is rejected', () => {
  it.each([
    ['a tag without the v', '1.1.0', '1.1.0', 'is not a release tag'],
    ['a pre-release tag', 'v1.1.0-rc.1', '1.1.0-rc.1', 'is not a release tag'],
    ['another version in package.json', 'v1.1.0', '1.0.0', 'package.json has the version 1.0.0'],
    ['a version that is not in CHANGELOG.md', 'v1.2.0', '1.2.0', 'no section'],
    ['a version without a date', 'v1.0.0', '1.0.0', 'no date'],
    ['a version with an empty section', 'v0.9.0', '0.9.0', 'says nothing'],
  ])('a release is rejected for %s', (_, tag, version, fault) => {
    const result = releaseNotes(tag, version, changelog)
    expect(result).toMatchObject({ ok: false, fault: expect.stringContaining(fault) })
  })
})

it('CHANGELOG.md has a section for the version in package.json', () => {
  const read = (path: string) => readFileSync(join(projectDir, path), 'utf8')
  expect(read('CHANGELOG.md')).toContain(`\n## [${JSON.parse(read('package.json')).version}] - `)
})
