/** Questions that the assistant left unanswered. */
import * as z from 'zod/mini'
import { count, pageColumn, part, words } from '../blocks.ts'
import { isPlainPath } from '../paths.ts'
import { findings, pagePath, readersText, type Section } from '../section.ts'

const optional = z.catch(z.nullable(z.string()), null)
const entry = z.pipe(
  z.object({
    conversationId: optional,
    query: readersText,
    resolutionStatus: z.string(),
    responseType: optional,
    pageUrl: z.catch(z.nullable(pagePath), null),
  }),
  z.transform(({ pageUrl: path, ...turn }) => ({ ...turn, path })),
)
type Turn = z.infer<typeof entry>

const list = {
  name: 'questions',
  path: 'assistant',
  // The platform allows 1,000. But each row contains the assistant's whole response, and the action rejects HTTP
  // responses over 20 MiB.
  query: { limit: 500 },
  rows: 'conversations',
  entry,
}

const shape = {
  id: 'questions',
  title: 'Questions the assistant left unanswered',
  fault: 'conversations went unanswered',
  columns: [
    pageColumn('Not on a page'),
    part('unanswered', 'asked', 'Unanswered', 'questions unanswered'),
    count('visitors', 'Visitors', 'visitor'),
    words('questions', 'Such as'),
  ],
  nothing: 'No unanswered questions in this period.',
} as const

export const section: Section = async (site) => {
  const { entries, gap } = await site.read(list)
  const all = conversations(entries)
  const pages = [...Map.groupBy(all, ({ path }) => path)].map(([path, turns]) => {
    const open = turns.filter(isUnanswered)
    const wordings = new Map(open.map(({ query }) => [query.toLowerCase(), query]))
    const questions = [...wordings.values()]
    return { path, unanswered: open.length, asked: turns.length, visitors: site.visitorsOf(path), questions }
  })
  const rows = pages.filter(({ unanswered }) => unanswered > 0)
  rows.sort((one, other) => other.unanswered - one.unanswered || (other.visitors ?? 0) - (one.visitors ?? 0))
  return findings({
    ...shape,
    gap,
    rows,
    tally: [all.filter(isUnanswered).length, all.length],
    fix({ path, unanswered, visitors, questions }) {
      // One reader may repeat the same question, so wordings count, too.
      if (unanswered < 3 || questions.length < 2 || !visitors || !isPlainPath(path)) return null
      const task = `Add answers to the questions that readers ask on ${path}. ${unanswered} went unanswered`
      return { page: path, search: null, task, words: questions }
    },
  })
}

function isUnanswered({ resolutionStatus }: Turn): boolean {
  return resolutionStatus === 'unanswered'
}

/** A turn for each conversation, unanswered if any is. A clarifying question by the assistant is not an unanswered question. */
function conversations(turns: readonly Turn[]): Turn[] {
  const questions = turns.filter(({ responseType }) => responseType !== 'clarifying_question')
  const groups = Map.groupBy(questions, (each) => each.conversationId ?? each)
  return [...groups.values()].flatMap((same) => same.find(isUnanswered) ?? same.slice(0, 1))
}
