/** Measures whether a fix helped: compares what readers missed before it was suggested and after it was merged. */
import { addDays, type Day } from '../calendar.ts'
import type { Period } from '../period.ts'
import { rowsOf, type Sections, sum, unclicked } from '../sections/findings.ts'
import { quotable } from '../sections/words.ts'
import { measuredDays } from './effect.ts'
import type { KnownSuggestion, Result, State } from './known.ts'

/** A merged fix that can be measured. */
export interface Due {
  suggestion: KnownSuggestion
  state: Extract<State, { is: 'merged' }>
  first: Period
  second: Period
}

/** The fixes to measure, earliest merge first. @param today the first day that is not complete yet */
export function dueOn(known: readonly KnownSuggestion[], today: Day): Due[] {
  return known
    .flatMap((suggestion): Due[] => {
      const { state, raised } = suggestion
      if (state.is !== 'merged') return []
      const from = addDays(state.on, 1)
      return [
        {
          suggestion,
          state,
          // Ends before the period that raised the suggestion. That period was unusually bad, so any later one would look better.
          first: { from: addDays(raised, -measuredDays), to: raised },
          second: { from, to: addDays(from, measuredDays) },
        },
      ]
    })
    .filter(({ second }) => second.to <= today)
    .sort((one, other) => (one.state.on < other.state.on ? -1 : 1))
}

/** The events of a suggestion's target, and those of the rest of the site. */
interface Counted {
  own: number
  rest: number
}

/** The result of a fix, from the readings of both periods. A list that was not read counts as incomplete. */
export function measured(suggestion: KnownSuggestion, first: Sections, second: Sections): Result {
  if (suggestion.kind === 'votes') {
    const [before, after] = [first, second].map((sections) => votesIn(sections, suggestion.target))
    return before && after ? { is: 'votes', first: before, second: after } : { is: 'uncounted' }
  }
  const [before, after] = [first, second].map((sections) => countIn(sections, suggestion))
  if (!before || !after) return { is: 'uncounted' }
  return {
    is: 'counts',
    first: before.own,
    second: after.own,
    restFirst: before.rest,
    restSecond: after.rest,
  }
}

function votesIn({ feedback }: Sections, page: string): { down: number; total: number } | null {
  const votes = feedback?.votes
  if (votes?.kind !== 'read') return null
  const row = votes.rows.find(({ path }) => path === page)
  if (row !== undefined) return { down: row.down, total: row.up + row.down }
  return votes.hasMore ? null : { down: 0, total: 0 }
}

function countIn({ questions, searches }: Sections, { kind, target }: KnownSuggestion): Counted | null {
  if (kind === 'questions') {
    if (questions?.kind !== 'read' || questions.hasMore) return null
    return counted(
      questions.rows,
      ({ path }) => path === target,
      (page) => page.questions.length,
    )
  }
  const isTarget = ({ words }: { words: string }) => quotable(words).toLowerCase() === target.toLowerCase()
  // Only the most searched terms are listed, so a missing one may still be searched for.
  if (searches?.kind !== 'read' || (searches.hasMore && !searches.rows.some(isTarget))) return null
  return counted(rowsOf(searches), isTarget, unclicked)
}

function counted<T>(rows: readonly T[], isTarget: (row: T) => boolean, countOf: (row: T) => number): Counted {
  const own = sum(rows.filter(isTarget), countOf)
  return { own, rest: sum(rows, countOf) - own }
}
