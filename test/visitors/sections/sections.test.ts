/** Each section: what it makes of the platform's rows. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/visitors/core/blocks.ts'
import type { Site } from '../../../src/visitors/core/section.ts'
import { runs } from '../../core/samples.ts'
import { aSite, type Replies, readParts } from '../samples.ts'

/** The rows of a section's table, or why it has none. */
async function rowsOf(id: string, replies: Replies, site?: Site) {
  const table = (await readParts(replies, site))
    .flatMap(({ blocks }) => blocks)
    .find((block): block is Table => block.kind === 'table' && block.id === id)
  return table?.gap ?? [...(table?.rows ?? [])]
}
const textsOf = async (replies: Replies) =>
  (await readParts(replies)).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'paragraph' && block.text !== '' ? block.text : [])),
  )

describe('questions', () => {
  const turn = (query: string, resolutionStatus: string, more = {}) => ({
    query,
    resolutionStatus,
    pageUrl: '/a',
    ...more,
  })

  it('questions count conversations, not turns, and clarifying questions do not count', async () => {
    const assistant = [
      turn('How?', 'unanswered', { conversationId: 'c1' }),
      turn('How exactly?', 'unanswered', { conversationId: 'c1' }),
      turn('Thanks', 'answered', { conversationId: 'c1' }),
      turn('Which one?', 'unanswered', { conversationId: 'c2', responseType: 'clarifying_question' }),
      turn('The second', 'answered', { conversationId: 'c2' }),
      turn('Why?', 'unanswered', { conversationId: null }),
      turn('Where?', 'unanswered'),
    ]
    expect(await rowsOf('questions', { assistant }, aSite({ '/a': 7 }))).toEqual([
      { path: '/a', unanswered: 3, asked: 4, visitors: 7, questions: ['How?', 'Why?', 'Where?'] },
    ])
    expect(await textsOf({ assistant })).toEqual(['3 of 4 conversations went unanswered.'])
  })

  it('questions are grouped by page, most unanswered first, without the site’s own path', async () => {
    const assistant = [
      turn('A', 'unanswered', { pageUrl: null }),
      turn('B', 'unanswered', { pageUrl: 'https://example.com/docs/b?utm=1#top' }),
      turn('C', 'unanswered', { pageUrl: '/c' }),
      turn('D', 'unanswered', { pageUrl: '/docs/b' }),
      turn('E', 'answered', { pageUrl: '/answered' }),
      turn('F', 'unanswered', { pageUrl: '/hidden' }),
    ]
    const site = aSite(
      { '/b': 4, 'c/': 9 },
      { url: 'https://example.com/docs', isListed: (path) => path !== '/hidden' },
    )
    expect(await rowsOf('questions', { assistant }, site)).toMatchObject([
      { path: '/b', unanswered: 2, visitors: 4 },
      { path: '/c', visitors: 9 },
      { path: null, visitors: null, questions: ['A'] },
    ])
  })
})

describe('feedback', () => {
  it('pages are listed with those that are most read and most disliked first', async () => {
    const votes: [string, number, number][] = [
      ['/liked', 90, 2],
      ['/rare', 0, 9],
      ['/read', 1, 9],
      ['/gone', 0, 20],
      ['/one', 0, 1],
      ['/half', 2, 2],
    ]
    const replies = {
      'feedback/by-page': votes.map(([path, thumbsUp, thumbsDown]) => ({ path, thumbsUp, thumbsDown })),
    }
    expect(await rowsOf('votes', replies, aSite({ '/liked': 500, '/rare': 3, '/read': 400 }))).toEqual([
      { path: '/read', negative: 9, votes: 10, visitors: 400 },
      { path: '/rare', negative: 9, votes: 9, visitors: 3 },
      { path: '/gone', negative: 20, votes: 20, visitors: null },
    ])
  })

  it('comments have neither contacts nor personal data, and say whether an AI reader wrote them', async () => {
    const row = {
      path: '/a',
      comment: ' Ask me:\njane@example.com ',
      contact: 'jane@example.com',
      lang: null,
      filename: null,
    }
    expect(await rowsOf('comments', { feedback: [row] })).toEqual(
      ['reader', 'reader', 'AI reader'].map((by) => ({ path: '/a', comment: 'Ask me: [email address]', by })),
    )
  })

  it.each([
    [{ status: 'pending', helpful: false }, 3],
    [{ status: 'in_progress' }, 3],
    [{ status: 'resolved', helpful: false }, 0],
    [{ status: 'dismissed' }, 0],
    [{ status: 'pending', helpful: true }, 0],
    [{ comment: null }, 0],
    [{ comment: '\u200B' }, 0],
  ])('comments only include unresolved complaints: %j', async (more, count) => {
    expect(await rowsOf('comments', { feedback: [{ path: '/a', comment: 'Great!', ...more }] })).toHaveLength(
      count,
    )
  })
})

describe('searches', () => {
  const found = async (rows: [string, number, unknown][], site = aSite({})) =>
    (await rowsOf(
      'searches',
      { searches: rows.map(([searchQuery, hits, ctr]) => ({ searchQuery, hits, ctr })) },
      site,
    )) as {
      search: string
      clickRate: number
      page: string | null
    }[]

  it.each([
    ['fractions', [0, 0.02, 0.19, 0.2, 1], [0, 0.02, 0.19]],
    ['percentages, even under 1', [0, 0.5, 2, 100], [0, 0.005, 0.02]],
    ['invalid, and are then unknown', [null, undefined, '4 %', -1], []],
    ['over 100%, and are then unknown', [15, 101], [0.15]],
  ])('the click rates of searches can be %s', async (_, given, rates) => {
    const rows = await found(given.map((ctr, at) => [`term ${at}`, 5, ctr]))
    expect(rows.map(({ clickRate }) => clickRate).sort()).toEqual(rates)
  })

  it('searches are listed with the most searches without a click first', async () => {
    const rows = await found([
      ['few', 4, 0],
      ['lost', 10, 0],
      ['half', 30, 0.1],
      ['key sk-abcdefghijklmnop', 5, 0],
    ])
    expect(rows.map(({ search }) => search)).toEqual(['half', 'lost', 'key [secret]'])
  })

  it.each([
    ['rotate keys', '/guides/rotate-api-keys', true],
    ['rotate keys', '/guides/keys', false],
    ['How do I sign in?', '/guides/signin', true],
    ['auth', '/guides/authentication', true],
    ['authentication', '/guides/auth', false],
    ['Über uns', '/about/uber-uns', true],
    ['sso', '/lessons', false],
    ['鍵の変更', '/ja/keys', null],
    ['???', '/', null],
  ])('the term %j has a page in %s: %s', async (text, path, hasPage) => {
    const said = hasPage === false ? 'no visited page has the word in its path' : null
    expect(await found([[text, 20, 0]], aSite({ [path]: 1 }))).toMatchObject([{ page: said }])
    // If not all pages were read, there may be one.
    expect(await found([[text, 20, 0]], aSite({ [path]: 1 }, { isComplete: false }))).toMatchObject([
      { page: null },
    ])
  })
})

describe('a list', () => {
  const good = {
    path: '/a',
    thumbsUp: 0,
    thumbsDown: 5,
    comment: 'Bad',
    searchQuery: 'a',
    hits: 9,
    ctr: 0,
    query: 'a',
    resolutionStatus: 'unanswered',
    pageUrl: null,
  }
  const lists = {
    votes: 'feedback/by-page',
    comments: 'feedback',
    searches: 'searches',
    questions: 'assistant',
  } as const
  const each = Object.entries(lists)

  it.each(each)('%s: rows that cannot be used are left out', async (id, list) => {
    const odd = [null, 7, 'x', [], {}, { ...good, path: 7, searchQuery: 7, query: 7 }]
    expect(await rowsOf(id, { [list]: [...odd, good] })).toEqual(await rowsOf(id, { [list]: [good] }))
  })

  it.each(each)('%s: a list without usable rows is missing', async (id, list) => {
    expect(await rowsOf(id, { [list]: [{}, null] })).toMatch(/^The \w+ are missing: /)
    expect(await rowsOf(id, { [list]: [] })).toEqual([])
  })

  it.each(each)('%s: a list with more rows than requested is cut, and says so', async (id, list) => {
    const limit = id === 'questions' ? 500 : 100
    expect(await rowsOf(id, { [list]: Array.from({ length: 600 }, () => good) })).toBe(
      `Only the first ${limit} ${id} were read. There are more.`,
    )
  })

  it('no JSON makes a section throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.jsonValue().map((json) => ({ ...good, ...Object(json) })),
          ),
        ),
        async (rows) => {
          await readParts({ 'feedback/by-page': rows, feedback: rows, searches: rows, assistant: rows })
        },
      ),
      runs(100),
    )
  })
})
