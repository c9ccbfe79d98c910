import { describe, expect, it } from 'vitest'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import type { Change, Range } from '../../src/core/trigger/change.ts'
import { policyOf } from '../../src/steps/policy.ts'
import { readChange } from '../../src/usecases/change.ts'
import type { PullRequest } from '../../src/usecases/ports.ts'
import { Calls } from './github.ts'
import { aChange, Stage } from './step.ts'
import { start } from './world.ts'

const agent = 'mintlify[bot]'
const refused = { ok: false, refusal: { status: 403, message: 'no' } } as const
const aPull = (more: Partial<PullRequest> = {}): PullRequest => {
  return {
    number: 12,
    author: 'ann',
    url: 'u',
    isMerged: true,
    headCommit: 'aaaa',
    headRepository: 'acme/docs',
    mergeCommit: 'aaaa',
    ...more,
  }
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
  /** The pull requests of each commit. Those of other commits cannot be read. */
  pulls?: Record<string, PullRequest[]>
  files?: ChangedFile[] | 'refused'
  inputs?: Record<string, string>
}

async function read(change: Change, { pulls = { aaaa: [] }, files = [file], inputs = {} }: Setting = {}) {
  const given = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'Do', 'github-token': 'x' }
  const parsed = parseInputs({ ...given, ...inputs }, { isComment: false, now: start })
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  const { diff, settings } = policyOf(parsed.inputs)
  const ranges: Range[] = []
  const seen: string[] = []
  const ports = new Stage().ports(new Calls(), ({ type }) => void seen.push(type))
  const found = await readChange(change, diff, settings.scope, {
    ...ports,
    github: {
      ...ports.github,
      pullsOf: async (_, commit) => (pulls[commit] ? { ok: true, value: pulls[commit] } : refused),
      async changedFiles(_, range) {
        ranges.push(range)
        return files === 'refused' ? refused : { ok: true, value: { files, isCut: false } }
      },
      file: async () => ({ ok: true, value: null }),
      changedPaths: async () => refused,
    },
  })
  return { found, ranges, seen }
}

const diff = { 'context-diff': 'true' }
const push = aChange('aaaa')
const upstream = aChange('aaaa', { range: { by: 'commit', sha: 'aaaa' }, upstreamRun: 9 })
const own = { kind: 'ended', outcome: 'skipped', problem: { type: 'own-change', login: agent } }
const documents = (number: number | null, author = 'mona') => {
  return { kind: 'change', documented: { repository: 'acme/docs', head: 'aaaa', number, author } }
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
      'an upstream run for the only pull request',
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
    ['pull requests that cannot be read, without a diff', push, { pulls: {} }, documents(null)],
    [
      'pull requests that cannot be read, with a diff',
      push,
      { pulls: {}, inputs: diff },
      { outcome: 'error', problem: { type: 'unread', reading: 'pull-requests' } },
    ],
    [
      'files that cannot be read',
      push,
      { files: 'refused', inputs: diff },
      { outcome: 'error', problem: { type: 'unread', reading: 'diff' } },
    ],
    [
      'a tag',
      aChange('aaaa', { noFiles: 'a tag does not change files' }),
      { inputs: diff },
      { outcome: 'skipped', problem: { type: 'no-change' } },
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

  it('the step reports that it is unknown whether the change is the agent’s own', async () => {
    expect((await read(push, { pulls: {} })).seen).toEqual(['loop-unchecked'])
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
