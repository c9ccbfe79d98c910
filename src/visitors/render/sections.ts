/** What readers say, as Markdown and in report.json. Their words are only ever shown as plain text. */

import type { ListName } from '../../core/job/operation.ts'
import { text as plain, prose } from '../../render/markdown.ts'
import { countText as number } from '../core/figures.ts'
import { type PageComment, rowsOf, type Sections } from '../core/sections/findings.ts'
import type { Listing } from '../core/sections/lists.ts'
import { hasFewClicks, hasMostlyDownVotes, type SectionName } from '../core/sections/rules.ts'
import type { Evidence } from '../core/suggestions/suggestions.ts'
import { clicksNote, nothingFound, signText, tallyText } from '../core/suggestions/words.ts'
import { listNames, missingReason } from './missing.ts'
import { pageLink } from './page-link.ts'

/** How sections are shown. */
export interface SectionsView {
  /** null if pages are not linked. */
  siteUrl: string | null
  /** Maximum number of rows in each list. */
  rows: number
}

/** The requested sections, each with a heading; empty if none was requested. */
export function sectionsMarkdown(sections: Sections, view: SectionsView): string[] {
  const { feedback, searches, questions } = sections
  const parts: Record<SectionName, string[]> = {
    questions: questions === null ? [] : questionsPart(questions, sections, view),
    searches: searches === null ? [] : searchesPart(searches, sections, view),
    feedback: feedback === null ? [] : feedbackPart(feedback, sections, view),
  }
  return Object.values(parts)
    .flat()
    .filter((part) => part !== '')
}

function feedbackPart(
  { votes, comments, agentComments }: NonNullable<Sections['feedback']>,
  sections: Sections,
  view: SectionsView,
): string[] {
  const disliked = rowsOf(votes).filter(hasMostlyDownVotes)
  const rows = disliked.slice(0, view.rows).map(({ path, up, down, visitors }) => {
    const signs: Evidence[] = [{ sign: 'votes', down, total: up + down }]
    if (visitors !== null) signs.push({ sign: 'visitors', visitors })
    return `- ${pageLink(path, view.siteUrl)}: ${signs.map(signText).join(', ')}`
  })
  const nothing =
    rowsOf(votes).length === 0
      ? 'No votes in this period. Feedback may be turned off in Mintlify.'
      : nothingFound.votes
  return [
    '### Read most, disliked most',
    tallyText('votes', sections),
    listOr(nothing, rows, votes),
    paragraph(extent(votes, 'feedback-by-page'), extent(comments, 'feedback')),
    commentsFold('Comments by readers', rowsOf(comments), view),
    commentsFold('Comments by AI readers', agentComments, view),
  ]
}

function commentsFold(
  title: string,
  comments: readonly PageComment[],
  { rows, siteUrl }: SectionsView,
): string {
  if (comments.length === 0) return ''
  const shown = comments.slice(0, rows)
  const list = shown.map(({ path, words }) => `- ${pageLink(path, siteUrl)}: ${quoted(words)}`).join('\n')
  const count =
    shown.length < comments.length
      ? `${number(shown.length)} of ${number(comments.length)}`
      : number(shown.length)
  return `<details><summary>${title} (${count})</summary>\n\n${list}\n\n</details>`
}

function searchesPart(
  searches: NonNullable<Sections['searches']>,
  sections: Sections,
  view: SectionsView,
): string[] {
  const missed = rowsOf(searches).filter(hasFewClicks)
  const rows = missed.slice(0, view.rows).map(({ words, searches: count, clickRate, hasPage }) => {
    const sign = signText({ sign: 'searches', searches: count, clickRate })
    return `- ${quoted(words)}${hasPage === false ? ' (no page)' : ''}: ${sign}`
  })
  return [
    '### Searches with few clicks',
    tallyText('searches', sections),
    listOr(nothingFound.searches, rows, searches),
    rows.length > 0 ? clicksNote : '',
    paragraph(extent(searches, 'searches')),
  ]
}

/** Maximum number of questions for each page. */
const questionsShown = 2

function questionsPart(
  questions: NonNullable<Sections['questions']>,
  sections: Sections,
  view: SectionsView,
): string[] {
  const groups = rowsOf(questions)
  const rows = groups.slice(0, view.rows).map(({ path, questions: open, asked }) => {
    const subject = path === null ? 'Not on a page' : pageLink(path, view.siteUrl)
    const shown = [...new Set(open)].slice(0, questionsShown).map(quoted)
    return `- ${subject}, ${number(open.length)} of ${number(asked)}: ${shown.join(', ')}`
  })
  const left = groups.length - rows.length
  return [
    '### Questions the assistant left unanswered',
    tallyText('questions', sections),
    listOr(nothingFound.questions, rows, questions),
    paragraph(
      left > 0
        ? `${number(left)} more are not shown here. With report-dir, report.json lists all of them.`
        : '',
      extent(questions, 'assistant'),
    ),
  ]
}

/** The rows. If there are none, `nothing`; empty if the list was not read. */
function listOr(nothing: string, rows: readonly string[], { kind }: Listing<unknown>): string {
  return rows.join('\n') || (kind === 'read' ? nothing : '')
}

/** Why a list is incomplete; empty if it is complete. */
function extent(listing: Listing<unknown>, list: ListName): string {
  if (listing.kind === 'missing') return `The ${listNames[list]} are missing: ${missingReason(listing.gap)}.`
  return listing.hasMore
    ? `Only the first ${number(listing.seen)} ${unitOf[list]} were read. There are more.`
    : ''
}

const unitOf: Record<ListName, string> = {
  'feedback-by-page': 'pages with votes',
  feedback: 'comments and votes',
  searches: 'search terms',
  assistant: 'conversations',
}

function paragraph(...sentences: string[]): string {
  return prose(sentences.join(' '))
}

function quoted(words: string): string {
  return `“${plain(words)}”`
}

/** The sections in report.json, according to the schema. */
export function sectionsJson({ feedback, searches, questions, tallies, talliesBefore }: Sections) {
  const list = <T, Row>(listing: Listing<T>, name: ListName, toRow: (row: T) => Row) => {
    const whyIncomplete = extent(listing, name) || null
    return { complete: whyIncomplete === null, whyIncomplete, rows: rowsOf(listing).map(toRow) }
  }
  const comment = ({ path, words }: PageComment) => ({ path, comment: words })
  return {
    feedback: feedback && {
      votes: list(feedback.votes, 'feedback-by-page', ({ path, up, down, visitors }) => ({
        path,
        thumbsUp: up,
        thumbsDown: down,
        visitors,
      })),
      comments: list(feedback.comments, 'feedback', comment),
      agentComments: feedback.agentComments.map(comment),
    },
    searches:
      searches &&
      list(searches, 'searches', ({ words, searches: count, clickRate, hasPage }) => ({
        search: words,
        searches: count,
        clickRate,
        hasPage,
      })),
    questions:
      questions &&
      list(questions, 'assistant', ({ path, visitors, questions: open, asked }) => ({
        path,
        visitors,
        questions: open,
        asked,
      })),
    tallies,
    talliesBefore,
  }
}
