/** Pages that readers dislike, and their comments. */
import * as z from 'zod/mini'
import { count, pageColumn, part, remark, words } from '../blocks.ts'
import { partText } from '../figures.ts'
import { isPlainPath } from '../paths.ts'
import { findings, pagePath, type Section, type Site, said, sumOf } from '../section.ts'

const entry = z.object({ path: pagePath, thumbsUp: z.number(), thumbsDown: z.number() })

const votes = {
  name: 'votes',
  path: 'feedback/by-page',
  query: { limit: 100 },
  rows: 'feedback',
  entry,
}

// `contact` is left out: it is an email address, which is never kept.
const comment = z.object({
  path: pagePath,
  comment: z.catch(said, ''),
  status: z.catch(z.string(), ''),
  helpful: z.catch(z.boolean(), false),
})

/** The sources of comments. Each is a list: the list of all sources consists mostly of votes. */
const sources = { contextual: 'reader', code_snippet: 'reader', agent: 'AI reader' }

export const section: Section = async (site) => {
  const [voted, comments] = await Promise.all([site.read(votes), readComments(site)])
  const rows = voted.entries.map(({ path, thumbsUp, thumbsDown }) => ({
    path,
    negative: thumbsDown,
    votes: thumbsUp + thumbsDown,
    visitors: site.visitorsOf(path),
  }))
  /** The estimated number of visitors who dislike a page. */
  const weightOf = ({ negative, votes, visitors }: (typeof rows)[number]) =>
    (negative / votes) * (visitors ?? 0)
  const { blocks, missed } = findings({
    id: 'votes',
    title: 'Read most, disliked most',
    tally: [sumOf(rows, (row) => row.negative), sumOf(rows, (row) => row.votes), 'votes were negative'],
    columns: [
      pageColumn(),
      part('negative', 'votes', 'Negative votes', 'votes negative'),
      count('visitors', 'Visitors', 'visitor'),
    ],
    nothing: 'No page has two or more negative votes and more negative than positive votes.',
    gap: voted.gap,
    rows: rows
      .filter(({ negative, votes }) => negative >= 2 && negative > votes / 2)
      .sort((one, other) => weightOf(other) - weightOf(one)),
    fix({ path, negative, votes, visitors }) {
      if (votes < 5 || (visitors ?? 0) < 50 || !isPlainPath(path)) return null
      const task = `Find and fix what readers dislike about ${path}. ${partText(negative, votes)} votes are negative`
      const own = comments.rows.filter((row) => row.path === path && row.by === sources.contextual)
      return { page: path, search: null, task, words: own.map(({ comment }) => comment) }
    },
  })
  const columns = [pageColumn(), words('comment', 'Comment'), remark('by', 'By')] as const
  return {
    blocks: [...blocks, { kind: 'table', id: 'comments', fold: 'Comments', columns, ...comments }],
    missed,
  }
}

/** Reads the comments. Praise, and feedback that was resolved or dismissed, needs no action. */
async function readComments(site: Site) {
  const all = await Promise.all(
    Object.entries(sources).map(async ([source, by]) => {
      const query = { limit: 100, source }
      const list = { name: 'comments', path: 'feedback', query, rows: 'feedback', entry: comment }
      const { entries, gap } = await site.read(list)
      const rows = entries
        .filter(({ status, helpful }) => !/^(?:resolved|dismissed)$/.test(status) && !helpful)
        .flatMap(({ path, comment }) => (comment === '' ? [] : { path, comment, by }))
      return { rows, gap }
    }),
  )
  return {
    rows: all.flatMap(({ rows }) => rows),
    gap: all.find(({ gap }) => gap !== null)?.gap ?? null,
  }
}
