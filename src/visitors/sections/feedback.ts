/** Pages that readers dislike, and their comments. */
import { count, pageColumn, part, remark, words } from '../blocks.ts'
import { partText } from '../figures.ts'
import { isPlainPath } from '../paths.ts'
import { type Section, type Site, sectionPart, sum } from '../section.ts'

/** The sources of comments, and who writes them. */
const authors = [
  ['page', 'reader'],
  ['code', 'reader'],
  ['agent', 'AI reader'],
] as const

export const section: Section = async (site) => {
  const [{ entries, gap }, comments] = await Promise.all([
    site.read('votes', site.analytics.votes),
    readComments(site),
  ])
  const all = entries.map(({ path, positive, negative }) => {
    return { path, negative, votes: positive + negative, visitors: site.visitorsOf(path) }
  })
  const rows = all.filter(({ negative, votes }) => negative >= 2 && negative > votes / 2)
  /** The estimated number of visitors who dislike a page. */
  const weightOf = ({ negative, votes, visitors }: (typeof all)[number]) =>
    (negative / votes) * (visitors ?? 0)
  rows.sort((one, other) => weightOf(other) - weightOf(one))
  const { blocks, fixes } = sectionPart({
    id: 'votes',
    title: 'Read most, disliked most',
    columns: [
      pageColumn(),
      part('negative', 'votes', 'Negative votes', 'votes negative'),
      count('visitors', 'Visitors', 'visitor'),
    ],
    nothing: 'No page has two or more negative votes and more negative than positive votes.',
    gap,
    rows,
    tally: [sum(all, (row) => row.negative), sum(all, (row) => row.votes), 'votes were negative'],
    fix({ path, negative, votes, visitors }) {
      if (votes < 5 || (visitors ?? 0) < 50 || !isPlainPath(path)) return null
      const task = `Find and fix what readers dislike about ${path}. ${partText(negative, votes)} votes are negative`
      const own = comments.entries.filter((entry) => entry.path === path && entry.isHelpful === false)
      return { page: path, task, words: own.map(({ text }) => text) }
    },
  })
  blocks.push({
    kind: 'table',
    id: 'comments',
    fold: 'Comments',
    columns: [pageColumn(), words('comment', 'Comment'), remark('by', 'By')],
    rows: comments.entries.map(({ path, text, by }) => ({ path, comment: text, by })),
    gap: comments.gap,
  })
  return { blocks, fixes }
}

/** Reads the comments. Praise, and feedback that was resolved or dismissed, needs no action. */
async function readComments(site: Site) {
  const lists = await Promise.all(
    authors.map(async ([source, by]) => {
      const { entries, gap } = await site.read('comments', () => site.analytics.comments(source))
      const open = entries.filter(({ text, isHelpful, isDone }) => text !== '' && !isHelpful && !isDone)
      return { entries: open.map((entry) => ({ ...entry, by })), gap }
    }),
  )
  const [gap = null] = lists.flatMap((list) => list.gap ?? [])
  return { entries: lists.flatMap(({ entries }) => entries), gap }
}
