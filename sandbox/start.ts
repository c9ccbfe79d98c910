/** `npm start`: runs the committed bundle as the runner does, against mocks of Mintlify and GitHub on this machine. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { nextFolder, repository, startDemo, stepOn } from './demo.ts'
import type { GitHub } from './github/server.ts'
import { renderPage } from './page.ts'
import { dispatched } from './payloads.ts'
import { accountOn } from './platform/server.ts'
import { readAction } from './runner/action.ts'
import type { StepOptions } from './runner/environment.ts'
import type { LogLine } from './runner/log.ts'
import { type StepResult, startStep } from './runner/step.ts'
import { threadPage, threadText } from './thread.ts'

const usage = `Runs the action against mocks of Mintlify and GitHub. Nothing leaves this machine.

  npm start                          a prompt
  npm start -- --comment [TEXT]      a comment on an issue, and its thread
  npm start -- --mode visitors       the visitors report
  npm start -- --mode settle         what earlier runs left open: nothing, here

Each input of the action is a flag, too: npm start -- --dry-run true. See docs/reference.md.`

/** Each run has a folder of its own. */
const out = nextFolder()
const styles = { error: 'red', warning: 'yellow', notice: 'blue', group: 'bold' } as const

/** The inputs on the command line, and the comment, if any. Throws for flags that do not exist. */
function readOptions() {
  const flags = Object.keys(readAction().inputs).map((name) => [name, { type: 'string' as const }])
  const { values, positionals } = parseArgs({
    options: {
      ...Object.fromEntries(flags),
      comment: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: process.argv.includes('--comment'),
  })
  const { comment, help, ...inputs } = values as Record<string, string> & {
    comment?: boolean
    help?: boolean
  }
  return { help, inputs, text: comment ? positionals.join(' ') || '/docs fix the install page' : undefined }
}

type Options = ReturnType<typeof readOptions>

async function start(options: Options): Promise<void> {
  if (options.help) return console.log(usage)
  mkdirSync(out, { recursive: true })
  const { text, inputs } = options
  const { platform, hub, event } = await startDemo(text)
  try {
    console.log('The action runs against mocks of Mintlify and GitHub. Nothing leaves this machine.')
    if (inputs.mode === undefined || inputs.mode === 'agent')
      console.log('The job takes a few seconds here, and minutes on Mintlify.\n')
    const result = await run({
      ...stepOn(text === undefined ? dispatched({ repository }) : event, hub.url),
      workspace: process.cwd(),
      with: { ...accountOn(platform), ...demoInputs(options), ...inputs },
    })
    if (text !== undefined) await showThread(hub)
    await showResult(result)
    console.log(`\nNext, try: npm start -- ${text === undefined ? '--comment' : '--mode visitors'}`)
  } finally {
    await platform.close()
    await hub.close()
  }
}

/** The inputs that the command line can replace. */
function demoInputs({ text, inputs }: Options): Record<string, string> {
  if (inputs.mode === 'settle') return {}
  if (inputs.mode === 'visitors') {
    const folder = relative(process.cwd(), join(out, 'report'))
    return { 'report-dir': folder, 'site-url': 'https://docs.example.com' }
  }
  const asked =
    text === undefined ? { prompt: 'Fix the install page: it still names version 1.' } : { command: '/docs' }
  return { 'poll-interval': '1s', ...asked }
}

function run(options: StepOptions): Promise<StepResult> {
  const step = startStep({ ...options, onLine: showLine })
  process.once('SIGINT', () => step.cancel())
  return step.done
}

/** Prints a line as in GitHub's log. An annotation's title precedes the text unless the text begins with it. */
function showLine({ kind, text, title }: LogLine): void {
  if (kind === 'text') console.log(text)
  if (!(kind in styles)) return
  const heading = title && !text.startsWith(title) ? `${title}. ` : ''
  const label = kind === 'group' ? '▼ ' : `${kind}: ${heading}`
  console.log(styleText(styles[kind as keyof typeof styles], `${label}${text}`, { stream: process.stdout }))
}

async function showThread(hub: GitHub): Promise<void> {
  console.log(`\nThe thread: ${threadText(hub)}\n`)
  writeFileSync(join(out, 'thread.html'), await threadPage(hub))
  console.log(`As GitHub shows it: ${join(out, 'thread.html')}`)
}

async function showResult({ outputs, summary, exitCode }: StepResult): Promise<void> {
  console.log('\nOutputs, without the empty ones:')
  for (const [name, value] of Object.entries(outputs)) if (value !== '') console.log(`${name}=${value}`)
  writeFileSync(join(out, 'summary.html'), await renderPage('Job summary', summary))
  console.log(
    `\nThe step ${exitCode === 0 ? 'succeeds' : 'fails'}. Its summary: ${join(out, 'summary.html')}`,
  )
  process.exitCode = exitCode ?? 1
}

try {
  await start(readOptions())
} catch (error) {
  if (!/^ERR_PARSE_ARGS/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
  console.error(`${(error as Error).message}\n\n${usage}`)
  process.exitCode = 2
}
