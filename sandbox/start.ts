/** `npm start`: runs the committed bundle like the runner, against the embedded platform or Mintlify itself. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaults } from '../src/core/inputs/schema.ts'
import { toDay } from '../src/visitors/core/calendar.ts'
import { namedPeriod, periodNames } from '../src/visitors/core/period.ts'
import { demoPullRequest, repository } from './demo.ts'
import { type GitHub, startGitHub } from './github/server.ts'
import { flagsThatNpmTook, helpText, parseOptions, type StartOptions } from './options.ts'
import { renderPage } from './page.ts'
import { scheduled } from './payloads.ts'
import { demoReaders } from './platform/demo-readers.ts'
import { accountOn, type Platform, startPlatform } from './platform/server.ts'
import { seededTraffic } from './platform/traffic.ts'
import { projectDir } from './runner/action.ts'
import { type StepOptions, type StepResult, startStep } from './runner/step.ts'
import { type Scene, sceneOf, stepOn } from './scene.ts'
import { createStory, shipInputs, tellStory } from './ship.ts'
import { showLine } from './terminal.ts'
import { postsOf, showThreads, writeThreads } from './threads-page.ts'

const promptByHand = 'Fix the install page: it still names version 1.'
const promptOfPush = 'Update every page of the docs that this change makes wrong.'
const promptOfLabel = 'Update the docs for what this issue describes.'

/** Moves the action's clock one day ahead, because mode settle ignores requests from the last ten minutes. */
const aDayLater = `const now = Date.now; Date.now = () => now() + ${24 * 3_600_000}`

const parsed = parseOptions(process.argv.slice(2))
const [taken] = flagsThatNpmTook(process.env)
if (taken !== undefined)
  fail(`npm took --${taken} for its own flag. Put -- before it: npm start -- --${taken}`)
else if (parsed.kind === 'help') console.log(helpText())
else if (parsed.kind === 'fault') fail(`${parsed.text}\nTo list the flags, run: npm start -- --help`)
else await start(parsed.options)

async function start(options: StartOptions): Promise<void> {
  // Removes the files of an earlier run, which could be mistaken for this run's.
  rmSync(join(projectDir, 'out'), { recursive: true, force: true })
  if (options.live) return liveRun(options)
  // With --settle, the job ends while the second step waits for it, or before a schedule starts that step.
  const reads = options.settle ? { readsUntilEnd: opensPullRequest(options) ? 1 : 0 } : {}
  const platform = await startPlatform({ ends: options.ends, ...reads, ...siteFor(options.inputs) })
  const scene = sceneOf(options)
  const stage = scene && { scene, github: await startGitHub(scene.github) }
  try {
    const demo = demoInputs(options, platform)
    console.log(`The action runs against a mock of Mintlify at ${platform.url}. Nothing leaves this machine.`)
    if (demo.mode !== 'visitors' && options.inputs['poll-interval'] === undefined)
      console.log(
        'The job takes a few seconds and is polled every second. On GitHub, it is polled less often.',
      )
    if (options.ship) await runShip(demo)
    else await (options.settle && stage ? runSettle(options, demo, stage) : runAndShow(options, demo, stage))
    const jobs = demo.mode === 'visitors' ? '' : `, jobs: ${platform.jobs.size}`
    console.log(`Requests to the platform: ${platform.requests.length}${jobs}.`)
    console.log(`\nNext, try: ${nextTry(options)}`)
  } finally {
    await platform.close()
    await stage?.github.close()
  }
}

/** A command that shows another feature. */
function nextTry({ inputs, comment, push, settle, ship, ends }: StartOptions): string {
  if (inputs.mode === 'visitors') return 'npm start -- --ends failed'
  if (ship) return 'npm start -- --mode visitors'
  if (settle) return 'npm start -- --ship'
  if (push) return 'npm start -- --settle'
  if (comment !== undefined) return 'npm start -- --push'
  return ends === 'pull-request'
    ? 'npm start -- --comment "/docs fix the install page"'
    : 'npm start -- --help'
}

/** The visitors up to yesterday, and what readers said. The events in the traffic start with the period that the report shows. */
function siteFor({ period, 'date-from': from = '' }: Record<string, string>) {
  const today = toDay(Date.now())
  const name = periodNames.find((each) => each === period) ?? 'last-week'
  const events = from === '' ? namedPeriod(name, today).from : from.slice(0, 10)
  return { visitors: seededTraffic({ today, events }), readers: demoReaders(today) }
}

/** A scene, and its GitHub double. */
interface Stage {
  scene: Scene
  github: GitHub
}

/** Whether the agent opens a pull request. If so, the pull request's event starts mode settle. */
function opensPullRequest({ ends }: StartOptions): boolean {
  return ends === 'pull-request'
}

async function liveRun(options: StartOptions): Promise<void> {
  const { DOCS_AGENT_API_KEY: key, DOCS_PROJECT_ID: project } = process.env
  const inputs = { 'api-key': key ?? '', 'project-id': project ?? '', ...options.inputs }
  const missing = [
    ...(inputs['api-key'] === '' ? ['DOCS_AGENT_API_KEY'] : []),
    ...(inputs['project-id'] === '' ? ['DOCS_PROJECT_ID'] : []),
  ]
  if (missing.length > 0) return fail(`--live needs ${missing.join(' and ')} in the environment.`)
  console.log('The action runs against Mintlify itself.')
  await runAndShow(options, inputs)
}

/** The demo's inputs. The command line can replace them. */
function demoInputs(options: StartOptions, platform: Platform): Record<string, string> {
  const account = accountOn(platform)
  return options.inputs.mode === 'visitors'
    ? { ...account, 'report-dir': 'out/report', 'site-url': 'https://docs.example.com', ...options.inputs }
    : { ...account, ...agentInputs(options) }
}

function agentInputs({ inputs, ends, comment, push, settle }: StartOptions): Record<string, string> {
  const isCommand = comment !== undefined || settle
  const hasInstruction = isCommand || ['prompt', 'prompt-file', 'job-id'].some((name) => name in inputs)
  const withoutPush = inputs.label ? promptOfLabel : promptByHand
  return {
    'poll-interval': '1s',
    ...(hasInstruction ? {} : { prompt: push ? promptOfPush : withoutPush }),
    ...(ends === 'never' ? { timeout: '5s' } : {}),
    ...(isCommand ? { command: '/docs' } : {}),
    ...(settle ? { wait: 'false' } : {}),
    ...(push ? { 'context-diff': 'true' } : {}),
    ...inputs,
  }
}

async function runAndShow(
  options: StartOptions,
  inputs: Record<string, string>,
  stage?: Stage,
): Promise<void> {
  const isThread = options.comment !== undefined || options.inputs.label
  if (stage && isThread) await showThreads('The thread before:', stage.github)
  const result = await run({
    with: inputs,
    workspace: options.workspace ?? process.cwd(),
    ...(stage && stepOn(stage.scene.event, stage.github.url)),
    ...(options.live && { env: { GITHUB_API_URL: 'https://api.github.com' } }),
  })
  if (stage) await showThreads(`\n${titleAfter(options, Boolean(isThread))}`, stage.github)
  await showResult(result)
  process.exitCode = result.exitCode ?? 1
}

function titleAfter({ push }: StartOptions, isThread: boolean): string {
  if (isThread) return 'The thread after:'
  return push ? 'The pull requests:' : 'The issue:'
}

/** Runs a command that no step waits for. Then the agent's pull request or the schedule starts mode settle. */
async function runSettle(
  options: StartOptions,
  inputs: Record<string, string>,
  { scene, github }: Stage,
): Promise<void> {
  await showThreads('The thread before:', github)
  await run({ with: inputs, ...stepOn(scene.event, github.url) })
  await showThreads('\nThe thread while the agent works, and no step runs:', github)
  const isOpened = opensPullRequest(options)
  console.log(
    isOpened
      ? "The agent's pull request opens, and starts mode settle."
      : 'No pull request opens. The next day, the schedule starts mode settle.',
  )
  const step = stepOn(isOpened ? demoPullRequest() : scheduled(repository), github.url)
  const later = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(aDayLater)}` }
  const read = Object.entries(inputs).filter(([name]) => name in defaults.settle)
  const result = await run({
    ...step,
    with: { ...Object.fromEntries(read), mode: 'settle' },
    env: { ...step.env, ...(isOpened ? {} : later) },
  })
  await showThreads('\nThe thread after:', github)
  await showResult(result)
  process.exitCode = result.exitCode ?? 1
}

/** Shows on one screen how docs ship with a feature: each event, how its step ends, and what is new on GitHub. */
async function runShip(account: Record<string, string>): Promise<void> {
  const story = createStory()
  const github = await startGitHub(story.github)
  const names = ['project-id', 'api-key', 'base-url']
  const given = Object.fromEntries(Object.entries(account).filter(([name]) => names.includes(name)))
  const events = [
    ['mona adds the label docs to her pull request #12.', story.label, 'agent'],
    ["rita adds a commit to the agent's pull request #101.", story.pushDocs, 'settle'],
    ['mona merges #12.', story.merge, 'settle'],
    ['The merge is pushed, and starts the agent step again.', story.pushed, 'agent'],
  ] as const
  let shown: string[] = []
  try {
    for (const [title, happens, mode] of events) {
      const step = stepOn(happens(), github.url)
      const interval = mode === 'agent' ? { 'poll-interval': '1s' } : {}
      const { outputs, exitCode } = await startStep({
        with: { ...given, ...interval, ...shipInputs[mode] },
        ...step,
      }).done
      console.log(`\n${title} Mode ${mode}: ${outputs.outcome}`)
      const now = tellStory(story, github)
      for (const line of now.filter((each) => !shown.includes(each))) console.log(`  │ ${line}`)
      shown = now
      if (exitCode !== 0) process.exitCode = 1
    }
    console.log('')
    await writeThreads(postsOf(github), [12])
  } finally {
    await github.close()
  }
}

function run(options: StepOptions): Promise<StepResult> {
  const step = startStep({
    ...options,
    onLine: (line) => {
      const shown = showLine(line, process.stdout)
      if (shown !== undefined) console.log(shown)
    },
  })
  process.once('SIGINT', () => step.cancel())
  return step.done
}

async function showResult({ outputs, summary, exitCode }: StepResult): Promise<void> {
  console.log('\nOutputs, without the empty ones:')
  for (const [name, value] of Object.entries(outputs)) if (value !== '') console.log(`${name}=${value}`)
  const out = join(projectDir, 'out')
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'summary.md'), summary)
  writeFileSync(join(out, 'summary.html'), await renderPage('Job summary', summary))
  console.log(
    `\nThe step ${exitCode === 0 ? 'succeeds' : 'fails'}. Its summary, as GitHub shows it: ${join(out, 'summary.html')}`,
  )
}

function fail(text: string): void {
  console.error(text)
  process.exitCode = 2
}
