/** The files into which a step writes its outputs, state and summary (FileCommandManager.cs). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Maximum size in bytes; a larger summary is dropped completely (CreateStepSummaryCommand). */
const summaryLimit = 1_048_576

/** The files, by variable name without `GITHUB_`. */
const fileNames = ['OUTPUT', 'STATE', 'ENV', 'PATH', 'STEP_SUMMARY'] as const

/** What a script wrote into the files. */
export interface HandedOver {
  outputs: Record<string, string>
  state: Record<string, string>
  summary: string
  /** Malformed content, or a summary that is too long. */
  faults: string[]
}

/** Creates empty command files in a new folder, and returns the variables with their paths. */
export function createCommandFiles(folder: string): Record<string, string> {
  mkdirSync(folder)
  for (const name of fileNames) writeFileSync(join(folder, name), '')
  return Object.fromEntries(fileNames.map((name) => [`GITHUB_${name}`, join(folder, name)]))
}

/** Reads the command files of a folder. */
export function readCommandFiles(folder: string): HandedOver {
  const read = (name: (typeof fileNames)[number]) => readFileSync(join(folder, name), 'utf8')
  const [state, outputs, summary] = [
    parsePairs(read('STATE')),
    parsePairs(read('OUTPUT')),
    read('STEP_SUMMARY'),
  ]
  const isTooLong = Buffer.byteLength(summary) > summaryLimit
  return {
    outputs: outputs.pairs,
    state: state.pairs,
    summary: isTooLong ? '' : summary,
    faults: [
      ...[state.fault, outputs.fault].filter((fault) => fault !== undefined),
      ...(isTooLong ? [`The summary has over ${summaryLimit} bytes`] : []),
    ],
  }
}

/** Reads `name=value` lines and `name<<DELIMITER` … `DELIMITER` blocks, up to the first malformed one. */
export function parsePairs(text: string): { pairs: Record<string, string>; fault?: string } {
  const pairs: Record<string, string> = {}
  // Only on Windows does the runner treat a carriage return as part of a line break.
  const lines = text.split(process.platform === 'win32' ? /\r?\n/ : '\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const [, name, operator, rest = ''] = /^(.*?)(=|<<)(.*)$/s.exec(line) ?? []
    if (!name || (operator === '<<' && rest === '')) return { pairs, fault: `Invalid format '${line}'` }
    if (operator === '=') {
      pairs[name] = rest
      continue
    }
    const end = lines.indexOf(rest, at + 1)
    if (end < 0) return { pairs, fault: `Matching delimiter not found '${rest}'` }
    pairs[name] = lines.slice(at + 1, end).join('\n')
    at = end
  }
  return { pairs }
}
