/** Suggestions and their results in words, the same in every form of the report. */

import { pullRequestNumber } from '../../../core/thread.ts'
import { addDays } from '../calendar.ts'
import { counted, countText, dayText, shareText } from '../figures.ts'
import type { Sections } from '../sections/findings.ts'
import { effectOf, measuredDays, minEvents } from './effect.ts'
import type { Kind, KnownSuggestion, Result } from './known.ts'
import type { Evidence } from './suggestions.ts'

/** A piece of evidence in words, such as `14 of 17 votes negative`. */
export function signText(sign: Evidence): string {
  switch (sign.sign) {
    case 'votes':
      return `${part(sign.down, sign.total)} votes negative`
    case 'visitors':
      return counted(sign.visitors, 'visitor')
    case 'questions': {
      const asked = `${part(sign.questions, sign.asked)} questions unanswered`
      return sign.wordings === sign.questions ? asked : `${asked} (${countText(sign.wordings)} different)`
    }
    case 'searches':
      return `${countText(sign.searches)} searches, ${shareText(sign.clickRate)} clicked`
    case 'no-page':
      return 'no visited page has the words in its path'
  }
}

const tallyNames: Record<Kind, string> = {
  questions: 'questions went unanswered',
  votes: 'votes were negative',
  searches: 'searches led to no click',
}

/** `31 of 410 questions went unanswered (28 of 395 in the previous period).` Empty if there are no entries, or if they were not read. */
export function tallyText(
  kind: Kind,
  { tallies, talliesBefore }: Pick<Sections, 'tallies' | 'talliesBefore'>,
): string {
  const [now, before] = [tallies[kind], talliesBefore[kind]]
  if (now === null || now.all === 0) return ''
  const then = before === null ? '' : ` (${part(before.bad, before.all)} in the previous period)`
  return `${part(now.bad, now.all)} ${tallyNames[kind]}${then}.`
}

/** What a section says if it was read but has nothing to show. */
export const nothingFound: Record<Kind, string> = {
  questions: 'No unanswered questions in this period.',
  votes: 'No page has two or more negative votes and more negative than positive votes.',
  searches: 'No term that was searched for 5 or more times has a click rate under 20%.',
}

const part = (bad: number, all: number) => `${countText(bad)} of ${countText(all)}`

/** How to interpret the clicks on searches. */
export const clicksNote =
  'Mintlify reports clicks but not results: few clicks suggest that a search found nothing useful. “No page” means that no visited page has these words in its path.'

const measuredNames: Record<Kind, string> = {
  questions: 'unanswered questions',
  votes: 'votes',
  searches: 'searches without a click',
}

/** The result of a fix, as the end of a sentence about it. */
export function resultText(result: Result, kind: Kind): string {
  switch (result.is) {
    case 'gone':
      return 'the page was moved or removed'
    case 'uncounted':
      return 'no result, because not all rows were read'
    case 'votes': {
      const { first, second } = result
      return `${part(first.down, first.total)} votes were negative before, ${part(second.down, second.total)} after`
    }
    case 'counts':
      return countsText(result, measuredNames[kind])
  }
}

function countsText(counts: Extract<Result, { is: 'counts' }>, name: string): string {
  const { first, second } = counts
  const effect = effectOf(counts)
  if (effect === null)
    return `${countText(first)} ${name} before, ${countText(second)} after: too few to compare`
  const { change, low, high, rest } = effect
  const isClear = change < 0 ? high < 0 : low > 0
  const moved = isClear ? `${change < 0 ? 'Down' : 'Up'} ${percent(Math.abs(change))}` : 'No clear change'
  return `${countText(first)} ${name} before, ${countText(second)} after. ${moved} relative to the rest of the site (90% interval: ${signed(low)} to ${signed(high)}). The rest of the site changed by ${signed(rest)}`
}

const percent = (fraction: number) => `${countText(fraction * 100)}%`
const signed = (fraction: number) => `${Math.round(fraction * 100) > 0 ? '+' : ''}${percent(fraction)}`

/** How to interpret the results of fixes. */
export const resultsNote = `“Before” is the ${measuredDays} days before the period in which the suggestion first appeared, “after” the ${measuredDays} days after the merge. Percentages are relative to the rest of the site. If the “before” count is under ${minEvents}, no percentage is shown. This is a comparison, not an experiment: other things changed, too.`

/** `pull request 7`, or `pull request` if the URL has no number. Without `#`, because `#7` is not a link in an email. */
export function pullName(url: string): string {
  const number = pullRequestNumber(url)
  return number === null ? 'pull request' : `pull request ${number}`
}

/** The state of a requested suggestion. The caller replaces `{link}` with a link to the pull request. */
export function stateText({ state }: KnownSuggestion): string {
  switch (state.is) {
    case 'asked':
      return `fix requested by ${state.by ?? 'someone'}`
    case 'pull-request':
      return `{link} is open${state.by === null ? '' : `, requested by ${state.by}`}`
    case 'merged':
      return `{link} was merged on ${dayText(state.on)}; results after ${dayText(addDays(state.on, measuredDays))}`
    case 'measured':
      return '{link}'
    case 'dismissed':
      return `dismissed${state.by === null ? '' : ` by ${state.by}`}`
    case 'open':
      return 'open'
  }
}
