/** Questions that the assistant left unanswered. */
import { count, pageColumn, part, words } from '../blocks.ts'
import { shareText } from '../figures.ts'
import { isPlainPath } from '../paths.ts'
import { type Section, sectionPart, sum } from '../section.ts'

export const section: Section = async (site) => {
  const { entries, gap } = await site.read('questions', site.analytics.questions)
  const groups = Map.groupBy(entries, (each) => each.conversation ?? each)
  // A turn for each conversation, unanswered if any is.
  const all = [...groups.values()].flatMap(
    (turns) => turns.find(({ isUnanswered }) => isUnanswered) ?? turns.slice(0, 1),
  )
  const pages = [...Map.groupBy(all, ({ path }) => path)].map(([path, turns]) => {
    const misses = turns.filter(({ isUnanswered }) => isUnanswered)
    const wordings = new Map(misses.map(({ text }) => [text.toLowerCase(), text]))
    const questions = [...wordings.values()]
    const visitors = site.visitorsOf(path)
    return { path, unanswered: misses.length, asked: turns.length, visitors, questions }
  })
  const rows = pages.filter(({ unanswered }) => unanswered > 0)
  const open = sum(pages, (page) => page.unanswered)
  rows.sort((one, other) => other.unanswered - one.unanswered || (other.visitors ?? 0) - (one.visitors ?? 0))
  const answered = shareText(1 - open / all.length)
  return sectionPart({
    id: 'questions',
    title: 'Questions the assistant left unanswered',
    columns: [
      pageColumn('Not on a page'),
      part('unanswered', 'asked', 'Unanswered', 'questions unanswered'),
      count('visitors', 'Visitors', 'visitor'),
      words('questions', 'Such as'),
    ],
    nothing: 'No unanswered questions in this period.',
    gap,
    rows,
    tally: [open, all.length, `conversations went unanswered, so ${answered} were answered`],
    fix({ path, unanswered, visitors, questions }) {
      // One reader may repeat the same question, so wordings count, too.
      if (unanswered < 3 || questions.length < 2 || !visitors || !isPlainPath(path)) return null
      const task = `Add answers to the questions that readers ask on ${path}. ${unanswered} went unanswered`
      return { page: path, task, words: questions }
    },
  })
}
