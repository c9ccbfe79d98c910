/** `npm run docs`: writes the tables of inputs, outputs, outcomes and costs, and copies examples/ into README.md and docs/. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Load, loads, plans, runners } from '../bench/minutes.ts'
import { inputGroups } from '../sandbox/options.ts'
import { projectDir, readAction } from '../sandbox/runner/action.ts'
import { type Outcome, outcomes } from '../src/core/outcome.ts'

/** What each outcome means, and what becomes of the step. */
const outcomeTexts: Record<Outcome, [means: string, step: string]> = {
  'pull-request': ['The job finished with a pull request.', 'green'],
  'out-of-bounds': [
    'The job finished, but its pull request changes a file outside `allowed-paths`, or its files could not be read.',
    'green with a warning; red if in `fail-on`',
  ],
  'no-changes': [
    'The job finished without a pull request, and a second read confirmed it.',
    'green; red if in `fail-on`',
  ],
  archived: [
    'The job was archived, with or without a pull request.',
    'green with a warning; red if in `fail-on`',
  ],
  failed: ['Mintlify says that the job failed.', 'red unless `fail-on` omits it'],
  'timed-out': [
    'The job was still active when `timeout` ended. The summary shows the step that waits for it again.',
    'red unless `fail-on` omits it',
  ],
  detached: ['The job was created and, because of `wait: false`, not waited for.', 'green'],
  settled: ['Mode `settle` ran.', 'green'],
  reported: ['The visitors report was written.', 'green'],
  alert: [
    'The visitors report was written, and human visitors fell by `alert-drop` or more.',
    'green with a warning; red if in `fail-on`',
  ],
  skipped: [
    'The event is not for this step, the person is not allowed, or there is nothing to document. The log says which.',
    'green',
  ],
  'dry-run': ['The summary lists what was checked. Nothing was sent.', 'green; red if a check fails'],
  cancelled: [
    'The run was cancelled. The job, if there is one, continues at Mintlify. The summary shows how to wait for it.',
    'as GitHub decides',
  ],
  unconfirmed: [
    'Mintlify may have received the request, but no job id arrived. Nothing is sent again.',
    'red',
  ],
  error: ['An input is wrong, the key was refused, a service is unavailable, or similar.', 'red'],
}

/** A page with the current tables and examples at its markers. */
export function withGenerated(page: string): string {
  const { outputs } = readAction()
  const tables: Record<string, string> = {
    inputs: inputTables(),
    outputs: table(
      ['output', 'meaning'],
      Object.entries(outputs).map(([name, { description }]) => [`\`${name}\``, description]),
    ),
    outcomes: table(
      ['outcome', 'meaning', 'step'],
      outcomes.map((name) => [`\`${name}\``, ...outcomeTexts[name]]),
    ),
    costs: table(
      ['a month', ...runners.map(({ name }) => name)],
      loads.flatMap((load) => [
        [`**${load.name}**`, ...runners.map(() => '')],
        ...plans.map(({ name, minutes }) => [
          name,
          ...runners.map((runner) => cost(minutes(load, runner), runner.price, load)),
        ]),
      ]),
    ),
  }
  return page.replace(
    /^(<!-- (\w+)(?: (\S+))? -->\n)[\s\S]*?^(<!-- \/\2 -->)$/gm,
    (_, start: string, kind: string, name: string | undefined, end: string) =>
      `${start}\n${kind === 'example' ? example(name ?? '') : tables[kind]}\n\n${end}`,
  )
}

/** Billed minutes and dollars. */
function cost(minutes: number | null, price: number, { jobs }: Load): string {
  if (minutes === null) return 'not possible: ends after 15 min'
  return `${minutes.toFixed(0)} min, $${(minutes * price).toFixed(jobs === 1 ? 3 : 2)}`
}

/** A table for each group, under a heading. */
function inputTables(): string {
  return inputGroups()
    .map(({ title, inputs, also }) =>
      [
        `### ${title}`,
        table(
          ['input', 'default', 'meaning'],
          inputs.map(({ name, description, required, fallback }) => [
            `\`${name}\``,
            required ? 'required' : fallback && `\`${fallback}\``,
            description,
          ]),
        ),
        ...(also.length > 0
          ? [`Also reads ${also.map((name) => `\`${name}\``).join(', ')} (see above).`]
          : []),
      ].join('\n\n'),
    )
    .join('\n\n')
}

function table(head: string[], rows: (string | undefined)[][]): string {
  return [head, head.map(() => ':--'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`)
    .join('\n')
}

function example(name: string): string {
  return `\`\`\`yaml\n${readFileSync(join(projectDir, 'examples', name), 'utf8')}\`\`\``
}

/** README.md and the pages of docs/, relative to the project. */
export function pages(): string[] {
  const docs = readdirSync(join(projectDir, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...docs.map((name) => join('docs', name))]
}

if (import.meta.main)
  for (const page of pages()) {
    const path = join(projectDir, page)
    const text = readFileSync(path, 'utf8')
    const written = withGenerated(text)
    if (written !== text) writeFileSync(path, written)
  }
