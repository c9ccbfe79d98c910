/** The files into which a step writes its outputs, state and summary (FileCommandManager.cs). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Maximum size in bytes; a larger summary is dropped completely (CreateStepSummaryCommand). */
const summaryLimit = 1_048_576

/** The files, by variable name without `GITHUB_`. */
const fileNames = ['OUTPUT', 'STATE', 'ENV', 'PATH', 'STEP_SUMMARY'] as const

/** Creates empty command files in a new folder, and returns the variables with their paths. */
export function createCommandFiles(folder: string): Record<string, string> {
  mkdirSync(folder)
  for (const name of fileNames) writeFileSync(join(folder, name), '')
  return Object.fromEntries(fileNames.map((name) => [`GITHUB_${name}`, join(folder, name)]))
}

/** What a script wrote into the files of a folder. The summary is empty if it was too long. */
export function readCommandFiles(folder: string) {
  const read = (name: (typeof fileNames)[number]) => readFileSync(join(folder, name), 'utf8')
  const summary = read('STEP_SUMMARY')
  return {
    outputs: parsePairs(read('OUTPUT')),
    state: parsePairs(read('STATE')),
    summary: Buffer.byteLength(summary) > summaryLimit ? '' : summary,
  }
}

/** Reads `name=value` lines and `name<<DELIMITER` … `DELIMITER` blocks. Ignores anything else. */
export function parsePairs(text: string): Record<string, string> {
  const pairs = text.matchAll(/^([^=\n]+?)(?:<<(.+)\r?\n((?:.*\r?\n)*?)\2|=(.*))$/gm)
  return Object.fromEntries(
    [...pairs].map(([, name, , block, value]) => [name, value ?? block?.replace(/\r?\n$/, '') ?? '']),
  )
}
