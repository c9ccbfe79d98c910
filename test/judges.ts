/** Tools that a test asks what is right. `npm run judges` installs those that are too large for every developer's machine. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where `npm run judges` puts them. */
export const judgesFolder = join(import.meta.dirname, '../.judges')

/** Versions of Mermaid. GitHub draws charts with one of them. */
export const mermaidVersions = ['11.17.2', '12.3.0']

/** The script of a version of Mermaid for a browser. */
export function mermaidScript(version: string): string {
  return join(judgesFolder, `mermaid-${version}.js`)
}

/** Whether a judge is missing. If so, prints what is skipped, so that no one overlooks it. */
export function withoutJudge(path: string, what: string): boolean {
  if (existsSync(path)) return false
  process.stdout.write(`skipped: ${what}; install the judge with npm run judges\n`)
  return true
}
