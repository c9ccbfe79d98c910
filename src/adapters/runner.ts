/**
 * The runner, through @actions/core. All output passes through here, so that secrets are removed and text cannot become
 * a workflow command. The runner itself does not mask summaries or outputs.
 */
import * as core from '@actions/core'
import { inputNames, type RawInputs } from '../core/inputs/schema.ts'
import type { LogEntry } from '../core/log.ts'
import { maskTokens, minSecretLength, redactor } from '../core/redact.ts'
import { withoutCommands } from '../core/text.ts'
import { counted } from '../core/units.ts'

const annotate = { notice: core.notice, warning: core.warning, error: core.error }

/** What a step writes to the runner. */
export type Runner = ReturnType<typeof createRunner>

/** Reads all inputs: trimmed, and empty if missing. */
export function readInputs() {
  return Object.fromEntries(inputNames.map((name) => [name, core.getInput(name)])) as RawInputs
}

/**
 * What the main step saves for the post step. If `finished` is saved and `checkpoint` is empty, the post step has nothing to
 * do, so scripts/bundle/post.js, which reads both, does not load the bundle.
 */
type StateName = 'jobId' | 'sending' | 'checkpoint' | 'finished'

/** Reads a value that the main step saved; empty if it saved none. */
export const readState: (name: StateName) => string = core.getState

/** Masks the secrets in the log, and makes a runner that removes them from everything else. */
export function createRunner(secrets: readonly string[]) {
  for (const secret of secrets.filter(({ length }) => length >= minSecretLength)) core.setSecret(secret)
  const redact = redactor(secrets)
  const printable = (text: string) => withoutCommands(maskTokens(redact(text)).text)

  /** Runs a write. If the disk is full, the step fails but continues, because the log is then the only trace of the job. */
  function tryToWrite(name: string, write: () => void) {
    try {
      write()
      return true
    } catch (error) {
      core.setFailed(`Could not write ${name} for later steps: ${printable(String(error))}`)
      return false
    }
  }

  function logEntry(entry: LogEntry) {
    const text = printable(entry.text)
    if (entry.level === 'info') return core.info(text)
    const title = printable(entry.title)
    if (entry.level !== 'group') return annotate[entry.level](text, { title })
    core.startGroup(title)
    core.info(text)
    core.endGroup()
  }

  return {
    log: (...entries: readonly LogEntry[]) => entries.forEach(logEntry),
    /** Appends to the output file immediately, so that the outputs survive if the step is killed. */
    output(values: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(values))
        tryToWrite(name, () => core.setOutput(name, redact(value)))
    },
    /** Saves a value for the post step; false if it could not be written. */
    save: (name: StateName, value: string) => tryToWrite(name, () => core.saveState(name, value)),
    fail() {
      process.exitCode = core.ExitCode.Failure
    },
    /** Replaces the step's summary. If it cannot be written, logs a warning. */
    async summary(markdown: string) {
      try {
        const { text, count } = maskTokens(redact(markdown))
        await core.summary.emptyBuffer().addRaw(text).write({ overwrite: true })
        if (count > 0) core.info(`Masked ${counted(count, 'token')} in the summary.`)
      } catch (error) {
        core.warning(`Could not write the summary: ${printable(String(error))}`)
      }
    },
  }
}
