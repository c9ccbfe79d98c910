/** The next steps, as Markdown and as JSON. */

import { fenced } from '../../core/text.ts'
import type { VisitorsReport } from '../core/report.ts'
import type { Suggestion } from '../core/suggestions/suggestions.ts'
import { signText } from '../core/suggestions/words.ts'
import { pageLink } from './page-link.ts'

/** Where a text is shown. In a comment on the report's issue, pages are not linked. */
export type Place = 'summary' | 'comment'

/** The suggestions with their commands; empty if there are none. */
export function doNextMarkdown({ suggestions, siteUrl }: VisitorsReport, place: Place): string[] {
  if (suggestions.length === 0) return []
  const site = place === 'comment' ? null : siteUrl
  const where = place === 'comment' ? 'here' : 'on an issue or pull request'
  return [
    '### Do next',
    ...suggestions.map((each) => block(each, site)),
    `Comment a command ${where} to start the agent.`,
  ]
}

function block(suggestion: Suggestion, site: string | null): string {
  const { evidence, command } = suggestion
  return `**${subject(suggestion, site)}**: ${evidence.map(signText).join(', ')}\n\n${fenced(command, 'text')}`
}

/** A page's path or a search term, in a code span because that is readable in an email. Neither can contain a backtick. */
function subject({ about, target }: Suggestion, site: string | null): string {
  return about === 'page' ? pageLink(target, site) : `\`${target}\``
}

/** The suggestions in report.json. */
export function suggestionsJson(suggestions: readonly Suggestion[]) {
  return suggestions.map(({ about, target, kind, task, evidence, quotes, command }) => ({
    page: about === 'page' ? target : null,
    term: about === 'term' ? target : null,
    kind,
    task,
    evidence: evidence.map(signText),
    quotes,
    command,
  }))
}
