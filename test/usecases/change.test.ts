import { describe, expect, it } from 'vitest'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import { type Change, rangeText } from '../../src/core/trigger/change.ts'
import { readChange } from '../../src/usecases/change.ts'
import type { Bounded } from '../../src/usecases/ports.ts'
import { rowsOf } from '../core/samples.ts'
import { Calls, rejected } from './github.ts'
import { aChange, aFile, aPull, Stage } from './step.ts'
import { start } from './world.ts'

const least = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'Do', 'github-token': 'x' }
const diff = { 'context-diff': 'true' }

/** A pull request as `number author`, and what is special about it. Its last commit is `aaaa`. */
function pullOf(text: string) {
  const [number = '', author = '', ...special] = text.split(' ')
  const is = (name: string) => special.includes(name)
  const mergeCommit = is('first') ? 'bbbb' : 'aaaa'
  return {
    ...aPull(Number(number), is('newer') ? 'bbbb' : 'aaaa', is('open') ? 'open' : 'merged'),
    author,
    mergeCommit: is('open') || is('unknown') ? null : mergeCommit,
    ...((is('fork') || is('gone')) && { headRepository: is('fork') ? 'eve/docs' : null }),
  }
}

interface Setting {
  /** Names of calls that GitHub rejects. */
  rejects?: string
  files?: ChangedFile[]
  /** The file names in the trees, which are read if GitHub cuts the list of files. */
  trees?: Bounded<string>
  inputs?: Record<string, string>
}

/** Reads a change, and says on one line what was found, which calls with commits were made, and what was logged. */
async function read(change: Change, pulls: string[], setting: Setting = {}): Promise<string> {
  const { rejects = '', files = [aFile('src/a.ts')], trees, inputs = {} } = setting
  const parsed = parseInputs({ ...least, ...inputs }, { isComment: false, now: start })
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  const stage = new Stage()
  for (const pull of pulls.map(pullOf)) {
    const commit = pull.mergeCommit ?? 'aaaa'
    stage.github.pullsBehind[commit] = [...(stage.github.pullsBehind[commit] ?? []), pull]
  }
  const seen: string[] = []
  const calls = new Calls((_, name) => (rejects.includes(name) ? rejected : undefined))
  const ports = stage.ports(calls, (...entries) => void seen.push(...entries.map(({ text }) => text)))
  const found = await readChange(change, parsed.inputs, {
    ...ports,
    github: {
      ...ports.github,
      changedFiles: (_, range) => {
        seen.push(rangeText({ ...change, range }))
        const cut = { isCut: trees !== undefined, mergeBase: 'cccc' }
        return calls.make('changedFiles', '', () => ({ files, ...cut }))
      },
      changedPaths: (_, base, head) => {
        seen.push(`trees ${base}…${head}`)
        return calls.make('changedPaths', '', () => trees ?? { items: [], isCut: false })
      },
    },
  })
  const { documented, context } = 'documented' in found ? found : {}
  const shown =
    context && [...context.included, ...context.leftOut.map(({ path }) => `not ${path}`)].join(', ')
  const said =
    'problem' in found
      ? `${found.outcome}: ${found.problem.what}`
      : `${documented?.number ?? 'no pull request'} by ${documented?.author}, ${shown ?? 'no files'}`
  return [said, ...seen].join(' | ')
}

const changes: Record<string, Change> = {
  push: aChange('aaaa'),
  'push of two': aChange('aaaa', { commits: ['bbbb', 'aaaa'] }),
  'upstream run': aChange('aaaa', { upstreamRun: 9 }),
}

it.each(
  rowsOf(`
    push         |                                         | no pull request by mona
    push         | 12 ann                                  | 12 by ann
    push         | 12 ann open                             | no pull request by mona
    push         | 101 mintlify[bot]                       | skipped
    push         | 101 Mintlify[bot]                       | skipped
    push         | 101 mintlify[bot] unknown               | skipped
    push of two  | 101 mintlify[bot], 12 ann first         | no pull request by mona
    upstream run | 12 ann open                             | 12 by ann
    upstream run | 101 mintlify[bot] open                  | skipped
    upstream run | 12 ann open fork                        | no pull request by mona
    upstream run | 12 ann open newer                       | no pull request by mona
    upstream run | 13 eve open gone, 12 ann open           | 12 by ann
  `),
)('the change behind a %s, with the pull requests “%s”, is: %s', async (name = '', pulls = '', expected) => {
  const change = changes[name] ?? aChange('')
  const inputs = { 'context-diff': 'false' }
  const found = await read(change, pulls.split(', ').filter(Boolean), { inputs })
  expect(found.replace(/, no files|: Skipped.*/, '')).toBe(expected)
})

describe('the change behind an event', () => {
  const push = aChange('aaaa')
  const upstream = aChange('aaaa', { upstreamRun: 9 })
  const compare = aChange('aaaa', { range: { by: 'compare', base: 'bbbb', head: 'aaaa' } })
  const cut = (items: string[], isCut = false) => ({
    inputs: { ...diff, 'context-paths': 'src/**' },
    files: [aFile('a.md')],
    trees: { items, isCut },
  })
  const rows: [name: string, change: Change, setting: Setting, pulls?: string[]][] = [
    ['a push', push, { inputs: diff }],
    ['a pull request’s own event', aChange('aaaa', { number: 5 }), { rejects: 'pullsOf' }],
    ['no token', push, { rejects: 'pullsOf', inputs: { 'github-token': '' } }],
    ['no pull requests, no diff', push, { rejects: 'pullsOf', inputs: { 'context-diff': 'false' } }],
    ['no pull requests', push, { rejects: 'pullsOf', inputs: diff }],
    ['no files', push, { rejects: 'changedFiles', inputs: diff }],
    [
      'a tag',
      aChange('aaaa', { noFiles: 'a tag does not change files' }),
      { rejects: 'pullsOf', inputs: diff },
    ],
    ['only a lock file', push, { files: [aFile('yarn.lock')], inputs: diff }],
    ['no file that matters', push, { inputs: { ...diff, 'context-paths': 'docs/**' } }],
    ['an upstream run for a pull request', upstream, { inputs: diff }, ['12 ann']],
    ['an upstream run for a commit', upstream, { inputs: diff }],
    ['a cut list, completed from the trees', compare, cut(['a.md', 'src/b.ts'])],
    ['a cut list, of which no file matters', compare, cut(['a.md', 'lib/b.ts'])],
    ['cut trees', compare, cut(['a.md'], true)],
    ['no trees', compare, { ...cut([]), rejects: 'changedPaths' }],
    ['a cut commit', push, cut([])],
  ]
  it('the change behind an event, its range, and the log are as listed', async () => {
    const lines: string[] = []
    for (const [name, change, setting, pulls = []] of rows)
      lines.push(`${name}: ${await read(change, pulls, setting)}`)
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "a push: no pull request by mona, src/a.ts | commit aaaa
      a pull request’s own event: 5 by mona, src/a.ts | commit aaaa
      no token: no pull request by mona, no files
      no pull requests, no diff: no pull request by mona, no files | Could not check for the agent's own work in acme/docs (403: no).
      Give the workflow \`pull-requests: read\`. \`github-token\` must have access to the repository.
      The step continues.
      no pull requests: error: Could not check whether the push is the agent's own work (403: no).
      no files: error: Could not read the change's files (403: no). | commit aaaa
      a tag: no pull request by mona, no files | The prompt gets no diff: a tag does not change files.
      only a lock file: no pull request by mona, no files | commit aaaa | The prompt gets no diff: all changed files are generated, binary or empty.
      no file that matters: skipped: Skipped: context-paths (docs/**) matches none of the changed files: src/a.ts. | commit aaaa
      an upstream run for a pull request: 12 by ann, src/a.ts | pull request #12, at aaaa
      an upstream run for a commit: no pull request by mona, src/a.ts | commit aaaa
      a cut list, completed from the trees: no pull request by mona, not src/b.ts | bbbb…aaaa | trees cccc…aaaa
      a cut list, of which no file matters: skipped: Skipped: context-paths (src/**) matches none of the changed files: a.md, lib/b.ts. | bbbb…aaaa | trees cccc…aaaa
      cut trees: no pull request by mona,  | bbbb…aaaa | trees cccc…aaaa | GitHub lists only 1 file of this change.
      The step continues, because the others may match \`context-paths\`.
      no trees: no pull request by mona,  | bbbb…aaaa | trees cccc…aaaa | GitHub lists only 1 file of this change.
      The step continues, because the others may match \`context-paths\`.
      a cut commit: no pull request by mona,  | commit aaaa | GitHub lists only 1 file of this change.
      The step continues, because the others may match \`context-paths\`."
    `)
  })
})
