/** Pages that readers dislike, and their comments. */
import * as z from 'zod/mini'
import { count, pageColumn, part, remark, words } from '../blocks.ts'
import { partText } from '../figures.ts'
import { isPlainPath } from '../paths.ts'
import { findings, pagePath, readersText, type Section, type Site, sum } from '../section.ts'

const votesList = {
  name: 'votes',
  path: 'feedback/by-page',
  query: { limit: 100 },
  rows: 'feedback',
  entry: z.object({ path: pagePath, thumbsUp: z.number(), thumbsDown: z.number() }),
}

const commentsList = {
  name: 'comments',
  path: 'feedback',
  rows: 'feedback',
  // `contact` is left out: it is an email address, which is never kept.
  entry: z.object({
    path: pagePath,
    comment: z.catch(readersText, ''),
    status: z.catch(z.string(), ''),
    helpful: z.catch(z.boolean(), false),
  }),
}

/** The sources of comments. Each is a list: the list of all sources consists mostly of votes. */
const sources = { contextual: 'reader', code_snippet: 'reader', agent: 'AI reader' }

const votesShape = {
  id: 'votes',
  title: 'Read most, disliked most',
  fault: 'votes were negative',
  columns: [
    pageColumn(),
    part('negative', 'votes', 'Negative votes', 'votes negative'),
    count('visitors', 'Visitors', 'visitor'),
  ],
  nothing: 'No page has two or more negative votes and more negative than positive votes.',
} as const

const commentsShape = {
  kind: 'table',
  id: 'comments',
  fold: 'Comments',
  columns: [pageColumn(), words('comment', 'Comment'), remark('by', 'By')],
} as const

export const section: Section = async (site) => {
  const [{ entries, gap }, comments] = await Promise.all([site.read(votesList), readComments(site)])
  const all = entries.map(({ path, thumbsUp, thumbsDown }) => {
    const visitors = site.visitorsOf(path)
    return { path, negative: thumbsDown, votes: thumbsUp + thumbsDown, visitors }
  })
  const rows = all.filter(({ negative, votes }) => negative >= 2 && negative > votes / 2)
  /** The estimated number of visitors who dislike a page. */
  const weightOf = ({ negative, votes, visitors }: (typeof all)[number]) =>
    (negative / votes) * (visitors ?? 0)
  rows.sort((one, other) => weightOf(other) - weightOf(one))
  const { blocks, fixes } = findings({
    ...votesShape,
    gap,
    rows,
    tally: [sum(all.map((row) => row.negative)), sum(all.map((row) => row.votes))],
    fix({ path, negative, votes, visitors }) {
      if (votes < 5 || (visitors ?? 0) < 50 || !isPlainPath(path)) return null
      const task = `Find and fix what readers dislike about ${path}. ${partText(negative, votes)} votes are negative`
      const own = comments.rows.filter((row) => row.path === path && row.by === sources.contextual)
      return { page: path, search: null, task, words: own.map((row) => row.comment) }
    },
  })
  blocks.push({ ...commentsShape, ...comments })
  return { blocks, fixes }
}

/** Reads the comments. Praise, and feedback that was resolved or dismissed, needs no action. */
async function readComments(site: Site) {
  const lists = await Promise.all(
    Object.entries(sources).map(async ([source, by]) => {
      const list = { ...commentsList, query: { limit: 100, source } }
      const { entries, gap } = await site.read(list)
      const complaints = entries.filter(
        ({ status, helpful, comment }) =>
          !/^(?:resolved|dismissed)$/.test(status) && !helpful && comment !== '',
      )
      return { rows: complaints.map(({ path, comment }) => ({ path, comment, by })), gap }
    }),
  )
  const [gap = null] = lists.flatMap((list) => list.gap ?? [])
  return { rows: lists.flatMap(({ rows }) => rows), gap }
}
