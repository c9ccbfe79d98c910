/** Builds report.html from src/visitors/page/: one file with its style, its script, and a policy that allows nothing else. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

const root = join(import.meta.dirname, '..')

/** The template's placeholder for the report's JSON, with quotes. In the JSON, every `<` must be `\u003c`. */
const placeholder = '"%REPORT%"'

/** The template: the complete page, except for the report's JSON. */
export async function buildPage(): Promise<string> {
  const style = `\n${readFileSync(join(root, 'src/visitors/page/report.css'), 'utf8')}`
  const script = `\n${await bundle()}`
  const skeleton = readFileSync(join(root, 'src/visitors/page/report.html'), 'utf8')
  const page = [
    ['%POLICY%', policy(script, style)],
    ['<link rel="stylesheet" href="report.css" />', inline('style', '', style)],
    ['<script type="module" src="report.ts"></script>', inline('script', ' type="module"', script)],
  ].reduce((text, [place = '', content = '']) => put(text, place, content), skeleton)
  if (page.split(placeholder).length !== 2) throw new Error(`The page must hold ${placeholder} once.`)
  return page
}

function put(text: string, place: string, content: string): string {
  if (text.split(place).length !== 2)
    throw new Error(`src/visitors/page/report.html must hold ${place} once.`)
  return text.replace(place, () => content)
}

function inline(tag: string, attributes: string, content: string): string {
  // These would end the block, or start a comment in it.
  if (/<\/(?:script|style)|<!--/i.test(content)) throw new Error(`The ${tag} must not hold a tag of its own.`)
  return `<${tag}${attributes}>${content}</${tag}>`
}

function policy(script: string, style: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** The script and its imports, as one module. */
async function bundle(): Promise<string> {
  const entry = join(root, 'src/visitors/page/report.ts')
  const { output } = await build({ cwd: root, input: entry, write: false, output: { comments: false } })
  const [{ code }, ...others] = output
  if (others.length > 0) throw new Error('The page must be one file.')
  return code
}
