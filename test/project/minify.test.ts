import { expect, it } from 'vitest'
import { minify } from '../../scripts/minify.ts'

it('module functions stand in parentheses, and methods stay as they are', async () => {
  const code = 'export const modules = { 1: (a) => a + 1, 2: function (a) { return a }, 3(a) { return a } }'
  const minified = await minify(code)
  expect(minified).toMatch(/1:\(\w+=>/)
  expect(minified).toMatch(/2:\(function/)
  const { modules } = await import(`data:text/javascript,${encodeURIComponent(minified)}`)
  expect(modules[3](4)).toBe(4)
})

it('code without a table of modules is refused', async () => {
  await expect(minify('export const a = 1')).rejects.toThrow('no table of webpack modules')
})
