/** What the README and the other pages link to is there: files, and headings in them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'

const pages = ['.', 'docs'].flatMap((folder) =>
  readdirSync(join(projectDir, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

/** Where a page leads within the project: by Markdown's links, and by HTML's `src` and `srcset`. */
function targetsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)]
  return links
    .map(([, link, source]) => link ?? source ?? '')
    .filter((target) => !/^(https?|mailto):/.test(target))
}

/** As GitHub makes anchors of headings, of the letters that are used here. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

it.each(pages)('%s leads nowhere that is not there', (page) => {
  const text = readFileSync(join(projectDir, page), 'utf8')
  const broken = targetsOf(text).filter((target) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? join(projectDir, page) : join(projectDir, dirname(page), path)
    if (!existsSync(file)) return true
    return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor)
  })
  expect(broken).toEqual([])
})

it('tells a link that leads nowhere', () => {
  expect(targetsOf('[a](b.md#c) ![d](e.png) [f](https://g.example) <img src="h.png">')).toEqual([
    'b.md#c',
    'e.png',
    'h.png',
  ])
  expect(anchorsOf('## Who reads the docs')).toEqual(['who-reads-the-docs'])
})
