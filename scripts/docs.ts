/**
 * `npm run docs`: generates visitors/, settle/ and the inputs and outputs of the reusable workflows from action.yml, and updates the
 * tables and examples in README.md and docs/.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { monthHead, monthRows } from '../bench/month.ts'
import { projectDir, readAction } from '../sandbox/runner/action.ts'
import { type Mode, type Outcome, outcomes } from '../src/core/outcome.ts'
import { requestsOf, spread } from './budget.ts'
import { reusableWorkflows, withInterface } from './reusable-workflows.ts'
import { isInputOf, isOutputOf, subActions, subActionYaml } from './sub-actions.ts'

/** What each outcome means, and how the step ends. */
const outcomeTexts: Record<Outcome, [means: string, step: string]> = {
  'pull-request': ['The job finished with a pull request.', 'green'],
  'out-of-bounds': [
    'The job finished, but its pull request changes a file outside `allowed-paths`, or its files could not be read.',
    'green with a warning; red if in `fail-on`',
  ],
  'no-changes': [
    'The job finished without a pull request, and a second poll confirmed it.',
    'green; red if in `fail-on`',
  ],
  archived: [
    'The job was archived, with or without a pull request.',
    'green with a warning; red if in `fail-on`',
  ],
  failed: ['Mintlify reports that the job failed.', 'red unless `fail-on` omits it'],
  'timed-out': [
    'When `timeout` expired, the job was still active, or had shown no new work since a follow-up. The summary contains a step that you can paste into a workflow to wait for it.',
    'red unless `fail-on` omits it',
  ],
  detached: ['The job was created. With `wait: false`, the step does not wait for it.', 'green'],
  settled: [
    'Mode `settle` ran.',
    'green; red if a job that it reported has an outcome that you listed in `fail-on`',
  ],
  reported: ['The visitors report was written.', 'green'],
  alert: [
    'The visitors report was written, and human visitors fell by `alert-drop` or more.',
    'green with a warning; red if in `fail-on`',
  ],
  skipped: [
    'The event is not for this step, the person is not allowed, or there is nothing to document. The log says which.',
    'green',
  ],
  'dry-run': ['The summary lists the checks. Nothing was sent or written.', 'green; red if a check fails'],
  cancelled: [
    'The run was cancelled. The job, if there is one, continues on Mintlify. The summary shows how to wait for it.',
    'as GitHub decides',
  ],
  unconfirmed: [
    'Mintlify may have received the request, but no job ID arrived. The request is not resent.',
    'red',
  ],
  error: ['An input is wrong, the key was rejected, a service is unavailable, or similar.', 'red'],
}

/** A page, with the tables and examples between its markers up to date. */
export function withGenerated(page: string): string {
  const tables: Record<string, string> = {
    inputs: perAction(inputTable),
    outputs: perAction(outputTable),
    outcomes: table(
      ['outcome', 'meaning', 'step'],
      outcomes.map((name) => [`\`${name}\``, ...outcomeTexts[name]]),
    ),
    budgets: budgetTable(),
    costs: table(monthHead, monthRows()),
  }
  return page.replace(
    /^(<!-- (\w+)(?: (\S+))? -->\n)[\s\S]*?^(<!-- \/\2 -->)$/gm,
    (_, start: string, kind: string, name: string | undefined, end: string) =>
      `${start}\n${kind === 'example' ? example(name ?? '') : tables[kind]}\n\n${end}`,
  )
}

const fleetSizes = [5, 50, 500]
const hoursOfWeek = 168

/** How long an organization's reports take, by the size of its docs. */
function budgetTable(): string {
  const rows = [250, 500, 1000, 1500, 2500, 5000].map((pages) => {
    const requests = requestsOf(pages)
    const hours = fleetSizes.map((projects) => hoursText(spread(projects, requests).hours))
    const size = `up to ${pages.toLocaleString('en-US')}`
    return [size, `${requests}`, `${spread(1, requests).perHour}`, ...hours]
  })
  return table(
    ['pages', 'requests', 'reports an hour', ...fleetSizes.map((size) => `${size} projects`)],
    rows,
  )
}

function hoursText(hours: number): string {
  return hours > hoursOfWeek ? 'more than a week' : `${hours} h`
}

/** A table for each of the three actions, below the action's name. */
function perAction(tableOf: (mode: Mode) => string): string {
  const actions: [name: string, mode: Mode][] = [
    ['docs-agent-action', 'agent'],
    ...subActions.map((mode): [string, Mode] => [`docs-agent-action/${mode}`, mode]),
  ]
  return actions.map(([name, mode]) => `### \`${name}\`\n\n${tableOf(mode)}`).join('\n\n')
}

function inputTable(mode: Mode): string {
  // An action for a single mode does not list the input `mode`.
  const names = Object.entries(readAction().inputs).filter(
    ([name]) => isInputOf(mode, name) && (name !== 'mode' || mode === 'agent'),
  )
  return table(
    ['input', 'default', 'meaning'],
    names.map(([name, { description, required, default: fallback }]) => [
      `\`${name}\``,
      required === 'true' ? 'required' : fallback && `\`${fallback}\``,
      description,
    ]),
  )
}

function outputTable(mode: Mode): string {
  const names = Object.entries(readAction().outputs).filter(([name]) => isOutputOf(mode, name))
  return table(
    ['output', 'meaning'],
    names.map(([name, { description }]) => [`\`${name}\``, description]),
  )
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  return [head, head.map(() => ':--'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`)
    .join('\n')
}

function example(name: string): string {
  return `\`\`\`yaml\n${read(join('examples', name))}\`\`\``
}

/** README.md and the pages of docs/, relative to the project. */
export function pages(): string[] {
  const docs = readdirSync(join(projectDir, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...docs.map((name) => join('docs', name))]
}

/** The path of every generated file, relative to the project, and its correct content. */
export function generatedFiles(): [path: string, text: string][] {
  return [
    ...subActions.map((mode): [string, string] => [`${mode}/action.yml`, subActionYaml(mode)]),
    ...reusableWorkflows.map((workflow): [string, string] => [
      workflow.path,
      withInterface(read(workflow.path), workflow),
    ]),
    ...pages().map((page): [string, string] => [page, withGenerated(read(page))]),
  ]
}

function read(path: string): string {
  return readFileSync(join(projectDir, path), 'utf8')
}

if (import.meta.main)
  for (const [path, text] of generatedFiles()) {
    mkdirSync(dirname(join(projectDir, path)), { recursive: true })
    writeFileSync(join(projectDir, path), text)
  }
