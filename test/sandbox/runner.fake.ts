/** Small actions for the emulated runner. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningStep, type StepOptions, type StepResult, startStep } from '../../sandbox/runner/step.ts'
import { temporaryFolder } from '../running.ts'

export interface FakeAction {
  /** The main script, ESM. */
  main: string
  post?: string
  /** The `inputs:` of action.yml, indented by two spaces. */
  inputs?: string
}

/** Starts a step with a fake action, whose folder is removed after the test. */
export function startFake({ main, post, inputs }: FakeAction, options: StepOptions = {}): RunningStep {
  const actionDir = temporaryFolder()
  writeFileSync(join(actionDir, 'main.mjs'), `import { appendFileSync } from 'node:fs'\n${main}`)
  if (post !== undefined) writeFileSync(join(actionDir, 'post.mjs'), post)
  const runs = `runs:\n  using: node24\n  main: main.mjs\n${post === undefined ? '' : '  post: post.mjs\n'}`
  writeFileSync(join(actionDir, 'action.yml'), `name: fake\n${inputs ? `inputs:\n${inputs}\n` : ''}${runs}`)
  return startStep({ ...options, actionDir })
}

export function runFake(action: FakeAction, options: StepOptions = {}): Promise<StepResult> {
  return startFake(action, options).done
}

/** A fake action that prints these lines. */
export function printing(...lines: string[]): FakeAction {
  return { main: lines.map((line) => `console.log(${JSON.stringify(line)})`).join('\n') }
}

/** A fake action that appends text to a command file, such as GITHUB_OUTPUT. */
export function appending(variable: string, text: string): FakeAction {
  return { main: `appendFileSync(process.env.${variable}, ${JSON.stringify(text)})` }
}

/** The log, reduced to the kind and text of each line. */
export function shown({ log }: Pick<StepResult, 'log'>): string[] {
  return log.map(({ kind, text }) => (kind === 'text' ? text : `[${kind}] ${text}`.trim()))
}
