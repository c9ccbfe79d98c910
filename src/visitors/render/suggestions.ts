/** The next steps, and whether earlier fixes helped, as Markdown and as JSON. */

import { fenced } from '../../core/text.ts'
import { link, text as plain } from '../../render/markdown.ts'
import { dayText } from '../core/figures.ts'
import type { VisitorsReport } from '../core/report.ts'
import type { KnownSuggestion } from '../core/suggestions/known.ts'
import type { Suggestion } from '../core/suggestions/suggestions.ts'
import { pullName, resultsNote, resultText, signText, stateText } from '../core/suggestions/words.ts'
import { pageLink } from './page-link.ts'

/** How suggestions are shown. */
export interface SuggestionsView {
  /** null if pages are not linked. */
  siteUrl: string | null
  /**
   * Whether the text is a comment on the report's issue. There, only new suggestions get their own block, because
   * earlier mails contain the others.
   */
  isComment: boolean
}

/** The open suggestions with their commands, and the states of the others; empty if there are none. */
export function doNextMarkdown(report: VisitorsReport, view: SuggestionsView): string[] {
  const { suggestions, known } = report
  const active = shownIn(view, report, 'asked', 'pull-request')
  if (suggestions.length + active.length === 0) return []
  const isFull = (each: Suggestion) => !view.isComment || each.isNew
  const place = view.isComment ? 'this issue' : "the report's issue"
  const where = known === null ? 'an issue or pull request' : place
  return [
    '### Do next',
    ...suggestions.filter(isFull).map((each) => block(each, view)),
    ...(suggestions.length > 0 ? [`Comment a command on ${where} to start the agent.`] : []),
    list([
      ...suggestions
        .filter((each) => !isFull(each))
        .map((each) => `${subject(each, view)}, since ${dayText(each.raised)}: \`${each.command}\``),
      ...active.map((each) => `${subject(each, view)}: ${stateMarkdown(each)}`),
    ]),
  ].filter((part) => part !== '')
}

/** The suggestions in the given states; in a comment, only those whose state has changed since the previous report. */
function shownIn(
  { isComment }: SuggestionsView,
  { known, changed }: VisitorsReport,
  ...states: KnownSuggestion['state']['is'][]
): KnownSuggestion[] {
  return (known ?? []).filter(
    ({ key, state }) => states.includes(state.is) && (!isComment || changed.includes(key)),
  )
}

function block(suggestion: Suggestion, view: SuggestionsView): string {
  const { evidence, command, isNew, raised } = suggestion
  const since = isNew ? '' : `, since ${dayText(raised)}`
  return `**${subject(suggestion, view)}**: ${evidence.map(signText).join(', ')}${since}\n\n${fenced(command, 'text')}`
}

/** A page's path or a search term, in a code span because that is readable in mail. Neither can contain a backtick. */
function subject({ about, target }: KnownSuggestion, { siteUrl }: SuggestionsView): string {
  return about === 'page' && siteUrl !== null ? pageLink(target, siteUrl) : `\`${target}\``
}

function stateMarkdown(suggestion: KnownSuggestion): string {
  const { state } = suggestion
  const text = plain(stateText(suggestion))
  return 'url' in state ? text.replace('{link}', link(pullName(state.url), state.url)) : text
}

/** The results of merged fixes, and when to expect the others; in a comment, only those that are new. */
export function helpedMarkdown(report: VisitorsReport, view: SuggestionsView): string[] {
  const [results, waiting] = [shownIn(view, report, 'measured'), shownIn(view, report, 'merged')]
  return [
    ...(results.length + waiting.length === 0 ? [] : ['### Did earlier fixes help?']),
    list([
      ...results.map((each) => `${subject(each, view)} (${stateMarkdown(each)}): ${plain(resultOf(each))}.`),
      ...waiting.map((each) => `${subject(each, view)}: ${stateMarkdown(each)}.`),
    ]),
    results.length === 0 || view.isComment ? '' : `<sub>${plain(resultsNote)}</sub>`,
  ].filter((part) => part !== '')
}

function resultOf({ state, kind }: KnownSuggestion): string {
  return state.is === 'measured' ? resultText(state.result, kind) : ''
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

/** The open suggestions in report.json. */
export function suggestionsJson(suggestions: readonly Suggestion[]) {
  return suggestions.map(({ evidence, quotes, command, raised, isNew, ...suggestion }) => ({
    ...subjectJson(suggestion),
    evidence: evidence.map(signText),
    quotes,
    command,
    raised,
    isNew,
  }))
}

function subjectJson({ key, about, target }: Pick<KnownSuggestion, 'key' | 'about' | 'target'>) {
  return { key, page: about === 'page' ? target : null, term: about === 'term' ? target : null }
}

/** The requested suggestions in report.json, with their results. */
export function fixesJson({ known }: VisitorsReport) {
  const fixes = (known ?? []).filter(({ state }) => state.is !== 'open' && state.is !== 'dismissed')
  return fixes.map((each) => ({
    ...subjectJson(each),
    state: each.state.is,
    text: stateText(each),
    pullRequest: 'url' in each.state ? each.state.url : null,
    result: resultOf(each) || null,
  }))
}
