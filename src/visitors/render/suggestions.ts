/** The next steps, and whether earlier fixes helped, as Markdown and as JSON. */

import { fenced } from '../../core/text.ts'
import { link, text as plain } from '../../render/markdown.ts'
import { dayText } from '../core/figures.ts'
import type { VisitorsReport } from '../core/report.ts'
import type { KnownSuggestion, State } from '../core/suggestions/known.ts'
import type { Suggestion } from '../core/suggestions/suggestions.ts'
import { pullName, resultsNote, resultText, signText, stateText } from '../core/suggestions/words.ts'
import { pageLink } from './page-link.ts'

/**
 * Where a text is shown. In a comment on the report's issue, pages are not linked, and only new suggestions get their
 * own block, because earlier emails contain the others.
 */
export type Place = 'summary' | 'comment'

/** The open suggestions with their commands, and the states of the others; empty if there are none. */
export function doNextMarkdown(report: VisitorsReport, place: Place): string[] {
  const { suggestions, known } = report
  const active = shownIn(place, report, 'asked', 'pull-request')
  if (suggestions.length + active.length === 0) return []
  const site = place === 'comment' ? null : report.siteUrl
  const isFull = (each: Suggestion) => place === 'summary' || each.isNew
  const issue = place === 'comment' ? 'this issue' : "the report's issue"
  const where = known === null ? 'an issue or pull request' : issue
  return [
    '### Do next',
    ...suggestions.filter(isFull).map((each) => block(each, site)),
    ...(suggestions.length > 0 ? [`Comment a command on ${where} to start the agent.`] : []),
    list([
      ...suggestions
        .filter((each) => !isFull(each))
        .map((each) => `${subject(each, site)}, since ${dayText(each.raised)}: \`${each.command}\``),
      ...active.map((each) => `${subject(each, site)}: ${stateMarkdown(each)}`),
    ]),
  ].filter((part) => part !== '')
}

/** The suggestions in the given states; in a comment, only those whose state has changed since the previous report. */
function shownIn(
  place: Place,
  { known, changed }: VisitorsReport,
  ...states: State['is'][]
): KnownSuggestion[] {
  return (known ?? []).filter(
    ({ key, state }) => states.includes(state.is) && (place === 'summary' || changed.includes(key)),
  )
}

function block(suggestion: Suggestion, site: string | null): string {
  const { evidence, command, isNew, raised } = suggestion
  const since = isNew ? '' : `, since ${dayText(raised)}`
  return `**${subject(suggestion, site)}**: ${evidence.map(signText).join(', ')}${since}\n\n${fenced(command, 'text')}`
}

/** A page's path or a search term, in a code span because that is readable in an email. Neither can contain a backtick. */
function subject({ about, target }: KnownSuggestion, site: string | null): string {
  return about === 'page' ? pageLink(target, site) : `\`${target}\``
}

function stateMarkdown(suggestion: KnownSuggestion): string {
  const { state } = suggestion
  const text = plain(stateText(suggestion))
  return 'url' in state ? text.replace('{link}', link(pullName(state.url), state.url)) : text
}

/** The results of merged fixes, and when to expect the others; in a comment, only those that are new. */
export function helpedMarkdown(report: VisitorsReport, place: Place): string[] {
  const [results, waiting] = [shownIn(place, report, 'measured'), shownIn(place, report, 'merged')]
  const site = place === 'comment' ? null : report.siteUrl
  return [
    ...(results.length + waiting.length === 0 ? [] : ['### Did earlier fixes help?']),
    list([
      ...results.map((each) => `${subject(each, site)} (${stateMarkdown(each)}): ${plain(resultOf(each))}.`),
      ...waiting.map((each) => `${subject(each, site)}: ${stateMarkdown(each)}.`),
    ]),
    results.length === 0 || place === 'comment' ? '' : `<sub>${plain(resultsNote)}</sub>`,
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
