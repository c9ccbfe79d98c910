/** What “merged” means: where code is that was merged, in repositories of the sandbox. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Commit, commit, historyOf } from '../../sandbox/github/commits.ts'
import { type PullRequest, Repository } from '../../sandbox/github/repository.ts'
import type { PullFacts } from '../../src/ports.ts'
import { followCode } from '../../src/run/merge.ts'
import { rowsOf } from '../core/samples.ts'
import { Calls } from './github.ts'
import { Stage } from './step.ts'

const name = 'acme/app'
const textsOf = ({ tree }: Commit) => Object.fromEntries([...tree].map(([path, { text }]) => [path, text]))

/** A repository in which people open, merge and close pull requests. The code is `code.md`, in branch `code`. */
class Branches {
  private minutes = 0
  readonly home: Repository

  constructor() {
    const begin = commit({ files: { 'begin.md': '' } })
    this.home = new Repository({ name, branches: { main: begin } })
  }

  private get now(): string {
    return new Date(Date.UTC(2026, 10, 2, 10, ++this.minutes)).toISOString()
  }

  private tip(branch: string): Commit {
    return this.home.find(branch) ?? commit()
  }

  /** Moves a branch, and the heads of its open pull requests. */
  private move(branch: string, tip: Commit): void {
    this.home.setBranch(branch, tip)
    for (const { number, state, head } of this.home.pulls)
      if (state === 'open' && head.branch === branch)
        this.home.changePull(number, { head: { ...head, commit: tip } })
  }

  private readonly acts: Record<string, (one: string, other: string, repository?: string) => void> = {
    /** A new branch with a commit. */
    branch: (branch, from) => {
      this.move(branch, commit({ parents: [this.tip(from)], files: { [`${branch}.md`]: '' } }))
    },
    open: (number, sides, repository = name) => {
      const [from = '', to = ''] = sides.split('>')
      const head = { branch: from, commit: this.tip(from), repository }
      const base = { branch: to, commit: this.tip(to) }
      this.home.setPull({ number: Number(number), head, base, updatedAt: this.now })
    },
    fork: (number, sides) => this.acts.open?.(number, sides, 'eve/app'),
    merge: (number) => this.merge(Number(number), (tip, head) => commit({ parents: [tip, head] })),
    squash: (number) => {
      const squashed = (tip: Commit, head: Commit) =>
        commit({ parents: [tip], files: textsOf(commit({ parents: [tip, head] })) })
      this.merge(Number(number), squashed)
    },
    close: (number) => this.home.changePull(Number(number), { state: 'closed', updatedAt: this.now }),
    /** Shows a closed pull request with the last commit of its branch. */
    move: (number) => {
      const head = this.home.pull(Number(number))?.head
      if (head) this.home.changePull(Number(number), { head: { ...head, commit: this.tip(head.branch) } })
    },
    /** Rewrites a branch. */
    rebase: (branch) => {
      const files = { ...textsOf(this.tip(branch)), [`rebased${++this.minutes}.md`]: '' }
      this.move(branch, commit({ parents: [this.tip('main')], files }))
    },
  }

  private merge(number: number, make: (tip: Commit, head: Commit) => Commit): void {
    const pull = this.home.pull(number)
    if (pull === undefined || pull.state === 'closed') return
    const { branch } = pull.base
    const [tip, merged] = [this.tip(branch), make(this.tip(branch), pull.head.commit)]
    const base = { branch, commit: tip }
    this.home.changePull(number, { base, merged: { commit: merged }, state: 'closed', updatedAt: this.now })
    this.move(branch, merged)
  }

  act(acts: readonly string[]): this {
    for (const each of acts) {
      const [act = '', one = '', other = ''] = each.split(' ')
      this.acts[act]?.(one, other)
    }
    return this
  }

  get isOnMain(): boolean {
    return this.tip('main').tree.has('code.md')
  }

  /** The end of the chain that begins with pull request 12. */
  async follow() {
    const { ports } = new Stage().logged(new Calls())
    const factsOf = ({
      number,
      title,
      user,
      head,
      base,
      state,
      merged,
      updatedAt,
    }: PullRequest): PullFacts => ({
      number,
      title,
      author: user,
      branch: head.branch,
      head: head.commit.sha,
      base: base.branch,
      state: merged ? 'merged' : state,
      mergeCommit: merged?.commit.sha ?? null,
      closedAt: state === 'open' ? null : Date.parse(updatedAt),
      isByBot: false,
      isFork: head.repository !== name,
    })
    const pulls = this.home.pulls.map(factsOf)
    const github: typeof ports.github = {
      ...ports.github,
      pullsOn: async (_, side, branch) => {
        expect(side).toBe('headRefName')
        return { ok: true, value: pulls.filter((pull) => pull.branch === branch) }
      },
      contains: async (_, ref, sha) => ({
        ok: true,
        value: historyOf(this.tip(ref === 'HEAD' ? 'main' : ref)).has(sha),
      }),
    }
    const [code] = pulls.filter(({ number }) => number === 12)
    if (code === undefined) throw new Error('There is no code')
    const reply = await followCode(name, code, { ...ports, github })
    if (!reply.ok) throw new Error(reply.failure.kind)
    return reply.value
  }
}

/** Pull request 12, from `code` into `feature`, and 13, from `feature` into `main`. */
const stacked = 'branch feature main, branch code feature, open 12 code>feature, open 13 feature>main'
const deep = (levels: number) => {
  const branches = Array.from({ length: levels }, (_, level) => `b${level}`)
  const opened = branches.map((branch, level) => `branch ${branch} ${level ? `b${level - 1}` : 'main'}`)
  const pulls = branches.map(
    (branch, level) => `open ${100 + level} ${branch}>${level ? `b${level - 1}` : 'main'}`,
  )
  const top = `b${levels - 1}`
  const merges = branches.map((_, level) => `squash ${100 + level}`).reverse()
  return [...opened, ...pulls, `branch code ${top}`, `open 12 code>${top}`, 'squash 12', ...merges].join(', ')
}

it.each(
  rowsOf(`
    a pull request that is open | branch code main, open 12 code>main | open by #12
    a pull request that is closed | branch code main, open 12 code>main, close 12 | closed by #12
    a merge into the default branch | branch code main, open 12 code>main, merge 12 | merged by #12
    a squash into the default branch | branch code main, open 12 code>main, squash 12 | merged by #12
    a merge into a branch that is not merged | ${stacked}, merge 12 | open by #13
    a merge into a branch without a pull request | branch feature main, branch code feature, open 12 code>feature, merge 12 | open by #12
    a parent that is merged | ${stacked}, merge 12, merge 13 | merged by #12
    a squash into a branch that is merged | ${stacked}, squash 12, merge 13 | merged by #12
    a parent that is squashed | ${stacked}, merge 12, squash 13 | merged by #13
    a parent that is squashed before the merge | ${stacked}, squash 13, merge 12 | open by #12
    a parent that is closed | ${stacked}, merge 12, close 13 | closed by #13
    a parent that was closed before the merge | ${stacked}, close 13, merge 12 | open by #12
    a parent that was closed before the merge, with a later commit | ${stacked}, close 13, merge 12, move 13 | open by #12
    a parent that is closed, and another that is squashed | ${stacked}, merge 12, close 13, open 14 feature>main, squash 14 | merged by #14
    a parent that is closed, and another that is open | ${stacked}, merge 12, close 13, open 14 feature>main | open by #14
    a parent that is rebased after the merge | ${stacked}, merge 12, rebase feature, squash 13 | open by #12
    a fork's branch with the same name | ${stacked}, merge 12, close 13, fork 14 feature>main, squash 14 | closed by #13
    ten parents | ${deep(10)} | merged by #100
    eleven parents | ${deep(11)} | open by #101
  `).map(([name = '', acts = '', expected = '']) => [name, expected, acts]),
)('the end of the chain for %s is: %s', async (_, expected, acts = '') => {
  const branches = new Branches().act(acts.split(', '))
  const { state, number, mergeCommit } = await branches.follow()
  expect(`${state} by #${number}`).toBe(expected)
  const brought = branches.home.pull(number)?.merged?.commit.sha ?? null
  if (state === 'merged') expect(mergeCommit).toBe(brought)
})

describe('stacks of pull requests', () => {
  const merging = fc.tuple(fc.constantFrom('merge', 'squash'), fc.constantFrom(12, 13, 14, 15))
  const other = fc.constantFrom('close 13', 'close 14', 'rebase one', 'rebase two')
  const opening = fc.constantFrom('open 15 one>main', 'open 16 two>one', 'open 17 two>main')
  const act = fc.oneof(
    { weight: 6, arbitrary: merging.map((each) => each.join(' ')) },
    { weight: 1, arbitrary: other },
    { weight: 1, arbitrary: opening },
  )
  const setUp =
    'branch one main, branch two one, branch code two, open 12 code>two, open 13 two>one, open 14 one>main'

  it('code counts as merged only if the default branch has it, and always then if no branch was rebased', async () => {
    const seen = { merged: 0, elsewhere: 0 }
    const law = fc.asyncProperty(fc.array(act, { maxLength: 10 }), async (acts) => {
      const branches = new Branches().act([...setUp.split(', '), ...acts])
      const { state } = await branches.follow()
      const isMerged = state === 'merged'
      if (isMerged) expect(branches.isOnMain).toBe(true)
      // A rebased branch, or another pull request, can bring the code without a chain that proves it.
      const isSimple = !acts.some((each) => /^(rebase|close|open)/.test(each))
      if (isSimple) expect(isMerged).toBe(branches.isOnMain)
      if (isMerged) seen.merged++
      else if (branches.home.pull(12)?.merged) seen.elsewhere++
    })
    await fc.assert(law, { numRuns: 2_000, seed: 54 })
    expect(Math.min(seen.merged, seen.elsewhere)).toBeGreaterThan(20)
  })
})
