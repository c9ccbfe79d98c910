/** Whether a fix helped: the days that are compared, what is counted, and how the report says it. */
import { describe, expect, it } from 'vitest'
import { halved, nothingFixed } from '../../../../bench/fixes.ts'
import { findInSections } from '../../../../src/visitors/core/sections/findings.ts'
import type { SectionsRead } from '../../../../src/visitors/core/sections/lists.ts'
import type { Kind, KnownSuggestion, Result } from '../../../../src/visitors/core/suggestions/known.ts'
import { dueOn, measured } from '../../../../src/visitors/core/suggestions/measure.ts'
import { resultText } from '../../../../src/visitors/core/suggestions/words.ts'
import { aSite, listed, noSections, unanswered } from '../sections/samples.ts'
import { suggestion } from './samples.ts'

const url = 'https://github.com/acme/docs/pull/101'
const mergedOn = (on: string, more: Partial<KnownSuggestion> = {}) =>
  suggestion({ state: { is: 'merged', by: 'mona', url, on }, ...more })

describe('a merged fix', () => {
  it('merged fixes are due once 28 full days have passed since the day of the merge, earliest first', () => {
    const known = [mergedOn('2026-10-20'), mergedOn('2026-10-18'), mergedOn('2026-10-19'), suggestion()]
    expect(dueOn(known, '2026-11-17').map(({ state }) => state.on)).toEqual(['2026-10-18', '2026-10-19'])
  })

  it('a merged fix is compared with the 28 days before the week that raised it', () => {
    expect(dueOn([mergedOn('2026-10-18', { raised: '2026-10-05' })], '2026-12-01')).toMatchObject([
      { first: { from: '2026-09-07', to: '2026-10-05' }, second: { from: '2026-10-19', to: '2026-11-16' } },
    ])
  })
})

const read = (more: Partial<SectionsRead>) =>
  findInSections({ ...noSections, ...more }, aSite({ '/guides/keys': 90 }))
const asked = (own: number, rest: number, hasMore = false) =>
  read({
    questions: listed(
      [
        ...Array.from({ length: own }, () => unanswered('/guides/keys', 'How?')),
        ...Array.from({ length: rest }, () => unanswered('/other', 'Why?')),
        { ...unanswered('/guides/keys', 'Answered'), isAnswered: true },
      ],
      hasMore,
    ),
  })
const searched = (searches: number, rest: number, hasMore = false) =>
  read({
    searches: listed(
      [
        ...(searches === 0 ? [] : [{ words: 'SAML sso', searches, clickRate: 0.25 }]),
        { words: 'other', searches: rest, clickRate: 0 },
      ],
      hasMore,
    ),
  })
const voted = (down: number, path = '/guides/keys', hasMore = false) =>
  read({ feedback: { votes: listed([{ path, up: 3, down }], hasMore), comments: listed([]) } })

describe('what is counted', () => {
  const term = suggestion({ about: 'term', target: 'saml sso', kind: 'searches' })
  const votes = suggestion({ kind: 'votes' })
  it.each([
    [
      'questions on the page, and on the others',
      measured(suggestion(), asked(24, 100), asked(6, 104)),
      { is: 'counts', first: 24, second: 6, restFirst: 100, restSecond: 104 },
    ],
    [
      'more conversations than were read',
      measured(suggestion(), asked(24, 100), asked(6, 104, true)),
      { is: 'uncounted' },
    ],
    ['conversations that were not read', measured(suggestion(), read({}), asked(6, 1)), { is: 'uncounted' }],
    [
      'searches without a click',
      measured(term, searched(40, 50), searched(8, 60)),
      { is: 'counts', first: 30, second: 6, restFirst: 50, restSecond: 60 },
    ],
    [
      'a term that no one searches for any longer',
      measured(term, searched(40, 50), searched(0, 60)),
      { is: 'counts', first: 30, second: 0, restFirst: 50, restSecond: 60 },
    ],
    [
      'a term that is not among the first 100',
      measured(term, searched(40, 50), searched(0, 60, true)),
      { is: 'uncounted' },
    ],
    [
      'votes',
      measured(votes, voted(9), voted(1)),
      { is: 'votes', first: { down: 9, total: 12 }, second: { down: 1, total: 4 } },
    ],
    [
      'a page that no longer has votes',
      measured(votes, voted(9), voted(1, '/other')),
      { is: 'votes', first: { down: 9, total: 12 }, second: { down: 0, total: 0 } },
    ],
    [
      'a page outside the first 100 rows',
      measured(votes, voted(9), voted(1, '/other', true)),
      { is: 'uncounted' },
    ],
  ] as const)('a fix is measured, or the result says why not: %s', (_, result, expected) => {
    expect(result).toEqual(expected)
  })
})

const counts = (first: number, second: number, restFirst = 400, restSecond = 416): Result => ({
  is: 'counts',
  first,
  second,
  restFirst,
  restSecond,
})
const sentences: [Result, string, Kind?][] = [
  [
    counts(24, 6),
    '24 unanswered questions before, 6 after. Down 76% relative to the rest of the site (90% interval: −88% to −47%). The rest of the site changed by +4%',
  ],
  [
    counts(20, 60, 400, 400),
    '20 unanswered questions before, 60 after. Up 200% relative to the rest of the site (90% interval: +91% to +356%). The rest of the site changed by 0%',
  ],
  [
    counts(30, 25, 400, 360),
    '30 unanswered questions before, 25 after. No clear change relative to the rest of the site (90% interval: −41% to +47%). The rest of the site changed by −10%',
  ],
  [
    counts(24, 0),
    '24 unanswered questions before, 0 after. Down 100% relative to the rest of the site (90% interval: −100% to −79%). The rest of the site changed by +4%',
  ],
  [
    counts(40, 40, 400, 400),
    '40 unanswered questions before, 40 after. No clear change relative to the rest of the site (90% interval: −32% to +47%). The rest of the site changed by 0%',
  ],
  [
    counts(40, 41, 1_000, 1_002),
    '40 unanswered questions before, 41 after. No clear change relative to the rest of the site (90% interval: −29% to +48%). The rest of the site changed by 0%',
  ],
  [counts(11, 0), '11 unanswered questions before, 0 after: too few to compare'],
  [counts(24, 6, 11, 40), '24 unanswered questions before, 6 after: too few to compare'],
  [
    counts(1_200, 300),
    '1,200 searches without a click before, 300 after. Down 76% relative to the rest of the site (90% interval: −79% to −72%). The rest of the site changed by +4%',
    'searches',
  ],
  [
    { is: 'votes', first: { down: 9, total: 12 }, second: { down: 1, total: 1_004 } },
    '9 of 12 votes were negative before, 1 of 1,004 after',
    'votes',
  ],
  [{ is: 'gone' }, 'the page was moved or removed'],
  [{ is: 'uncounted' }, 'no result, because not all rows were read'],
]

it.each(sentences)('the result %j is reported in plain words', (result, sentence, kind = 'questions') => {
  expect(resultText(result, kind)).toBe(sentence)
})

describe('made-up sites', () => {
  it.each([15, 40, 150])(
    'on a site without fixes, at most one change in ten looks clear: %d events a week',
    (events) => {
      expect(nothingFixed(events, 500).clear).toBeLessThanOrEqual(0.1)
    },
  )

  it('a halving of 40 events looks clear in at least three of four cases', () => {
    expect(halved(40, 1_000).clear).toBeGreaterThanOrEqual(0.75)
  })
})
