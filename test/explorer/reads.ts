/** The calls to GitHub that only read, except those of lists. */
import { type Args, lists, viewsOf, writes } from '../github.ts'
import { codeNumber, type World } from './world.ts'

/** Calls that see nothing that changes, with their results. */
export const local: Record<string, unknown> = {
  role: { ok: true, value: { permission: 'write', roleName: 'write', userId: 1 } },
  react: { ok: true },
  render: { ok: true, value: '<p>B</p>' },
  pullsOf: { ok: true, value: [] },
  changedFiles: { ok: true, value: { files: [], isCut: false } },
  addLabels: { ok: true },
  requestReview: { ok: true },
}

/** Pull requests do not lag. */
export const pullReads: Record<string, (world: World, args: Args) => unknown> = {
  pull: ({ pulls }, [name]) => pulls.find(({ number }) => number === name.number) ?? null,
  openPulls: ({ pulls }) => pulls.filter(({ state }) => state === 'open'),
  pullsOn: () => [],
  contains: ({ pulls }) => pulls.some(({ number, base }) => number === codeNumber && base === 'main'),
  pullViews: ({ pulls, statuses }, [, numbers]) =>
    viewsOf(
      pulls.filter(({ number }) => numbers.includes(number)),
      statuses,
    ),
}

/** The names of all calls to GitHub. */
export function gitHubCalls() {
  return Object.keys({ ...local, ...lists, ...pullReads, ...writes })
}
