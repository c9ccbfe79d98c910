/** Pages that readers dislike, and their comments. */
import * as z from 'zod/mini'
import { count, pageColumn, part, remark, words } from '../core/blocks.ts'
import { partText } from '../core/format.ts'
import { readersWords, toPath } from '../core/readers-words.ts'
import {
  entriesOf,
  type List,
  lackOf,
  ownEntries,
  type ReadList,
  type Section,
  type Site,
  section,
  visitorsOf,
} from '../core/section.ts'
import { isPlainPath } from '../core/suggestions.ts'

const path = z.pipe(z.string(), z.transform(toPath))
const vote = z.object({ path, thumbsUp: z.number(), thumbsDown: z.number() })
type Votes = z.infer<typeof vote>

const list: List<Votes> = {
  name: 'votes',
  path: 'feedback/by-page',
  query: { limit: 100 },
  rows: 'feedback',
  entry: vote,
}

// `contact` is left out: it is an email address, which is never kept.
const comment = z.object({
  path,
  comment: z.pipe(
    z.nullable(z.string()),
    z.transform((text) => readersWords(text ?? '')),
  ),
  status: z.catch(z.string(), ''),
  helpful: z.catch(z.boolean(), false),
})

/** The sources of comments. Each is a list: the list of all sources consists mostly of votes. */
const sources = { contextual: 'reader', code_snippet: 'reader', agent: 'AI reader' }

/** Minimum values for a fix. */
const least = { votes: 5, visitors: 50 }

const votes = section({
  name: 'votes',
  title: 'Read most, disliked most',
  list,
  entries: (rows: Votes[]) => rows,
  tally: ['votes were negative', ({ thumbsDown }) => thumbsDown, totalOf],
  columns: [
    pageColumn(),
    part('negative', 'votes', 'Negative votes', 'votes negative'),
    count('votes'),
    count('visitors', 'Visitors', 'visitor'),
  ],
  nothing: 'No page has two or more negative votes and more negative than positive votes.',
  rows(all, site) {
    const visitorsAt = visitorsOf(all, site)
    return all
      .filter(({ thumbsUp, thumbsDown }) => thumbsDown >= 2 && thumbsDown > thumbsUp)
      .map((page) => ({
        path: page.path,
        negative: page.thumbsDown,
        votes: totalOf(page),
        visitors: visitorsAt(page.path),
      }))
      .sort((one, other) => weightOf(other) - weightOf(one) || (one.path < other.path ? -1 : 1))
  },
  fix({ path, negative, votes, visitors }) {
    const isSign = votes >= least.votes && (visitors ?? 0) >= least.visitors
    if (!isSign || !isPlainPath(path)) return null
    const part = partText(negative, votes)
    const task = `Find and fix what readers dislike about ${path}. ${part} votes are negative`
    return { about: 'page', target: path, task, words: [] }
  },
})

function totalOf({ thumbsUp, thumbsDown }: Votes): number {
  return thumbsUp + thumbsDown
}

/**
 * The estimated number of visitors who dislike a page. One vote is added in each direction, so that a single vote does
 * not count as 100%. A page without visitors counts as having one.
 */
function weightOf({
  negative,
  votes,
  visitors,
}: {
  negative: number
  votes: number
  visitors: number | null
}): number {
  return ((negative + 1) / (votes + 2)) * Math.max(1, visitors ?? 1)
}

export const feedback: Section = {
  name: 'feedback',
  async read(read, site) {
    const [part, said] = await Promise.all([votes.read(read, site), readComments(read, site)])
    const rows = said.flatMap((each) => each.rows)
    const wordsOn = (target: string) =>
      rows.filter(({ path, by }) => path === target && by === sources.contextual)
    return {
      blocks: [
        ...part.blocks,
        {
          kind: 'table',
          id: 'comments',
          fold: 'Comments',
          columns: [pageColumn(), words('comment', 'Comment'), remark('by', 'By')],
          rows,
          size: rows.length,
          top: 5,
          gap: said.find(({ gap }) => gap !== null)?.gap ?? null,
        },
      ],
      missed: part.missed.map((each) => ({
        ...each,
        words: wordsOn(each.target).map(({ comment }) => comment),
      })),
    }
  },
}

/** Reads the comments. Praise, and feedback that was resolved or dismissed, needs no action. */
function readComments(read: ReadList, site: Site) {
  return Promise.all(
    Object.entries(sources).map(async ([source, by]) => {
      const list = {
        name: 'comments',
        path: 'feedback',
        query: { limit: 100, source },
        rows: 'feedback',
        entry: comment,
      }
      const listing = await read(list)
      const rows = ownEntries(entriesOf(listing), site)
        .filter(
          ({ comment, status, helpful }) =>
            comment !== '' && !/^(?:resolved|dismissed)$/.test(status) && !helpful,
        )
        .map(({ path, comment }) => ({ path, comment, by }))
      return { gap: lackOf(listing, list), rows }
    }),
  )
}
