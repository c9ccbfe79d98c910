import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseComments,
  parseQuestions,
  parseSearches,
  parseVotes,
  toPath,
} from '../../../../src/visitors/core/sections/lists.ts'

/** What is known about a list besides its rows. */
const list = (seen: number, more = {}) => ({ seen, hasMore: false, ...more })

const parsers = { parseVotes, parseComments, parseSearches, parseQuestions }

describe('votes', () => {
  it('votes are read by page', () => {
    const reply = {
      feedback: [{ path: 'guides/keys/', thumbsUp: 3, thumbsDown: 9, code: 1, total: 13 }],
      hasMore: true,
    }
    expect(parseVotes(reply)).toEqual({
      rows: [{ path: '/guides/keys', up: 3, down: 9 }],
      ...list(1, { hasMore: true }),
    })
  })
})

describe('comments', () => {
  it('comments are read without the contact, and cleaned', () => {
    const reply = {
      feedback: [
        {
          path: '/a',
          comment: ' Ask me:\njane@example.com ',
          source: 'contextual',
          contact: 'jane@example.com',
        },
        { path: '/a', comment: 'Wrong limit', source: 'agent' },
        { path: '/a', comment: null, source: 'thumbs_only' },
        { path: '/a', comment: '\u200B' },
      ],
      nextCursor: 'x',
    }
    const comments = parseComments(reply)
    expect(comments).toEqual({
      rows: [
        { path: '/a', words: 'Ask me: [email address]', isAgent: false },
        { path: '/a', words: 'Wrong limit', isAgent: true },
      ],
      ...list(4, { hasMore: true }),
    })
    expect(JSON.stringify(comments)).not.toContain('jane')
  })

  it.each([
    [{ status: 'pending', helpful: false }, 1],
    [{ status: 'in_progress' }, 1],
    [{ status: 'resolved', helpful: false }, 0],
    [{ status: 'dismissed' }, 0],
    [{ status: 'pending', helpful: true }, 0],
  ])('comments only include unresolved complaints: %j', (more, count) => {
    const feedback = [{ path: '/a', comment: 'Great!', source: 'contextual', ...more }]
    expect(parseComments({ feedback })?.rows).toHaveLength(count)
  })
})

describe('searches', () => {
  const rates = (...values: unknown[]) =>
    parseSearches({
      searches: values.map((ctr, at) => ({ searchQuery: `term ${at}`, hits: 1, ctr })),
      nextCursor: null,
    })?.rows.map(({ clickRate }) => clickRate)

  it.each([
    ['fractions', [0, 0.02, 0.5, 1], [0, 0.02, 0.5, 1]],
    ['percentages, even under 1', [0, 0.5, 2, 100], [0, 0.005, 0.02, 1]],
    ['invalid, and are then unknown', [null, undefined, '4 %', -1], [null, null, null, null]],
    ['over 100%, and are then unknown', [50, 101], [0.5, null]],
  ])('the click rates of searches can be %s', (_, given, read) => {
    expect(rates(...given)).toEqual(read)
  })

  it('searches are cleaned', () => {
    const reply = { searches: [{ searchQuery: 'key sk-abcdefghijklmnop', hits: 4, ctr: 0 }], nextCursor: '' }
    expect(parseSearches(reply)).toEqual({
      rows: [{ words: 'key [secret]', searches: 4, clickRate: 0 }],
      ...list(1),
    })
  })
})

describe('questions', () => {
  it('questions include every question, except turns in which the assistant asked for clarification', () => {
    const asked = (query: string, resolutionStatus: string, pageUrl: unknown, more = {}) => ({
      query,
      resolutionStatus,
      pageUrl,
      response: 'Long',
      sources: [],
      ...more,
    })
    const conversations = [
      asked('How?', 'unanswered', 'https://docs.example.com/guides/keys?utm=1#top', {
        queryCategory: 'Keys\u200B',
      }),
      asked('Why?', 'answered', '/a', { queryCategory: 7 }),
      asked('Which one?', 'unanswered', '/a', { responseType: 'clarifying_question' }),
      asked('Where?', 'unanswered', null, { responseType: null }),
      asked('When?', 'unanswered', 7, { queryCategory: '' }),
    ]
    expect(parseQuestions({ conversations, hasMore: false })).toEqual({
      rows: [
        { path: '/guides/keys', words: 'How?', isAnswered: false },
        { path: '/a', words: 'Why?', isAnswered: true },
        { path: null, words: 'Where?', isAnswered: false },
        { path: null, words: 'When?', isAnswered: false },
      ],
      ...list(5),
    })
  })
})

describe('a response', () => {
  const good = {
    path: '/a',
    thumbsUp: 1,
    thumbsDown: 1,
    comment: 'Good',
    source: 'contextual',
    searchQuery: 'a',
    hits: 1,
    ctr: 0,
    query: 'a',
    resolutionStatus: 'unanswered',
    pageUrl: null,
  }
  const reply = (rows: unknown) => ({ feedback: rows, searches: rows, conversations: rows })

  it.each(Object.entries(parsers))('a response loses only the rows that cannot be used (%s)', (_, parse) => {
    const odd = [null, 7, 'x', [], {}, { ...good, path: 7, searchQuery: 7, query: 7 }]
    expect(parse(reply([...odd, good]))).toMatchObject({ rows: [{}], seen: 7 })
  })

  it.each(Object.entries(parsers))(
    'a response without a list, or without a usable row, is rejected (%s)',
    (_, parse) => {
      for (const odd of [
        null,
        7,
        [],
        {},
        'x',
        reply(null),
        reply({}),
        reply('x'),
        reply([{}]),
        reply([null]),
      ])
        expect(parse(odd)).toBe(undefined)
      expect(parse(reply([]))).toEqual({ rows: [], ...list(0) })
    },
  )

  it.each(Object.entries(parsers))('a response with more rows than requested is cut (%s)', (_, parse) => {
    const list = parse(reply(Array.from({ length: 600 }, () => good)))
    expect([list?.seen, list?.rows.length, list?.hasMore]).toEqual(
      parse === parseQuestions ? [500, 500, true] : [100, 100, true],
    )
  })

  it.each(Object.entries(parsers))('parsing any JSON never throws (%s)', (_, parse) => {
    fc.assert(
      fc.property(fc.anything(), fc.jsonValue(), (thing, json) => {
        parse(json)
        parse(reply([thing, json, { ...good, ...Object(json) }]))
      }),
    )
  })
})

it.each([
  ['/guides/keys', '/guides/keys'],
  ['guides/keys', '/guides/keys'],
  ['//guides/keys//', '/guides/keys'],
  ['/', '/'],
  ['', '/'],
  ['https://docs.example.com', '/'],
  ['https://docs.example.com/a/b/?x=1#y', '/a/b'],
  ['/a?next=https://x.example', '/a'],
  ['/a\n?b', '/a\n'],
  ['/reset/sk-abcdefghijklmnop', '/reset/[secret]'],
])('the page %j is read as the path %j', (text, path) => {
  expect(toPath(text)).toBe(path)
})

// A parser that scans again from each slash would take minutes, so the test would time out.
it('a path with a million slashes is read', () => {
  expect(toPath(`${'/'.repeat(1_000_000)}x`)).toBe('/')
  expect(toPath(`/a${'/'.repeat(1_000_000)}`)).toBe('/a')
  expect(toPath(`/${'a'.repeat(1_000_000)}`).length).toBeLessThanOrEqual(2_000)
})
