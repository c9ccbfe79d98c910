import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { filesWithOwner, readOwner, withOwner } from '../../scripts/owner.ts'

it('readOwner accepts one valid login, and nothing else', () => {
  expect(readOwner(['acme-docs'])).toBe('acme-docs')
  for (const args of [[], [''], ['-a'], ['a--b'], ['a/b'], ['a', 'b'], ['$&'], ['a'.repeat(40)]])
    expect(readOwner(args)).toBeUndefined()
})

it.each(filesWithOwner())('withOwner leaves no placeholder in %s', (file) => {
  expect(withOwner(readFileSync(join(projectDir, file), 'utf8'), 'acme')).not.toContain('OWNER')
})

it('every page and workflow with the placeholder is found', () => {
  const folders = ['.', 'docs', 'examples', '.github', '.github/workflows']
  const found = folders.flatMap((folder) =>
    readdirSync(join(projectDir, folder))
      .filter((name) => /\.(?:md|yml)$|^CODEOWNERS$/.test(name))
      .map((name) => join(folder, name))
      .filter((file) => /OWNER\/|@OWNER/.test(readFileSync(join(projectDir, file), 'utf8'))),
  )
  expect(filesWithOwner()).toEqual(expect.arrayContaining(found))
})
