import { describe, expect, it } from 'vitest'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { Refusal } from '../../src/core/problem.ts'
import type { Progress } from '../../src/core/progress.ts'
import type { ChangedFiles } from '../../src/core/prompt/diff.ts'
import { policyOf } from '../../src/steps/policy.ts'
import { readChange } from '../../src/usecases/change.ts'
import type { Bounded } from '../../src/usecases/ports.ts'
import { Calls } from './github.ts'
import { aChange, Stage } from './step.ts'
import { start } from './world.ts'

const refusal: Refusal = { status: 403, message: 'no' }
const listed: ChangedFiles = {
  files: [{ path: 'a.md', previousPath: null, status: 'modified', additions: 1, deletions: 0, patch: '+a' }],
  isCut: true,
  mergeBase: 'cccc',
}

/** Reads a change whose comparison GitHub cuts, with the context-paths `src/**`. */
async function read(trees: Bounded<string> | Refusal, by: 'compare' | 'commit' = 'compare') {
  const progress: Progress[] = []
  const compared: string[] = []
  const ports = new Stage().ports(new Calls(), (seen) => void progress.push(seen))
  const github: typeof ports.github = {
    ...ports.github,
    pullsOf: async () => ({ ok: true, value: [] }),
    changedFiles: async () => ({ ok: true, value: listed }),
    file: async () => ({ ok: true, value: null }),
    async changedPaths(_, base, head) {
      compared.push(`${base}…${head}`)
      return 'items' in trees ? { ok: true, value: trees } : { ok: false, refusal: trees }
    },
  }
  const given = { 'project-id': 'docs', 'api-key': 'mint_0123456789', 'github-token': 'x', prompt: 'Do' }
  const parsed = parseInputs(
    { ...given, 'context-diff': 'true', 'context-paths': 'src/**' },
    { isComment: false, now: start },
  )
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  const range = by === 'compare' ? { by, base: 'aaaa', head: 'bbbb' } : { by, sha: 'bbbb' }
  const { diff, settings } = policyOf(parsed.inputs)
  const found = await readChange(aChange('bbbb', { range }), diff, settings.scope, { ...ports, github })
  return { read: found, progress, compared }
}

describe('a comparison that GitHub cuts', () => {
  it("a comparison that GitHub cuts gets the other files' names from the trees, since the common ancestor", async () => {
    const items = ['a.md', 'src/b.ts']
    const { read: found, progress, compared } = await read({ items, isCut: false })
    expect(found).toMatchObject({ kind: 'change', context: { leftOut: [{ path: 'src/b.ts' }] } })
    expect([progress, compared]).toEqual([[], ['cccc…bbbb']])
  })

  it('a comparison that GitHub cuts starts nothing if no other file matters', async () => {
    const { read: found } = await read({ items: ['a.md', 'lib/b.ts'], isCut: false })
    expect(found).toMatchObject({ kind: 'ended', outcome: 'skipped' })
  })

  it.each([
    ['the trees are cut, too', { items: ['a.md'], isCut: true }, 'compare'],
    ['the trees cannot be read', refusal, 'compare'],
    ['it is a single commit', { items: [], isCut: false }, 'commit'],
  ] satisfies [string, Bounded<string> | Refusal, 'compare' | 'commit'][])(
    'a change that GitHub cuts causes a warning if %s',
    async (_, trees, by) => {
      const { read: found, progress } = await read(trees, by)
      expect(found).toMatchObject({ kind: 'change', context: { included: [] } })
      expect(progress).toEqual([{ type: 'files-cut', listed: 1 }])
    },
  )
})
