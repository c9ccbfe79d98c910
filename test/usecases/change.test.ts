import { describe, expect, it } from 'vitest'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import { problems } from '../../src/core/problems.ts'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import type { Change, Range } from '../../src/core/trigger/change.ts'
import { type LogEntry, say } from '../../src/say/messages.ts'
import { readChange } from '../../src/usecases/change.ts'
import type { Bounded, PullRequest } from '../../src/usecases/ports.ts'
import { Calls } from './github.ts'
import { aChange, aPull as pull, Stage } from './step.ts'
import { start } from './world.ts'

const agent = 'mintlify[bot]'
const rejected = { ok: false, rejection: { status: 403, message: 'no' } } as const
const aPull = (more: Partial<PullRequest> = {}): PullRequest => {
  return { ...pull(12, 'aaaa', 'merged'), author: 'ann', mergeCommit: 'aaaa', ...more }
}
const file: ChangedFile = {
  path: 'src/a.ts',
  previousPath: null,
  status: 'modified',
  additions: 1,
  deletions: 0,
  patch: '+a',
}

interface Setting {
  /** Pull requests by commit. Those of a commit that is not listed cannot be read. */
  pulls?: Record<string, PullRequest[]>
  files?: ChangedFile[] | 'rejected'
  /** The file names in the trees, which are read if GitHub cuts the list of files. */
  trees?: Bounded<string> | 'rejected'
  inputs?: Record<string, string>
}

async function read(
  change: Change,
  { pulls = { aaaa: [] }, files = [file], trees, inputs = {} }: Setting = {},
) {
  const given = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'Do', 'github-token': 'x' }
  const parsed = parseInputs({ ...given, ...inputs }, { isComment: false, now: start })
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  const ranges: Range[] = []
  const progress: LogEntry[] = []
  const compared: string[] = []
  const ports = new Stage().ports(new Calls(), (...seen) => void progress.push(...seen))
  const found = await readChange(change, parsed.inputs, {
    ...ports,
    github: {
      ...ports.github,
      pullsOf: async (_, commit) => (pulls[commit] ? { ok: true, value: pulls[commit] } : rejected),
      async changedFiles(_, range) {
        ranges.push(range)
        const cut = { isCut: trees !== undefined, mergeBase: 'cccc' }
        return files === 'rejected' ? rejected : { ok: true, value: { files, ...cut } }
      },
      async changedPaths(_, base, head) {
        compared.push(`${base}…${head}`)
        return typeof trees === 'object' ? { ok: true, value: trees } : rejected
      },
    },
  })
  return { found, ranges, progress, compared }
}

const diff = { 'context-diff': 'true' }
const push = aChange('aaaa')
const upstream = aChange('aaaa', { range: { by: 'commit', sha: 'aaaa' }, upstreamRun: 9 })
const own = { kind: 'ended', outcome: 'skipped', problem: problems.ownChange(agent) }
const documents = (number: number | null, author = 'mona') => {
  return { documented: { repository: 'acme/docs', head: 'aaaa', number, author } }
}

describe('the change behind an event', () => {
  const agents = aPull({ number: 101, author: agent })
  const rows: [name: string, change: Change, setting: Setting, expected: object][] = [
    ['a push without a pull request', push, {}, documents(null)],
    ['the merge of a pull request', push, { pulls: { aaaa: [aPull()] } }, documents(12, 'ann')],
    [
      'a commit of an open pull request',
      push,
      { pulls: { aaaa: [aPull({ isMerged: false, mergeCommit: null })] } },
      documents(null),
    ],
    [
      'the merge of the agent’s pull request, no matter who merged it',
      push,
      { pulls: { aaaa: [agents] } },
      own,
    ],
    [
      'the merge of the agent’s pull request, with its login in different case',
      push,
      { pulls: { aaaa: [{ ...agents, author: 'Mintlify[bot]' }] } },
      own,
    ],
    [
      'a merged pull request of the agent, whose merge commit GitHub does not return',
      push,
      { pulls: { aaaa: [{ ...agents, mergeCommit: null }] } },
      own,
    ],
    [
      'the merges of the agent and of a person, in one push',
      aChange('aaaa', { commits: ['bbbb', 'aaaa'] }),
      { pulls: { aaaa: [agents], bbbb: [aPull({ mergeCommit: 'bbbb' })] } },
      documents(null),
    ],
    [
      'an upstream run for a commit with only one pull request',
      upstream,
      { pulls: { aaaa: [aPull({ isMerged: false, mergeCommit: null })] } },
      documents(12, 'ann'),
    ],
    [
      'an upstream run for the agent’s pull request',
      upstream,
      { pulls: { aaaa: [{ ...agents, isMerged: false, mergeCommit: null }] } },
      own,
    ],
    [
      'an upstream run for a fork’s pull request',
      upstream,
      { pulls: { aaaa: [aPull({ isMerged: false, mergeCommit: null, headRepository: 'eve/docs' })] } },
      documents(null),
    ],
    [
      'an upstream run for a pull request that has newer commits',
      upstream,
      { pulls: { aaaa: [aPull({ isMerged: false, mergeCommit: null, headCommit: 'bbbb' })] } },
      documents(null),
    ],
    [
      'an upstream run for one of several pull requests',
      upstream,
      {
        pulls: {
          aaaa: [
            aPull({ number: 13, isMerged: false, mergeCommit: null, headRepository: null }),
            aPull({ isMerged: false, mergeCommit: null }),
          ],
        },
      },
      documents(12, 'ann'),
    ],
    ['a pull request’s own event', aChange('aaaa', { number: 5 }), { pulls: {} }, documents(5)],
    ['a push without a token', push, { pulls: {}, inputs: { 'github-token': '' } }, documents(null)],
    [
      'pull requests that cannot be read, without a diff',
      push,
      { pulls: {}, inputs: { 'context-diff': 'false' } },
      documents(null),
    ],
    [
      'pull requests that cannot be read, with a diff',
      push,
      { pulls: {}, inputs: diff },
      { outcome: 'error', problem: { id: 'unread' } },
    ],
    [
      'files that cannot be read',
      push,
      { files: 'rejected', inputs: diff },
      { outcome: 'error', problem: { id: 'unread' } },
    ],
    [
      'a tag',
      aChange('aaaa', { noFiles: 'a tag does not change files' }),
      { pulls: {}, inputs: diff },
      { context: null, ...documents(null) },
    ],
    [
      'a push that changes only a lock file',
      push,
      { files: [{ ...file, path: 'yarn.lock' }], inputs: diff },
      { context: null },
    ],
    [
      'a push without a file that context-paths matches',
      push,
      { inputs: { ...diff, 'context-paths': 'docs/**' } },
      { outcome: 'skipped' },
    ],
  ]
  it.each(rows)('the change behind an event is read: %s', async (_, change, setting, expected) => {
    expect((await read(change, setting)).found).toMatchObject(expected)
  })

  it('a step with a token reports if it cannot check whether the change is the agent’s own', async () => {
    const withoutDiff = await read(push, { pulls: {}, inputs: { 'context-diff': 'false' } })
    expect(withoutDiff.progress).toMatchObject([{ title: 'Loop check skipped' }])
    const withoutToken = await read(push, { pulls: {}, inputs: { 'github-token': '' } })
    expect(withoutToken.progress).toEqual([])
  })

  it.each<[string, PullRequest[], Range]>([
    ['of its pull request', [aPull()], { by: 'pull', number: 12 }],
    ['of its last commit', [], { by: 'commit', sha: 'aaaa' }],
  ])(
    'the change behind an event has the files %s if only the last commit is known',
    async (_, pulls, range) => {
      expect((await read(upstream, { pulls: { aaaa: pulls }, inputs: diff })).ranges).toEqual([range])
    },
  )
})

describe('a comparison that GitHub cuts', () => {
  const inputs = { ...diff, 'context-paths': 'src/**' }
  const readCut = (
    trees: Bounded<string> | 'rejected',
    range: Range = { by: 'compare', base: 'bbbb', head: 'aaaa' },
  ) => read(aChange('aaaa', { range }), { files: [{ ...file, path: 'a.md' }], trees, inputs })

  it('a comparison that GitHub truncates is completed with names from the trees of the common ancestor and the head', async () => {
    const { found, progress, compared } = await readCut({ items: ['a.md', 'src/b.ts'], isCut: false })
    expect(found).toMatchObject({ context: { leftOut: [{ path: 'src/b.ts' }] } })
    expect([progress, compared]).toEqual([[], ['cccc…aaaa']])
  })

  it('a comparison that GitHub truncates starts nothing if none of the files matter', async () => {
    const { found } = await readCut({ items: ['a.md', 'lib/b.ts'], isCut: false })
    expect(found).toMatchObject({ kind: 'ended', outcome: 'skipped' })
  })

  it.each<[string, Bounded<string> | 'rejected', Range?]>([
    ['the trees are cut, too', { items: ['a.md'], isCut: true }],
    ['the trees cannot be read', 'rejected'],
    ['it is a single commit', { items: [], isCut: false }, { by: 'commit', sha: 'aaaa' }],
  ])('a change that GitHub cuts causes a warning if %s', async (_, trees, range) => {
    const { found, progress } = await readCut(trees, range)
    expect(found).toMatchObject({ context: { included: [] } })
    expect(progress).toEqual([say.filesCut(1)])
  })
})
