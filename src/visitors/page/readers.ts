/** What readers say: suggested fixes, feedback, searches and questions. Their words become text nodes, nothing else. */
import { counted, countText, shareText } from '../core/figures.ts'
import { isDisliked, isMissed } from '../core/sections/rules.ts'
import { type Child, html, section } from './dom.ts'
import { pathMark } from './parts.ts'
import { shown } from './text.ts'
import type { Comment, List, VisitorsReport } from './visitors-report.ts'

/** Rows of each list; the files have them all. */
const rowsShown = 20

/** The suggested fixes, each with its evidence and the command to copy. */
export function fixes({ suggestions, site }: VisitorsReport): HTMLElement | null {
  if (suggestions.length === 0) return null
  const items = suggestions.map(({ page, term, evidence, command }) =>
    html(
      'li',
      {},
      html('h3', {}, page === null ? quoted(term ?? '') : pathMark(site, page)),
      html('p', {}, evidence.map(shown).join(', ')),
      html('pre', { tabindex: '0' }, shown(command)),
    ),
  )
  const hint = 'Comment one of these commands on an issue or pull request to start the agent.'
  return section(
    'fixes',
    'Suggested fixes',
    html('p', { class: 'hint' }, hint),
    html('ul', { role: 'list' }, ...items),
  )
}

/** The sections that were asked for. */
export function readers({
  sections: { feedback, searches, questions },
  site,
}: VisitorsReport): HTMLElement[] {
  return [
    ...(feedback === null ? [] : [feedbackSection(feedback, site)]),
    ...(searches === null ? [] : [searchesSection(searches)]),
    ...(questions === null ? [] : [questionsSection(questions, site)]),
  ]
}

function feedbackSection(
  { votes, comments, agentComments }: NonNullable<VisitorsReport['sections']['feedback']>,
  site: string | null,
): HTMLElement {
  const rows = votes.rows
    .filter(({ thumbsUp, thumbsDown }) => isDisliked({ up: thumbsUp, down: thumbsDown }))
    .map(({ path, thumbsUp, thumbsDown, visitors }) => [
      pathMark(site, path),
      `${countText(thumbsDown)} of ${countText(thumbsUp + thumbsDown)}`,
      visitors === null ? '–' : countText(visitors),
    ])
  return section(
    'feedback',
    'Read most, disliked most',
    rowsTable(['Page', 'Thumbs down', 'Visitors'], rows, 'No page has more votes against it than for it.'),
    ...whyIncomplete(votes, comments),
    commentsFold('Comments by readers', comments.rows, site),
    commentsFold('Comments by AI agents', agentComments, site),
  )
}

function commentsFold(title: string, comments: readonly Comment[], site: string | null): HTMLElement | null {
  if (comments.length === 0) return null
  const items = comments
    .slice(0, rowsShown)
    .map(({ path, comment }) => html('li', {}, pathMark(site, path), ' ', quoted(comment)))
  return html(
    'details',
    {},
    html('summary', {}, `${title} (${tally(items.length, comments.length)})`),
    html('ul', { class: 'words', role: 'list' }, ...items),
  )
}

function searchesSection(searches: NonNullable<VisitorsReport['sections']['searches']>): HTMLElement {
  const rows = searches.rows
    .filter(isMissed)
    .map(({ search, searches: count, clickRate, hasPage }) => [
      html('span', {}, quoted(search), hasPage === false ? ' (no page)' : null),
      countText(count),
      shareText(clickRate),
    ])
  const hint =
    'Mintlify reports clicks but not results: few clicks suggest that a search found nothing useful. “No page” means that no visited page has these words in its path.'
  return section(
    'searches',
    'Searches with few clicks',
    rowsTable(['Search', 'Searches', 'Clicked'], rows, 'No search has few clicks.'),
    ...whyIncomplete(searches),
    rows.length === 0 ? null : html('p', { class: 'hint' }, hint),
  )
}

function questionsSection(
  questions: NonNullable<VisitorsReport['sections']['questions']>,
  site: string | null,
): HTMLElement {
  const items = questions.rows
    .slice(0, rowsShown)
    .map(({ path, questions: asked }) =>
      html(
        'li',
        {},
        path === null ? 'No page' : pathMark(site, path),
        `: ${counted(asked.length, 'question')}`,
        html(
          'ul',
          {},
          ...[...new Set(asked)].slice(0, rowsShown).map((words) => html('li', {}, quoted(words))),
        ),
      ),
    )
  const nothing = html('p', { class: 'nothing' }, 'No unanswered questions in this period.')
  return section(
    'questions',
    'Questions the assistant left unanswered',
    items.length === 0 && questions.complete
      ? nothing
      : html('ul', { class: 'words', role: 'list' }, ...items),
    ...whyIncomplete(questions),
  )
}

function rowsTable(head: string[], rows: Child[][], nothing: string): HTMLElement {
  if (rows.length === 0) return html('p', { class: 'nothing' }, nothing)
  const body = rows
    .slice(0, rowsShown)
    .map(([first = null, ...figures]) =>
      html('tr', {}, html('th', { scope: 'row' }, first), ...figures.map((figure) => html('td', {}, figure))),
    )
  const titles = head.map((title) => html('th', { scope: 'col' }, title))
  return html(
    'table',
    { class: 'figures' },
    html('thead', {}, html('tr', {}, ...titles)),
    html('tbody', {}, ...body),
  )
}

function whyIncomplete(...lists: Pick<List<unknown>, 'whyIncomplete'>[]): HTMLElement[] {
  return lists.flatMap(({ whyIncomplete: why }) =>
    why === null ? [] : [html('p', { class: 'nothing' }, shown(why))],
  )
}

function tally(part: number, all: number): string {
  return part < all ? `${countText(part)} of ${countText(all)}` : countText(all)
}

/** Readers' words in quotes, in their own direction. */
function quoted(words: string): HTMLElement {
  return html('q', {}, html('bdi', {}, shown(words)))
}
