import { describe, expect, it } from 'vitest'
import { commit, commits } from '../../sandbox/github/commits.ts'
import type { GitHubOptions } from '../../sandbox/github/server.ts'
import { pushed } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { platformFor } from '../service.ts'
import { agent, Days, manual, type SinceLastRun, schedule } from './since-last-world.ts'

/** The files in the agent's last prompt. */
const shown = (days: Days) => [...days.sent().matchAll(/^### (\S+)/gm)].map(([, path]) => path)

/** A run in readable form: its log, its requests to GitHub, and the start of the prompt. */
function printed(days: Days, { outputs, log, requests }: SinceLastRun): string {
  const isSent = outputs.outcome === 'pull-request' || outputs.outcome === 'detached'
  const begin = log.map(({ text }) => text).find((text) => /^(New on|Found no earlier)/.test(text))
  const end = log.findLast(({ level }) => level !== 'group')?.text.split('\n')[0]
  const prompt = days.sent().split('\n### ')[0]?.trim().split('\n') ?? []
  return [
    ...[begin ?? [], `${outputs.outcome}: ${end}`].flat().map((line) => days.named(line)),
    ...requests.map((request) => `  ${request}`),
    ...(isSent ? prompt.filter((line) => line !== '').map((line) => `> ${line}`) : []),
  ].join('\n')
}

/** A branch with a job at its commit `before`. */
async function begun(setting: Parameters<typeof Days.begin>[0] = {}): Promise<Days> {
  const days = await Days.begin(setting)
  days.push('before', 27)
  await days.run()
  return days
}

const skipped = (run: SinceLastRun) => expect([run.outputs.outcome, run.exitCode]).toEqual(['skipped', 0])

describe('context-diff on a schedule', () => {
  it('context-diff on a schedule sends the last seven days on the first run', async () => {
    const days = await Days.begin()
    days.push('old', 20)
    days.push('recent', 25)
    days.merge('newest', 29)
    expect(printed(days, await days.run())).toMatchSnapshot()
    expect(shown(days)).toEqual(['src/newest.ts', 'src/recent.ts'])
  })

  it('context-diff on a schedule sends everything new since the last job', async () => {
    const days = await begun()
    days.push('direct', 28)
    days.merge('flag', 28.1)
    expect(printed(days, await days.run())).toMatchSnapshot()
    expect(shown(days)).toEqual(['src/direct.ts', 'src/flag.ts'])
  })

  it('context-diff on a schedule skips a run on a quiet day', async () => {
    const days = await begun()
    const run = await days.run()
    expect(printed(days, run)).toMatchSnapshot()
    skipped(run)
  })

  it("context-diff on a schedule skips a run if only the agent's merges are new", async () => {
    const days = await begun()
    days.merge('docs', 28, { number: 101, user: agent, files: { 'docs/a.md': 'new\n' } })
    const run = await days.run()
    expect(printed(days, run)).toMatchSnapshot()
    skipped(run)
  })

  it("the whole range is sent if it also has the agent's merges, and the prompt names these", async () => {
    const days = await begun()
    const files = { 'docs/a.md': 'new\n', 'docs/b.md': 'new\n' }
    days.merge('docs', 28, { number: 101, user: agent, files })
    days.merge('flag', 28.1)
    expect(printed(days, await days.run())).toMatchSnapshot()
    expect(shown(days)).toEqual(['docs/a.md', 'docs/b.md', 'src/flag.ts'])
  })

  it('pull requests that the job of a push has documented are listed as documented', async () => {
    const days = await begun()
    const { tip: before } = days
    days.merge('flag', 28)
    const push = pushed({ before, after: days.tip, repository: 'acme/docs' })
    await days.run({ event: push, env: { GITHUB_WORKFLOW: 'Pushes' } })
    skipped(await days.run())
    days.merge('other', 28.1)
    expect(printed(days, await days.run())).toMatchSnapshot()
    expect(shown(days)).toEqual(['src/flag.ts', 'src/other.ts'])
  })

  it('context-diff after a force push starts at the last remaining commit with a job', async () => {
    const days = await begun()
    const { tip: left } = days
    days.push('gone', 28)
    await days.run()
    const files = { 'src/again.ts': 'again\n' }
    days.moveTo(commit({ parents: [left], message: 'Again', files, date: days.at(28.5) }), 'again')
    expect(printed(days, await days.run())).toMatchSnapshot()
    expect(shown(days)).toEqual(['src/again.ts'])
  })

  it('context-diff sends the last seven days, and says why, if a force push removed all commits with a job', async () => {
    const days = await begun()
    days.moveTo(commit({ message: 'Root', files: { 'src/root.ts': 'x\n' }, date: days.at(10) }), 'root')
    days.push('again', 28)
    expect(printed(days, await days.run())).toMatchSnapshot()
    expect(shown(days)).toEqual(['src/again.ts'])
  })

  it('context-diff sends the last seven days again after the key has changed', async () => {
    const [key, all] = ['mint_new_0123456789', { scopes: ['read', 'write'] } as const]
    const days = await begun({ platform: { keys: { [sandboxKey]: all, [key]: all } } })
    days.push('after', 28)
    const { text } = await days.run({ inputs: { 'api-key': key } })
    expect(text).toContain('Found no earlier job of this step on main.')
    expect(shown(days)).toEqual(['src/after.ts', 'src/before.ts'])
  })

  it('context-diff shows 300 files, and lists the others by name', async () => {
    const days = await begun()
    const names = Array.from({ length: 310 }, (_, index) => `src/many/${String(index).padStart(3, '0')}.ts`)
    days.push('many', 28, { files: Object.fromEntries(names.map((name) => [name, 'x\n'])) })
    await days.run()
    expect(shown(days)).toEqual(names.slice(0, 300))
    expect(days.sent()).toContain('src/many/309.ts (beyond the files that GitHub lists)')
  })

  it.each([
    [
      'finds the last job 150 commits back',
      150,
      2,
      'New on main: 150 commits since before, the commit of job job_0001.',
    ],
    [
      'searches at most 1,000 commits for the last job',
      1100,
      10,
      'Reading the last seven days (up to 1,000 commits): 999 commits',
    ],
  ])('context-diff %s', async (_, count, pages, said) => {
    const days = await Days.begin({ age: 6 })
    days.push('before', 1)
    await days.run()
    days.moveTo(commits(count - 1, { parents: [days.tip] }), 'many')
    days.push('newest', 5)
    const run = await days.run()
    expect(run.requests.filter((request) => request === 'graphql/history')).toHaveLength(pages)
    expect(days.named(run.text)).toContain(said)
    expect(days.sent().match(/^- Change \d+$/gm)).toHaveLength(49)
  })

  it('context-diff sends the changes of a failed job again', async () => {
    const days = await begun()
    const { url } = await platformFor({ ends: 'failed', readsUntilEnd: 1 })
    days.push('failing', 28)
    const failed = await days.run({ inputs: { 'base-url': url } })
    expect([failed.outputs.outcome, failed.exitCode]).toEqual(['failed', 1])
    days.push('next', 29)
    await days.run()
    expect(shown(days)).toEqual(['src/failing.ts', 'src/next.ts'])
  })

  it.each([
    ['active', 'never', ['src/next.ts']],
    ['failed', 'failed', ['src/left.ts', 'src/next.ts']],
  ] as const)('context-diff asks Mintlify for the status of a detached job: %s', async (_, ends, files) => {
    const days = await Days.begin({ platform: { ends, readsUntilEnd: 0 } })
    days.push('left', 28)
    await days.run({ inputs: { wait: 'false' } })
    days.push('next', 29)
    await days.run({ inputs: { wait: 'false' } })
    expect(shown(days)).toEqual(files)
  })

  it('context-diff sends the changes of a job again that fails after a later job has ended well', async () => {
    const days = await Days.begin({ platform: { ends: 'failed', readsUntilEnd: 0 } })
    days.push('left', 28)
    await days.run({ inputs: { wait: 'false' } })
    days.push('next', 28.5)
    // The first job is still active, because this platform does not show it.
    const { url } = await platformFor({ readsUntilEnd: 0 })
    await days.run({ inputs: { 'base-url': url } })
    days.push('last', 29)
    await days.run({ inputs: { wait: 'false' } })
    expect(shown(days)).toEqual(['src/last.ts', 'src/left.ts', 'src/next.ts'])
  })

  it('context-diff counts a detached job as active if Mintlify does not show it', async () => {
    const faults = [{ on: 'read', do: { kind: 'status', status: 403 } }] as const
    const days = await Days.begin({ platform: { ends: 'failed', faults } })
    days.push('left', 28)
    await days.run({ inputs: { wait: 'false' } })
    days.push('next', 29)
    await days.run({ inputs: { wait: 'false' } })
    expect(shown(days)).toEqual(['src/next.ts'])
  })

  it.each([
    ['another workflow', { env: { GITHUB_WORKFLOW: 'Other' } }],
    ['another matrix leg', { inputs: { 'matrix-index': '1' } }],
    ['another project', { inputs: { 'project-id': 'other' } }],
  ])("context-diff starts at the step's own last job, not at a job of %s", async (name, other) => {
    const days = await begun()
    days.push('next', 28)
    const theirs = await days.run({ ...other })
    if (name !== 'another project') expect(theirs.outputs.outcome).toBe('pull-request')
    await days.run()
    expect(shown(days)).toEqual(['src/next.ts'])
  })

  it('context-diff starts at a manual run between two scheduled runs', async () => {
    const days = await begun()
    days.push('morning', 28)
    await days.run({ event: manual() })
    expect(shown(days)).toEqual(['src/morning.ts'])
    days.push('evening', 28.5)
    await days.run()
    expect(shown(days)).toEqual(['src/evening.ts'])
  })

  it("context-diff finds a job whose status is in a second context, because another run's record occupied the first", async () => {
    const days = await begun()
    days.push('next', 28)
    await days.run({ inputs: { 'context-diff': 'false', wait: 'false' } })
    await days.run()
    const contexts = days.world.hub.statuses.map(({ context }) => context)
    expect(contexts.at(-1)).toMatch(/ · 2$/)
    days.push('later', 29)
    await days.run()
    expect(shown(days)).toEqual(['src/later.ts'])
  })

  it('context-diff on a schedule ignores the jobs of pushes and of runs without context-diff', async () => {
    const days = await begun()
    const { tip: before } = days
    days.push('pushed', 28)
    await days.run({ event: pushed({ before, after: days.tip, repository: 'acme/docs' }) })
    await days.run({ inputs: { 'context-diff': 'false' } })
    days.push('next', 29)
    await days.run()
    expect(shown(days)).toEqual(['src/next.ts', 'src/pushed.ts'])
  })

  it('context-diff skips a run that waited until a later commit was documented', async () => {
    const days = await begun()
    const early = days.push('early', 28)
    days.push('late', 28.1)
    await days.run()
    skipped(await days.run({ at: early }))
  })

  it.each<[name: string, lacks: GitHubOptions['lacks']]>([
    ['read', ['statuses: read', 'statuses']],
    ['written', ['statuses']],
  ])(
    'context-diff ends with an error that names the permission if statuses cannot be %s',
    async (_, lacks) => {
      const days = await Days.begin({ github: { ...(lacks && { lacks }) } })
      days.push('next', 29)
      const { outputs, text, exitCode } = await days.run()
      expect([outputs.outcome, exitCode]).toEqual(['error', 1])
      expect(text).toContain('Give the workflow job `statuses: write`')
      expect(days.world.service.jobs.size).toBe(0)
    },
  )

  it('context-diff on a schedule needs a token, because otherwise no run records where the next one starts', async () => {
    const days = await Days.begin()
    const { outputs, requests, text } = await days.run({ inputs: { 'github-token': '' } })
    expect([outputs.outcome, requests]).toEqual(['error', []])
    expect(text).toContain('Set `github-token`')
  })

  it.each([schedule, manual('refs/heads/topic')])(
    '`context-diff: true` on a schedule or manual run sends only the prompt',
    async (event) => {
      const days = await begun()
      days.push('next', 28)
      const { outputs, requests } = await days.run({ event, inputs: { 'context-diff': 'true' } })
      expect(outputs.outcome).toBe('pull-request')
      expect(days.sent()).toBe('Update the docs')
      expect(requests.join()).not.toContain('/compare/')
    },
  )

  it.each(['refs/heads/topic', 'refs/tags/main'])('context-diff skips a manual run on %s', async (ref) => {
    const days = await Days.begin()
    const run = await days.run({ event: manual(ref) })
    skipped(run)
    expect(run.requests).toEqual([])
  })

  it('context-diff in a dry run says what it would send, and leaves no record', async () => {
    const days = await begun()
    days.push('next', 28)
    const run = await days.run({ inputs: { 'dry-run': 'true' } })
    expect(run.outputs.outcome).toBe('dry-run')
    expect(run.text).toContain('### src/next.ts')
    expect(run.requests.filter((request) => request.startsWith('POST'))).toEqual([])
  })
})
