/**
 * The runner, through @actions/core. Everything that goes to it passes here, so here secrets are taken out and text is
 * kept from commanding the runner: the summary and the outputs are not masked by anybody else.
 */
import * as core from '@actions/core'
import type { LogEntry } from '../core/log-entry.ts'
import { redactor } from '../core/redact.ts'
import { cut, withoutCommands } from '../core/text.ts'

/** GitHub cuts an annotation's text here, in characters (actions/runner). */
const annotationLimit = 4_096

const annotate = { notice: core.notice, warning: core.warning, error: core.error }

export interface Runner {
  log(entry: LogEntry): void
  /** Appends to the output file at once, so that it stands even if the step is killed. */
  output(name: string, value: string): void
  /** Keeps a value for the post step. */
  save(name: string, value: string): void
  /** Replaces the step's summary. One that can't be written costs a warning, not the step. */
  summary(markdown: string): Promise<void>
}

/** Reads inputs by name: trimmed, empty where absent. */
export function readInputs<Name extends string>(names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, core.getInput(name)])) as Record<Name, string>
}

/** Reads a value that the main step saved; empty where it saved none. */
export const readSaved = core.getState

/** Masks the secrets in the log, and makes a runner whose every word is without them. */
export function createRunner(secrets: readonly string[]): Runner {
  const known = secrets.filter((secret) => secret.length >= 8)
  for (const secret of known) core.setSecret(secret)
  const redact = redactor(known)
  const printable = (text: string) => withoutCommands(redact(text))

  /** A full disk must not end the step: what it goes on to say is all that is left of a job. It fails it, though. */
  function written(name: string, write: () => void): void {
    try {
      write()
    } catch (error) {
      core.setFailed(`${name} could not be written for later steps: ${printable(String(error))}`)
    }
  }

  return {
    log(entry) {
      const text = printable(entry.text)
      if (entry.level === 'info') return core.info(text)
      const title = printable(entry.title)
      if (entry.level === 'group') {
        core.startGroup(title)
        core.info(text)
        core.endGroup()
      } else annotate[entry.level](cut(text, annotationLimit), { title })
    },
    output: (name, value) => written(name, () => core.setOutput(name, redact(value))),
    save: (name, value) => written(name, () => core.saveState(name, value)),
    async summary(markdown) {
      try {
        await core.summary.emptyBuffer().addRaw(redact(markdown)).write({ overwrite: true })
      } catch (error) {
        core.warning(`The summary could not be written: ${printable(String(error))}`)
      }
    },
  }
}
