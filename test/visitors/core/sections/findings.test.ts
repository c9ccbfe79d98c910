import { describe, expect, it } from 'vitest'
import { findInSections, rowsOf, type Site } from '../../../../src/visitors/core/sections/findings.ts'
import { parseSearches, type SectionsRead } from '../../../../src/visitors/core/sections/lists.ts'
import { hasFewClicks, hasMostlyDownVotes } from '../../../../src/visitors/core/sections/rules.ts'
import { aSite, listed, missing, noSections, unanswered } from './samples.ts'

const vote = (path: string, up: number, down: number) => ({ path, up, down })
const term = (words: string, searches: number, clickRate: number | null = 0) => ({
  words,
  searches,
  clickRate,
})

describe('votes', () => {
  const order = (rows: ReturnType<typeof vote>[], site: Site) => {
    const feedback = { votes: listed(rows), comments: missing }
    const found = findInSections({ ...noSections, feedback }, site).feedback?.votes
    return found?.kind === 'read' ? found.rows.map(({ path, visitors }) => [path, visitors]) : found
  }

  it('votes are listed with the pages that are most read and most disliked first', () => {
    const rows = [
      vote('/liked', 90, 2),
      vote('/rare', 0, 9),
      vote('/read', 1, 9),
      vote('/gone', 0, 20),
      vote('/one', 0, 1),
    ]
    const site = aSite({ '/liked': 500, '/rare': 3, '/read': 400, '/one': 10 })
    expect(order(rows, site)).toEqual([
      ['/read', 400],
      ['/liked', 500],
      ['/one', 10],
      ['/rare', 3],
      ['/gone', null],
    ])
  })

  it.each([
    [0, 2, true],
    [0, 1, false],
    [2, 2, false],
    [2, 3, true],
  ])('a page with %i votes up and %i down is disliked: %s', (up, down, disliked) => {
    expect(hasMostlyDownVotes(vote('/a', up, down))).toBe(disliked)
  })

  it("a page's votes and visitors are combined even if slashes or the site's path differ", () => {
    const site = aSite({ 'guides/keys/': 7 }, { url: 'https://example.com/docs' })
    expect(order([vote('/docs/guides/keys', 0, 3)], site)).toEqual([['/guides/keys', 7]])
  })

  it('votes on pages that the filter excludes are left out', () => {
    const site = aSite({ '/a': 1, '/b': 1 }, { counts: (path) => path === '/a' })
    expect(order([vote('/a', 0, 3), vote('/b', 0, 3)], site)).toEqual([['/a', 1]])
  })
})

it('comments by AI agents are kept separate', () => {
  const comment = (words: string, isAgent: boolean) => ({ path: '/a', words, isAgent })
  const feedback = { votes: missing, comments: listed([comment('Good', false), comment('Wrong', true)]) }
  const found = findInSections({ ...noSections, feedback }, aSite({})).feedback
  expect(found?.votes).toEqual(missing)
  expect(found?.comments).toMatchObject({ rows: [{ words: 'Good' }] })
  expect(found?.agentComments).toMatchObject([{ words: 'Wrong' }])
})

describe('searches', () => {
  const read = (rows: ReturnType<typeof term>[], site = aSite({})) => {
    const { searches } = findInSections({ ...noSections, searches: listed(rows) }, site)
    return searches?.kind === 'read' ? searches.rows : []
  }
  const words = (rows: ReturnType<typeof term>[]) =>
    read(rows).map(({ words: text, searches, clickRate }) => [text, searches, clickRate])

  it('searches are listed with the most searches without a click first', () => {
    expect(
      words([term('found', 90, 0.99), term('lost', 10), term('half', 30, 0.5), term('unknown', 500, null)]),
    ).toEqual([
      ['half', 30, 0.5],
      ['lost', 10, 0],
      ['found', 90, 0.99],
      ['unknown', 500, null],
    ])
  })

  it.each([
    [4, 0, false],
    [5, 0.19, true],
    [5, 0.2, false],
    [99, null, false],
  ])(
    'a term with %i searches and a click rate of %s is a missed search: %s',
    (searches, clickRate, isMiss) => {
      expect(hasFewClicks(term('x', searches, clickRate))).toBe(isMiss)
    },
  )

  it.each([
    ['rotate keys', '/guides/rotate-api-keys', true],
    ['rotate keys', '/guides/keys', false],
    ['How do I sign in?', '/guides/signin', true],
    ['auth', '/guides/authentication', true],
    ['authentication', '/guides/auth', false],
    ['Über uns', '/about/uber-uns', true],
    ['saml sso', '/guides/single-sign-on', false],
    ['sso', '/lessons', false],
    ['鍵の変更', '/ja/keys', null],
    ['как войти', '/ru/sign-in', null],
    ['???', '/', null],
  ])('the term %j has a page in %s: %s', (text, path, hasPage) => {
    expect(read([term(text, 20)], aSite({ [path]: 1 }))[0]?.hasPage).toBe(hasPage)
  })

  it('if not all pages were read, it is unknown whether a search without a match has a page', () => {
    const site = aSite({ '/keys': 1 }, { isComplete: false })
    expect(read([term('saml', 20), term('keys', 10)], site).map(({ hasPage }) => hasPage)).toEqual([
      null,
      true,
    ])
  })
})

it('questions are grouped by page, most unanswered first', () => {
  const questions = listed(
    [
      unanswered(null, 'A'),
      unanswered('/b', 'B'),
      unanswered('/c', 'C'),
      unanswered('/b', 'D'),
      unanswered(null, 'E'),
      { ...unanswered('/b', 'F'), isAnswered: true },
      { ...unanswered('/answered', 'G'), isAnswered: true },
    ],
    true,
  )
  const found = findInSections({ ...noSections, questions }, aSite({ '/b': 4, '/c': 9 }))
  expect(rowsOf(found.questions)).toEqual([
    { path: '/b', visitors: 4, questions: ['B', 'D'], asked: 3 },
    { path: null, visitors: null, questions: ['A', 'E'], asked: 2 },
    { path: '/c', visitors: 9, questions: ['C'], asked: 1 },
  ])
  expect(found.tallies.questions).toEqual({ bad: 5, all: 7 })
})

it('tallies count bad entries and all entries in both periods, without pages that the filter excludes', () => {
  const votes = (down: number) =>
    listed([
      { path: '/a', up: 3, down },
      { path: '/left-out', up: 90, down: 90 },
    ])
  const read = (down: number): SectionsRead => ({
    feedback: { votes: votes(down), comments: listed([]) },
    searches: listed([{ words: 'sso', searches: 40, clickRate: 0.25 }]),
    questions: missing,
  })
  const site = aSite({}, { counts: (path) => path !== '/left-out' })
  const { tallies, talliesBefore } = findInSections(read(7), site, read(2))
  expect(tallies).toEqual({ votes: { bad: 7, all: 10 }, searches: { bad: 30, all: 40 }, questions: null })
  expect(talliesBefore).toEqual({
    votes: { bad: 2, all: 5 },
    searches: { bad: 30, all: 40 },
    questions: null,
  })
})

it('a tally of searches covers only the terms that were read', () => {
  const term = { searchQuery: 'sso', hits: 40, ctr: 0.25, topClickedPage: null, lastSearchedAt: '' }
  const read = parseSearches({ searches: [term], totalSearches: 900, nextCursor: 'next' })
  if (read === undefined) throw new Error('not read')
  const searches: SectionsRead['searches'] = { kind: 'read', ...read }
  expect(findInSections({ ...noSections, searches }, aSite({})).tallies.searches).toEqual({
    bad: 30,
    all: 40,
  })
})

it('sections that were not requested are empty', () => {
  const none = { questions: null, votes: null, searches: null }
  expect(findInSections(noSections, aSite({ '/a': 1 }))).toEqual({
    ...noSections,
    tallies: none,
    talliesBefore: none,
  })
})
