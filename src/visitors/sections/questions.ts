/** Questions that the assistant left unanswered. */
import * as z from 'zod/mini'
import { count, pageColumn, part, words } from '../core/blocks.ts'
import { readersWords, toPath } from '../core/readers-words.ts'
import { type List, section, visitorsOf } from '../core/section.ts'
import { isPlainPath } from '../core/suggestions.ts'

const optional = z.catch(z.nullable(z.string()), null)
const turn = z.object({
  conversationId: optional,
  query: z.string(),
  resolutionStatus: z.string(),
  responseType: optional,
  pageUrl: optional,
})
type Turn = z.infer<typeof turn>

const list: List<Turn> = {
  name: 'questions',
  path: 'assistant',
  // The platform allows 1,000. But each row contains the assistant's whole response, and the action rejects HTTP
  // responses over 8 MiB.
  query: { limit: 500 },
  rows: 'conversations',
  entry: turn,
}

/** A conversation with the assistant. */
interface Conversation {
  /** null if it is not about a page. */
  path: string | null
  words: string
  unanswered: 0 | 1
}

/** Minimum values for a fix. One reader may repeat the same question, so wordings count, too. */
const least = { unanswered: 3, wordings: 2 }

export const questions = section({
  name: 'questions',
  title: 'Questions the assistant left unanswered',
  list,
  entries: conversations,
  tally: ['conversations went unanswered', ({ unanswered }) => unanswered, () => 1],
  columns: [
    pageColumn('Not on a page'),
    part('unanswered', 'asked', 'Unanswered', 'questions unanswered'),
    count('asked'),
    count('visitors', 'Visitors', 'visitor'),
    words('questions', 'Such as', 2),
  ],
  nothing: 'No unanswered questions in this period.',
  rows(all, site) {
    const visitorsAt = visitorsOf(all, site)
    return [...Map.groupBy(all, ({ path }) => path)]
      .map(([path, asked]) => {
        const open = asked.filter(({ unanswered }) => unanswered > 0)
        const questions = [...new Map(open.map(({ words }) => [words.toLowerCase(), words])).values()]
        return { path, unanswered: open.length, asked: asked.length, visitors: visitorsAt(path), questions }
      })
      .filter(({ unanswered }) => unanswered > 0)
      .sort((one, other) => other.unanswered - one.unanswered || (other.visitors ?? 0) - (one.visitors ?? 0))
  },
  fix({ path, unanswered, visitors, questions }) {
    const isSign = unanswered >= least.unanswered && questions.length >= least.wordings
    if (!isSign || !isPlainPath(path) || (visitors ?? 0) <= 0) return null
    const task = `Add answers to the questions that readers ask on ${path}. ${unanswered} went unanswered`
    return { about: 'page', target: path, task, words: questions }
  },
})

/** The rows are turns. A clarifying question by the assistant is not an unanswered question. */
function conversations(turns: Turn[]): Conversation[] {
  const isUnanswered = ({ resolutionStatus }: Turn) => resolutionStatus === 'unanswered'
  const asked = turns.filter(({ responseType }) => responseType !== 'clarifying_question')
  return [...Map.groupBy(asked, (each) => each.conversationId ?? each).values()]
    .flatMap((same) => same.find(isUnanswered) ?? same.slice(0, 1))
    .map((each) => ({
      path: each.pageUrl && toPath(each.pageUrl),
      words: readersWords(each.query),
      unanswered: isUnanswered(each) ? 1 : 0,
    }))
}
