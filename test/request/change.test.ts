import { expect, it } from 'vitest'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import { type Change, rangeText } from '../../src/core/trigger/change.ts'
import { readChange } from '../../src/request/change.ts'
import { explain } from '../../src/say/problems.ts'
import { noInputs, rowsOf } from '../core/samples.ts'
import { Calls, rejected } from '../run/github.ts'
import { aChange, aFile, aPull, Stage } from '../run/step.ts'
import { start } from '../run/world.ts'

const least = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'Do', 'github-token': 'x' }

/** A pull request as `number author`, and what is special about it. It contains `aaaa` or, if it is the first, `bbbb`. */
function pullOf(text: string) {
  const [number = '', author = '', ...special] = text.split(' ')
  const is = (name: string) => special.includes(name)
  const pull = aPull(Number(number), is('newer') ? 'bbbb' : 'aaaa', is('open') ? 'open' : 'merged')
  const base = is('elsewhere') ? 'feature' : 'main'
  return { commit: is('first') ? 'bbbb' : 'aaaa', pull: { ...pull, author, base, isFork: is('fork') } }
}

/**
 * Reads a change, and says on one line what was found, which calls with commits were made, and what was logged.
 * @param setting inputs, a call that GitHub rejects, and files; `trees`, whose files are read if GitHub cuts the list
 */
async function read(change: Change, pulls: string, setting: string): Promise<string> {
  const words = setting.split(' ').filter(Boolean)
  const {
    rejects,
    files = 'src/a.ts',
    trees,
    ...inputs
  } = Object.fromEntries(words.map((word) => word.split('=')))
  const parsed = parseInputs({ ...noInputs, ...least, ...inputs }, { isComment: false, now: start })
  if (!parsed.ok || parsed.value.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  const stage = new Stage()
  for (const { commit, pull } of pulls.split(', ').filter(Boolean).map(pullOf)) {
    stage.github.pullsBehind[commit] = [...(stage.github.pullsBehind[commit] ?? []), pull]
  }
  const calls = new Calls((_, name) => (name === rejects ? rejected : undefined))
  const { ports, log: seen } = stage.logged(calls)
  const found = await readChange(change, parsed.value, {
    ...ports,
    github: {
      ...ports.github,
      changedFiles: (_, range) => {
        seen.push(rangeText({ ...change, range }))
        const ends = range.by === 'compare' || files === '' ? { base: 'cccc', head: 'aaaa' } : null
        const cut = trees === undefined ? { isCut: false } : { isCut: true, ...(ends && { ends }) }
        return calls.make('changedFiles', '', () => ({
          files: files
            .split(',')
            .filter(Boolean)
            .map((text: string) => {
              const [path = '', previousPath = null] = text.split('<')
              return { ...aFile(path), previousPath }
            }),
          ...cut,
        }))
      },
      changedPaths: (_, base, head) => {
        seen.push(`trees ${base}…${head}`)
        return calls.make('changedPaths', '', () => {
          const items = trees.split(',').filter((path: string) => path !== '…')
          return { items, isCut: trees.includes('…') }
        })
      },
    },
  })
  const { context = null } = 'context' in found ? found : {}
  const shown =
    context && [...context.included, ...context.leftOut.map(({ path }) => `not ${path}`)].join(', ')
  const said =
    'problem' in found
      ? `${found.outcome}: ${explain(found.problem).what}`
      : `${found.change.number ?? 'no pull request'} by ${found.change.author}, ${shown ?? 'no files'}`
  return [said, ...seen].join(' / ')
}

const changes: Record<string, Change> = {
  push: aChange('aaaa'),
  'push of two': aChange('aaaa', { commits: ['bbbb', 'aaaa'] }),
  comparison: aChange('aaaa', { range: { by: 'compare', base: 'bbbb', head: 'aaaa' } }),
  tag: aChange('aaaa', { isTag: true }),
  'pull request': aChange('aaaa', { number: 5, isOpen: true }),
  'upstream run': aChange('aaaa', { upstreamRun: 9 }),
}
const changeOf = (name = '') => changes[name] ?? aChange('')

it.each(
  rowsOf(`
    push         |                                         | no pull request by mona
    push         | 12 ann                                  | 12 by ann
    push         | 12 ann open                             | no pull request by mona
    push         | 101 mintlify[bot]                       | skipped
    push         | 101 Mintlify[bot]                       | skipped
    push         | 101 mintlify[bot] elsewhere             | no pull request by mona
    push of two  | 101 mintlify[bot]                       | no pull request by mona
    push of two  | 101 mintlify[bot], 102 mintlify[bot] first | skipped
    push of two  | 101 mintlify[bot], 12 ann first         | no pull request by mona
    push of two  | 12 ann, 101 mintlify[bot] first         | 12 by ann
    upstream run | 12 ann open                             | 12 by ann
    upstream run | 101 mintlify[bot] open                  | skipped
    upstream run | 12 ann open fork                        | no pull request by mona
    upstream run | 12 ann open newer                       | no pull request by mona
    upstream run | 13 eve open fork, 12 ann open           | 12 by ann
    upstream run | 13 eve open, 12 ann open                | no pull request by mona
  `),
)(
  'the change behind the event “%s”, with the pull requests “%s”, is: %s',
  async (name, pulls = '', expected) => {
    const found = await read(changeOf(name), pulls, 'context-diff=false agent-login=MINTLIFY[bot]')
    expect(found.replace(/, (no files)?$|: Skipped.*/, '')).toBe(expected)
  },
)

const cut = 'context-paths=src/** files=a.md<src/old.ts'

it.each(
  rowsOf(`
    a push | push | | no pull request by mona, src/a.ts / commit aaaa
    a pull request’s own event | pull request | | 5 by mona, src/a.ts / commit aaaa
    no token | push | rejects=pullsOf github-token= | no pull request by mona, no files
    no pull requests | push | rejects=pullsOf | error: Could not read the change's pull requests (403: no).
    no files | push | rejects=changedFiles | error: Could not read the change's files (403: no). / commit aaaa
    a tag | tag | | no pull request by mona, no files / The prompt gets no diff: a tag does not change files.
    only a lock file | push | files=yarn.lock | no pull request by mona, no files / commit aaaa / The prompt gets no diff: the change has only generated, binary or empty files.
    no file that matters | push | context-paths=docs/** | skipped: Skipped: context-paths (docs/**) matches none of the changed files: src/a.ts. / commit aaaa
    an upstream run for a commit | upstream run | | no pull request by mona, src/a.ts / commit aaaa
    a comparison | comparison | | no pull request by mona, src/a.ts / bbbb…aaaa
    a cut list, completed from the trees | comparison | ${cut} trees=a.md,src/old.ts,src/b.ts | no pull request by mona, not src/b.ts / bbbb…aaaa / trees cccc…aaaa
    a cut list, of which no file matters | comparison | ${cut} trees=a.md,lib/b.ts | skipped: Skipped: context-paths (src/**) matches none of the changed files: a.md, lib/b.ts. / bbbb…aaaa / trees cccc…aaaa
    cut trees | comparison | ${cut} trees=a.md,… | no pull request by mona,  / bbbb…aaaa / trees cccc…aaaa / GitHub lists only 1 file of this change.
    no trees | comparison | ${cut} trees= rejects=changedPaths | no pull request by mona,  / bbbb…aaaa / trees cccc…aaaa / GitHub lists only 1 file of this change.
    no diff | push | context-paths=src/** files= trees=a.md,src/b.ts | no pull request by mona, not src/b.ts / commit aaaa / trees cccc…aaaa
    no diff, of which no file matters | push | context-paths=src/** files= trees=a.md | skipped: Skipped: context-paths (src/**) matches none of the changed files: a.md. / commit aaaa / trees cccc…aaaa
    no diff and no trees | push | files= trees= rejects=changedPaths | error: Could not read the change's files (403: no). / commit aaaa / trees cccc…aaaa
    a cut commit | push | ${cut} trees= | no pull request by mona,  / commit aaaa / GitHub lists only 1 file of this change.
    no pull requests, no diff | push | rejects=pullsOf context-diff=false | error: Could not read the change's pull requests (403: no).
  `),
)(
  'the change behind an event, its range, and the log are as listed: %s',
  async (_, name, setting = '', expected) => {
    expect((await read(changeOf(name), '', setting)).split('\n')[0]).toBe(expected)
  },
)

it.each([
  ['upstream run', 'pull request #12, at aaaa'],
  ['push', 'commit aaaa'],
])('the files of the event “%s” with a pull request are those of %s', async (name, range) => {
  expect(await read(changeOf(name), '12 ann', '')).toBe(`12 by ann, src/a.ts / ${range}`)
})
