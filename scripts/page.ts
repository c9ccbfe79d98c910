/**
 * Builds report.html from src/visitors/page/: one file that contains its style and its script, and a policy that allows nothing else.
 * The script's modules are joined in the order of their imports; without types they need nothing more.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const entry = join(root, 'src/visitors/page/report.ts')

/** The template's placeholder for the report's JSON, with quotes. In the JSON, every `<` must be `\u003c`. */
const placeholder = '"%REPORT%"'

/** The finished template. */
export function buildPage(): string {
  const style = `\n${readFileSync(join(root, 'src/visitors/page/report.css'), 'utf8')}`
  const script = `\n${bundle(entry)}`
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
  // These would end the block or begin a comment in it.
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

const importLine = /^import\s*\{[\w\s,]*\}\s*from\s*'([^']+)'\n/gm
const declaration = /^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm

/** The modules that `file` needs as one script, each once and after its own imports. */
function bundle(file: string): string {
  const modules = new Map<string, string>()
  const names = new Map<string, string>()

  function add(path: string): void {
    if (modules.has(path)) return
    modules.set(path, '')
    const source = stripTypeScriptTypes(readFileSync(path, 'utf8'))
    for (const [, name = ''] of source.matchAll(importLine)) add(join(dirname(path), name))
    for (const [, name = ''] of source.matchAll(declaration)) {
      // Joined, all modules share one scope.
      const other = names.get(name)
      if (other !== undefined) throw new Error(`${name} is declared in ${other} and in ${path}.`)
      names.set(name, path)
    }
    // Last, so that a module follows its imports.
    modules.delete(path)
    modules.set(path, plain(source, path))
  }

  add(file)
  return [...modules.values()].join('\n')
}

/** A module without imports and exports, and without the blanks that its types leave. */
function plain(source: string, path: string): string {
  const text = source
    .replace(importLine, '')
    .replace(/^export (?=(?:async )?(?:function|const|let|class) )/gm, '')
    // What a module only passes on has its name already.
    .replace(/^export \{[\w\s,]*\}\n/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
  const left = /^(?:import|export)\b.*/m.exec(text)
  if (left !== null)
    throw new Error(`${path}: only named imports and exports can be joined, not "${left[0]}".`)
  return text.trimStart()
}
