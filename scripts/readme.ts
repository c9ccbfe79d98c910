/** Writes the README's tables of inputs and outputs from action.yml. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir, readAction } from '../sandbox/runner/action.ts'

/** The README with new tables. */
export function withTables(readme: string, action = readAction()): string {
  const inputs = Object.entries(action.inputs).map(([name, { description, required, default: fallback }]) => [
    `\`${name}\``,
    required ? 'required' : fallback && `\`${fallback}\``,
    description,
  ])
  const outputs = Object.entries(action.outputs).map(([name, { description }]) => [
    `\`${name}\``,
    description,
  ])
  return between(
    between(readme, 'inputs', ['input', 'default', 'meaning'], inputs),
    'outputs',
    ['output', 'meaning'],
    outputs,
  )
}

function between(readme: string, marker: string, head: string[], rows: (string | undefined)[][]): string {
  const table = [head, head.map(() => ':--'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`,
  )
  const place = new RegExp(`(<!-- ${marker} -->\n)[^]*?(<!-- /${marker} -->)`)
  return readme.replace(place, (_, start: string, end: string) => `${start}\n${table.join('\n')}\n\n${end}`)
}

if (import.meta.main) {
  const path = join(projectDir, 'README.md')
  writeFileSync(path, withTables(readFileSync(path, 'utf8')))
}
