/**
 * `npm run docs`: generates visitors/, settle/ and the inputs and outputs of the reusable workflows from action.yml, TROUBLESHOOTING.md
 * from the messages, and the tables and examples in README.md and docs/.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectDir, readAction } from '../sandbox/runner/action.ts'
import {
  failable,
  failsByDefault,
  failsStep,
  type Mode,
  modes,
  type Outcome,
  outcomes,
} from '../src/core/outcome.ts'
import { sections } from '../src/visitors/sections/index.ts'
import { requestsOf, spread } from './budget.ts'
import { nextHead, nextRows } from './next-table.ts'
import { reusableWorkflows, withInterface } from './reusable-workflows.ts'
import { isInputOf, isOutputOf, subActions, subActionYaml } from './sub-actions.ts'
import { troubleshooting } from './troubleshooting.ts'

const outcomeTexts: Record<Outcome, string> = {
  'pull-request': 'The job ended with a pull request.',
  'out-of-bounds':
    'The job ended, but its pull request changes other files than `allowed-paths`, or could not be read.',
  'no-changes': 'The job ended without a pull request.',
  archived: 'Someone or Mintlify archived the job, which ended it with or without a pull request.',
  failed: 'Mintlify reports that the job failed.',
  'timed-out': 'At `timeout`, the job was still active. The summary shows how to wait for it.',
  detached: 'With `wait: false`: the job was created.',
  settled: 'Mode `settle` ran. Red if a job failed and you set `fail-on: failed`.',
  reported: 'The visitors report was written.',
  alert: 'As `reported`, but human visitors fell by `alert-drop` or more.',
  skipped:
    'The event is not for this step, the person is not allowed, or nothing is new. The log says which.',
  'dry-run': 'The checks are in the summary. Red if one failed.',
  cancelled: 'The run was cancelled. Its job, if any, continues on Mintlify.',
  unconfirmed: 'Mintlify may have received the request, but returned no job. The request is not resent.',
  error: 'An input is wrong, the key was rejected, a service is unavailable, or similar.',
}

/** How the step ends. */
function stepText(outcome: Outcome): string {
  if (failsStep(outcome, new Set())) return 'red'
  if (failsByDefault.includes(outcome)) return 'red by default'
  return failable.includes(outcome) ? 'green by default' : 'green'
}

/** A page, with the tables and examples between its markers up to date. */
export function withGenerated(page: string): string {
  const tables: Record<string, string> = {
    inputs: inputTable(),
    outputs: outputTable(),
    outcomes: table(
      ['outcome', 'step', 'meaning'],
      outcomes.map((name) => [`\`${name}\``, stepText(name), outcomeTexts[name]]),
    ),
    budgets: budgetTable(),
    next: table(nextHead, nextRows()),
  }
  return page.replace(
    /^(<!-- (\w+)(?: (\S+))? -->\n)[\s\S]*?^(<!-- \/\2 -->)$/gm,
    (_, start: string, kind: string, name: string | undefined, end: string) =>
      `${start}\n${kind === 'example' ? example(name ?? '') : tables[kind]}\n\n${end}`,
  )
}

const fleetSizes = [5, 50]

/** How long an organization's reports take, by the size of its docs. */
function budgetTable(): string {
  const rows = [250, 1500, 5000].map((pages) => {
    const requests = requestsOf(pages)
    const hours = fleetSizes.map((projects) => `${spread(projects, requests).hours} h`)
    return [pages.toLocaleString('en-US'), `${requests}`, `${spread(1, requests).perHour}`, ...hours]
  })
  return table(
    ['pages, at most', 'requests', 'reports an hour', ...fleetSizes.map((size) => `${size} projects`)],
    rows,
  )
}

function inputTable(): string {
  const { inputs } = readAction()
  return table(
    ['input', 'default', 'mode', 'meaning'],
    Object.entries(inputs).map(([name, { description, required, default: fallback }]) => [
      `\`${name}\``,
      required === 'true' ? 'required' : fallback && `\`${fallback}\``,
      modesText((mode) => isInputOf(mode, name)),
      description,
    ]),
  )
}

function outputTable(): string {
  return table(
    ['output', 'mode', 'meaning'],
    Object.entries(readAction().outputs).map(([name, { description }]) => [
      `\`${name}\``,
      modesText((mode) => isOutputOf(mode, name)),
      description,
    ]),
  )
}

/** The modes that have something in common. */
function modesText(isIn: (mode: Mode) => boolean): string {
  const found = modes.filter(isIn)
  return found.length === modes.length ? 'all' : found.join(', ')
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

/** action.yml, with the names of the report's sections up to date. */
function withSections(action: string): string {
  const names = Object.keys(sections)
    .map((name) => `\`${name}\``)
    .join(', ')
  return action.replace(/(?<=what readers say to the report: )[^.]+/, names)
}

/**
 * The path of every generated file, relative to the project, and its correct content. Files after action.yml are made
 * from it.
 */
export function* generatedFiles(): Generator<[path: string, text: string]> {
  yield ['action.yml', withSections(read('action.yml'))]
  for (const mode of subActions) yield [`${mode}/action.yml`, subActionYaml(mode)]
  for (const workflow of reusableWorkflows)
    yield [workflow.path, withInterface(read(workflow.path), workflow)]
  for (const page of [...pages(), 'ARCHITECTURE.md']) yield [page, withGenerated(read(page))]
  yield ['TROUBLESHOOTING.md', troubleshooting()]
}

function read(path: string): string {
  return readFileSync(join(projectDir, path), 'utf8')
}

if (process.argv[1] === import.meta.filename)
  for (const [path, text] of generatedFiles()) {
    mkdirSync(dirname(join(projectDir, path)), { recursive: true })
    writeFileSync(join(projectDir, path), text)
  }
