/** Suggestions in words, the same in every form of the report. */

import { counted, countText, shareText } from '../figures.ts'
import type { Sections } from '../sections/findings.ts'
import type { Evidence, Kind } from './suggestions.ts'

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
      return 'no visited page has the word in its path'
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
  'Mintlify reports clicks but not results: few clicks suggest that a search found nothing useful. “No page” means that no visited page has the longest of these words in its path.'
