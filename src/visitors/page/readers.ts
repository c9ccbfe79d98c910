/** The sections about what readers say (feedback, searches and questions), and suggestions based on them. */

import { countText, dayText, shareText } from '../core/figures.ts'
import { shown } from '../core/page-link.ts'
import { hasFewClicks, hasMostlyDownVotes } from '../core/sections/rules.ts'
import type { Kind } from '../core/suggestions/known.ts'
import { clicksNote, nothingFound, pullName, resultsNote, tallyText } from '../core/suggestions/words.ts'
import { type Child, html, section } from './dom.ts'
import { figuresTable, foldedList, pathMark, webLink } from './parts.ts'
import type { Comment, Fix, VisitorsReport } from './visitors-report.ts'

/** Maximum number of rows in each list. The files contain all of them. */
const rowsShown = 20

/** The next steps: open suggestions with their evidence and a command to copy, and fixes in progress. */
export function doNext({ suggestions, fixes, site }: VisitorsReport): HTMLElement | null {
  const active = fixes.filter(({ state }) => state === 'asked' || state === 'pull-request')
  if (suggestions.length + active.length === 0) return null
  const items = suggestions.map(({ page, term, evidence, command, raised, isNew }) =>
    html(
      'li',
      {},
      html('h3', {}, subject({ page, term }, site)),
      html('p', {}, [...evidence.map(shown), ...(isNew ? [] : [`since ${dayText(raised)}`])].join(', ')),
      commandToCopy(command),
    ),
  )
  const hasKeys = suggestions.some(({ command, key }) => command.endsWith(key))
  const where = hasKeys ? "the report's issue" : 'an issue or pull request'
  return section(
    'fixes',
    'Do next',
    html('ul', { role: 'list' }, ...items),
    suggestions.length === 0
      ? null
      : html('p', { class: 'hint' }, `Comment a command on ${where} to start the agent.`),
    fixList(active, site),
  )
}

/** Whether earlier fixes helped, and the line about the agent's pull requests. */
export function helped({ fixes, site, pullRequests }: VisitorsReport): HTMLElement | null {
  const over = fixes.filter(({ state }) => state === 'measured' || state === 'merged')
  if (over.length === 0 && pullRequests === null) return null
  const line = pullRequests === null ? null : html('p', { class: 'hint' }, shown(pullRequests.text))
  if (over.length === 0) return html('section', {}, line)
  const note = over.some(({ result }) => result !== null) ? html('p', { class: 'hint' }, resultsNote) : null
  return section('helped', 'Did earlier fixes help?', fixList(over, site), note, line)
}

function fixList(fixes: readonly Fix[], site: string | null): HTMLElement | null {
  if (fixes.length === 0) return null
  const items = fixes.map((fix) => {
    const [before = '', after = ''] = shown(fix.text).split('{link}')
    const pull = fix.pullRequest === null ? null : webLink(pullName(fix.pullRequest), fix.pullRequest)
    const result = fix.result === null ? null : `: ${shown(fix.result)}`
    return html('li', {}, subject(fix, site), ' ', html('span', {}, before, pull, after, result))
  })
  return html('ul', { class: 'words', role: 'list' }, ...items)
}

function subject({ page, term }: { page: string | null; term: string | null }, site: string | null): Child {
  return page === null ? quoted(term ?? '') : pathMark(site, page)
}

/** A command with a button that copies it, or selects it if the browser does not allow copying. */
function commandToCopy(command: string): HTMLElement {
  const text = html('pre', { tabindex: '0' }, shown(command))
  const button = html('button', { type: 'button', class: 'copy', 'aria-live': 'polite' }, 'Copy')
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '')
      button.textContent = 'Copied'
    } catch {
      getSelection()?.selectAllChildren(text)
      button.textContent = 'Selected'
    }
  })
  return html('div', { class: 'command' }, text, button)
}

/** The requested sections. */
export function readers({ sections, site }: VisitorsReport): HTMLElement[] {
  const { feedback, searches, questions } = sections
  return [
    ...(questions === null ? [] : [questionsSection(questions, sections, site)]),
    ...(searches === null ? [] : [searchesSection(searches, sections)]),
    ...(feedback === null ? [] : [feedbackSection(feedback, sections, site)]),
  ]
}

function tallyLine(sections: VisitorsReport['sections'], kind: Kind): HTMLElement | null {
  const text = tallyText(kind, sections)
  return text === '' ? null : html('p', {}, text)
}

function feedbackSection(
  { votes, comments, agentComments }: NonNullable<VisitorsReport['sections']['feedback']>,
  sections: VisitorsReport['sections'],
  site: string | null,
): HTMLElement {
  const rows = votes.rows
    .filter(({ thumbsUp, thumbsDown }) => hasMostlyDownVotes({ up: thumbsUp, down: thumbsDown }))
    .map(({ path, thumbsUp, thumbsDown, visitors }) => [
      pathMark(site, path),
      `${countText(thumbsDown)} of ${countText(thumbsUp + thumbsDown)}`,
      visitors === null ? '–' : countText(visitors),
    ])
  return section(
    'feedback',
    'Read most, disliked most',
    tallyLine(sections, 'votes'),
    rowsTable(['Page', 'Negative votes', 'Visitors'], rows, nothing('votes', votes)),
    ...whyIncomplete(votes, comments),
    commentsFold('Comments by readers', comments.rows, site),
    commentsFold('Comments by AI readers', agentComments, site),
  )
}

function commentsFold(title: string, comments: readonly Comment[], site: string | null): HTMLElement | null {
  if (comments.length === 0) return null
  const items = comments
    .slice(0, rowsShown)
    .map(({ path, comment }) => html('li', {}, pathMark(site, path), ' ', quoted(comment)))
  return foldedList('comments', `${title} (${tally(items.length, comments.length)})`, items)
}

function searchesSection(
  searches: NonNullable<VisitorsReport['sections']['searches']>,
  sections: VisitorsReport['sections'],
): HTMLElement {
  const rows = searches.rows
    .filter(hasFewClicks)
    .map(({ search, searches: count, clickRate, hasPage }) => [
      html('span', {}, quoted(search), hasPage === false ? ' (no page)' : null),
      countText(count),
      shareText(clickRate),
    ])
  return section(
    'searches',
    'Searches with few clicks',
    tallyLine(sections, 'searches'),
    rowsTable(['Search', 'Searches', 'Clicked'], rows, nothing('searches', searches)),
    ...whyIncomplete(searches),
    rows.length === 0 ? null : html('p', { class: 'hint' }, clicksNote),
  )
}

function questionsSection(
  questions: NonNullable<VisitorsReport['sections']['questions']>,
  sections: VisitorsReport['sections'],
  site: string | null,
): HTMLElement {
  const groups: { subject: Child; questions: string[]; asked: number }[] =
    sections.categories.length > 0
      ? sections.categories.map(({ name, ...group }) => ({
          subject: html('b', {}, shown(name ?? 'Other')),
          ...group,
        }))
      : questions.rows.map(({ path, ...group }) => ({
          subject: path === null ? 'Not on a page' : pathMark(site, path),
          ...group,
        }))
  const items = groups
    .slice(0, rowsShown)
    .map((group) =>
      html(
        'li',
        {},
        group.subject,
        `: ${countText(group.questions.length)} of ${countText(group.asked)}`,
        html(
          'ul',
          {},
          ...[...new Set(group.questions)].slice(0, rowsShown).map((words) => html('li', {}, quoted(words))),
        ),
      ),
    )
  return section(
    'questions',
    'Questions the assistant left unanswered',
    tallyLine(sections, 'questions'),
    items.length === 0
      ? nothing('questions', questions)
      : html('ul', { class: 'words', role: 'list' }, ...items),
    ...whyIncomplete(questions),
  )
}

function rowsTable(head: string[], rows: Child[][], empty: HTMLElement | null): HTMLElement | null {
  return rows.length === 0 ? empty : figuresTable(head, rows.slice(0, rowsShown))
}

/** A sentence instead of rows; null if the list was not read. */
function nothing(kind: Kind, { complete, rows }: { complete: boolean; rows: unknown[] }): HTMLElement | null {
  return complete || rows.length > 0 ? html('p', { class: 'nothing' }, nothingFound[kind]) : null
}

function whyIncomplete(...lists: { whyIncomplete: string | null }[]): HTMLElement[] {
  return lists.flatMap(({ whyIncomplete: why }) =>
    why === null ? [] : [html('p', { class: 'nothing' }, shown(why))],
  )
}

function tally(part: number, all: number): string {
  return part < all ? `${countText(part)} of ${countText(all)}` : countText(all)
}

/** Readers' words in quotation marks, in their own writing direction. */
function quoted(words: string): HTMLElement {
  return html('q', {}, html('bdi', {}, shown(words)))
}
