/** Whose commits are in a push. GitHub's answers about commits are those of the sandbox's repository. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Commit, commit, commitsBetween } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import type { PullFacts } from '../../src/ports.ts'
import { sourcesOf } from '../../src/request/documented.ts'
import { rowsOf } from '../core/samples.ts'

const agent = 'mintlify[bot]'
const numbersOf = (pulls: readonly { number: number }[]) => pulls.map(({ number }) => number).join(' ')

/**
 * A pull request as `number`, with `?` if it is open, `>feature` if it is for another branch, `^` if the commit is its last
 * one, and `f` if it is from a fork. Numbers from 100 are the agent's.
 */
function pullOf(text: string): PullFacts {
  const number = Number.parseInt(text, 10)
  return {
    number,
    title: `Pull ${number}`,
    author: number >= 100 ? 'Mintlify[bot]' : 'mona',
    head: text.includes('^') ? 'tip' : 'head',
    branch: 'topic',
    base: />(\w+)/.exec(text)?.[1] ?? 'main',
    state: text.includes('?') ? 'open' : 'merged',
    mergeCommit: null,
    closedAt: null,
    isByBot: false,
    isFork: text.includes('f') && !text.includes('>'),
  }
}

/** Decides about a push. Its commits are separated by commas; `-` is a commit that no pull request contains. */
function decide(text: string, upstreamRun: number | null) {
  const commits = text.split(',').map((pulls) => pulls.split(' ').filter((word) => /\d/.test(word)))
  const pulls = commits.map((each) => each.map(pullOf))
  const sources = sourcesOf(pulls, { branch: 'main', head: 'tip', upstreamRun }, agent)
  return [sources.areFrom(sources.own) ? 'skipped' : 'sent', numbersOf(sources.own)].join(': ').trim()
}

it.each(
  rowsOf(`
    the agent's squash merge                           | 101               | skipped: 101
    the agent's merge, with its commits                | 101, 101, 101     | skipped: 101
    two of the agent's merges, as from a merge queue   | 101, 102          | skipped: 101 102
    a person's commit inside the agent's pull request  | 101, 101 12>docs  | skipped: 101
    a person's direct commit, then the agent's merge   | -, 101            | sent: 101
    the agent's merge, then a person's direct commit   | 101, -            | sent: 101
    a rebase merge on top of a direct commit           | -, 101, 101       | sent: 101
    a person's merge, then the agent's                 | 12, 12, 101       | sent: 101
    the agent's stacked work in a person's merge       | 101>topic 12, 12  | sent: 101
    a branch with the agent's work, pushed directly    | 101>topic         | sent: 101
    a branch with the agent's open pull request        | 101?              | sent:
    a commit of two merges, one of them a person's     | 12 101            | sent: 101
    a direct commit                                    | -                 | sent:
  `),
)('a push of %s (%s) is %s', (_, commits = '', expected) => {
  expect(decide(commits, null)).toBe(expected)
})

it.each(
  rowsOf(`
    one of the agent's merges                       | 101           | skipped: 101
    the last commit of the agent's pull request     | 101?^         | skipped: 101
    the agent's last commit, on a fork              | 101?^f        | sent:
    an earlier commit of the agent's pull request   | 101?          | sent:
    the last commit of two pull requests            | 101?^ 12?^    | sent:
  `),
)('an upstream run for %s (%s) is %s', (_, commits = '', expected) => {
  expect(decide(commits, 9)).toBe(expected)
})

it('a push whose commits are unknown is sent', () => {
  expect(sourcesOf([], { branch: 'main', head: 'tip' }, agent).areFrom([])).toBe(false)
})

describe('pushes by several authors', () => {
  const accounts = [agent, 'mona'] as const
  const account = fc.constantFrom(...accounts)
  const way = fc.constantFrom('merge' as const, 'squash' as const, 'rebase' as const)
  const work = fc.record({ user: account, way, authors: fc.array(account, { minLength: 1, maxLength: 3 }) })
  /** A direct commit; or a pull request with its own commits and, below it, one that was stacked on it. */
  const part = fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.record({ own: work, stacked: fc.option(work) }) },
  )
  type Work = typeof work extends fc.Arbitrary<infer Value> ? Value : never

  const change = (name: string, parents: readonly Commit[], author = 'mona') =>
    commit({ message: name, parents, author, files: { [name]: name } })

  class Branches {
    private count = 0
    readonly base = change('begin', [])
    readonly home = new Repository({ name: 'acme/app', branches: { main: this.base } })
    tip = this.base

    private name(): string {
      return `c${++this.count}`
    }

    push(): void {
      this.tip = change(this.name(), [this.tip])
    }

    /** Merges a pull request into a branch, and returns the new tip. */
    merge({ user, way, authors }: Work, branch: string, tip: Commit, stacked: Work | null = null): Commit {
      let head = authors.reduce((parent, author) => change(this.name(), [parent], author), this.base)
      const topic = this.name()
      if (stacked !== null) head = this.merge(stacked, topic, head)
      const own = commitsBetween(this.base, head)
      const merges = {
        merge: () => change(this.name(), [tip, head]),
        squash: () => change(this.name(), [tip]),
        rebase: () => own.reduce((parent) => change(this.name(), [parent]), tip),
      }
      const merged = { commit: merges[way]() }
      const base = { branch, commit: tip }
      this.home.setPull({ number: ++this.count, user, head: { branch: topic, commit: head }, base, merged })
      return merged.commit
    }

    land(parts: readonly ({ own: Work; stacked: Work | null } | null)[]): void {
      for (const each of parts) {
        if (each === null) this.push()
        else this.tip = this.merge(each.own, 'main', this.tip, each.stacked)
      }
      this.home.setBranch('main', this.tip)
    }

    /** Whether the agent alone brought the push. @param known which of the pull requests GitHub lists */
    isSkipped(known: (number: number) => boolean): boolean {
      const commits = commitsBetween(this.base, this.tip)
      const viewsOf = (each: Commit) =>
        this.home.pullsWith(each).flatMap(({ number, title, user: author, head, base }): PullFacts[] => {
          const pull = {
            number,
            title,
            author,
            branch: head.branch,
            head: head.commit.sha,
            base: base.branch,
          }
          const merge = {
            state: 'merged',
            mergeCommit: null,
            closedAt: null,
            isByBot: false,
            isFork: false,
          } as const
          return known(number) ? [{ ...pull, ...merge }] : []
        })
      const sources = sourcesOf(commits.map(viewsOf), { branch: 'main', head: this.tip.sha }, agent)
      return sources.areFrom(sources.own)
    }
  }

  it('the agent’s own merges are skipped, and a push with anything else is not', () => {
    const seen = { skipped: 0, sent: 0 }
    const law = fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.nat(), (parts, hidden) => {
      const branches = new Branches()
      branches.land(parts)
      const isAgents = parts.every((each) => each?.own.user === agent)
      expect(branches.isSkipped(() => true)).toBe(isAgents)
      // If GitHub does not list some of the pull requests, more is sent, never less.
      if (branches.isSkipped((number) => (number * 7 + hidden) % 3 > 0)) expect(isAgents).toBe(true)
      seen[isAgents ? 'skipped' : 'sent']++
    })
    fc.assert(law, { numRuns: 300, seed: 54 })
    expect(Math.min(seen.skipped, seen.sent)).toBeGreaterThan(30)
  })
})
