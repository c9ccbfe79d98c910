/** Links in the README and other pages lead to files and headings that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'

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
  const text = readFileSync(join(projectDir, page), 'utf8')
  const broken = targetsOf(text).filter((target) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? join(projectDir, page) : join(projectDir, dirname(page), path)
    if (!existsSync(file)) return true
    return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor)
  })
  expect(broken).toEqual([])
})

it('links and anchors are found', () => {
  expect(targetsOf('[a](b.md#c) ![d](e.png) [f](https://g.example) <img src="h.png">')).toEqual([
    'b.md#c',
    'e.png',
    'h.png',
  ])
  expect(anchorsOf('## Who reads the docs')).toEqual(['who-reads-the-docs'])
})

it('every path in ARCHITECTURE.md exists', () => {
  const text = readFileSync(join(projectDir, 'ARCHITECTURE.md'), 'utf8')
  const paths = [...text.matchAll(/`([\w./-]+(?:\.(?:ts|js|yml|md|html)|\/))`/g)].map(([, path = '']) => path)
  const roots = ['', 'src', 'src/usecases', 'src/core', 'src/steps', 'src/say']
  const missing = paths.filter((path) => !roots.some((root) => existsSync(join(projectDir, root, path))))
  expect(paths.length).toBeGreaterThan(40)
  expect(missing).toEqual([])
})
