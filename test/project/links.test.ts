/** Links in the README and other pages lead to files and headings that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'

const read = (page: string) => readFileSync(join(projectDir, page), 'utf8')
const pages = ['.', 'docs'].flatMap((folder) =>
  readdirSync(join(projectDir, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

/** The targets of a page within the project: Markdown links, and `src` and `srcset` of HTML. */
function targetsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)]
  return links
    .map(([, link, source]) => link ?? source ?? '')
    .filter((target) => !/^(https?|mailto):/.test(target))
}

/** The anchors of a page's headings on GitHub, for the characters used here. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

it.each(pages)('%s has no broken link', (page) => {
  const broken = targetsOf(read(page)).filter((target) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(projectDir, file))) return true
    return anchor !== undefined && !anchorsOf(read(file)).includes(anchor)
  })
  expect(broken).toEqual([])
})

it('the link check finds links', () => {
  expect(pages.flatMap((page) => targetsOf(read(page))).length).toBeGreaterThan(50)
})

it('every path in ARCHITECTURE.md exists', () => {
  const paths = [...read('ARCHITECTURE.md').matchAll(/`([\w./-]+(?:\.(?:ts|js|yml|md|html)|\/))`/g)].map(
    ([, path = '']) => path,
  )
  const roots = ['', 'src', 'src/core', 'src/visitors']
  const missing = paths.filter((path) => !roots.some((root) => existsSync(join(projectDir, root, path))))
  expect(paths.length).toBeGreaterThan(40)
  expect(missing).toEqual([])
})
