/** What an issue's reports remember about suggestions from week to week. */
import * as z from 'zod/mini'
import { fingerprint } from '../../../core/mark.ts'

/** The kinds of suggestions. Each is named after the readers' actions that are counted to measure a fix. */
const kinds = ['questions', 'votes', 'searches'] as const

/** The kind of a suggestion. */
export type Kind = (typeof kinds)[number]

const text = z.string().check(z.maxLength(500))
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
const count = z.number().check(z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER))
const votes = z.object({ down: count, total: count })

/** The result of a fix. `first` counts the period before the suggestion, and `second` the period after the merge. */
const result = z.union([
  z.object({
    is: z.literal('counts'),
    first: count,
    second: count,
    /** The same periods on the rest of the site. */
    restFirst: count,
    restSecond: count,
  }),
  z.object({ is: z.literal('votes'), first: votes, second: votes }),
  /** The page had no visitors in the second period. */
  z.object({ is: z.literal('gone') }),
  /** Not all conversations or rows were read, so the target cannot be counted. */
  z.object({ is: z.literal('uncounted') }),
])

export type Result = z.infer<typeof result>

const login = z.nullable(text)
/** The same limit as for a job's links. With a lower one, a long link would make the whole mark unreadable. */
const link = z.string().check(z.maxLength(2_000))

const state = z.union([
  z.object({ is: z.literal('open') }),
  z.object({ is: z.literal('asked'), by: login }),
  z.object({ is: z.literal('pull-request'), by: login, url: link }),
  z.object({ is: z.literal('merged'), by: login, url: link, on: day }),
  z.object({ is: z.literal('measured'), by: login, url: link, on: day, result }),
  z.object({ is: z.literal('dismissed'), by: login }),
])

/**
 * The state of a suggestion. `open`: it can be requested. A suggestion is open again after a job without a pull request,
 * or if the pull request was closed without a merge. `merged`: merged on the day `on`, and not measured yet.
 */
export type State = z.infer<typeof state>

/** A suggestion, as a report's mark records it. */
export const remembered = z.object({
  key: z.string().check(z.regex(/^s-[\da-f]{6,16}$/)),
  /** What the target is: a page's path, or a search term. */
  about: z.enum(['page', 'term']),
  target: text,
  kind: z.enum(kinds),
  /** First day of the period that raised it. */
  raised: day,
  /** The prompt for the agent, without any reader's words. */
  task: text,
  /** What readers wrote. */
  quotes: z.array(text),
  state,
})

export type KnownSuggestion = z.infer<typeof remembered>

/** A suggestion's key: as short as possible while unique, and the same for the same target in every report. */
export function keyFor(
  { about, target }: Pick<KnownSuggestion, 'about' | 'target'>,
  known: readonly KnownSuggestion[],
): string {
  const name = nameOf({ about, target })
  const own = known.find((each) => nameOf(each) === name)
  if (own !== undefined) return own.key
  const taken = new Set(known.map(({ key }) => key))
  const hash = fingerprint(name) + fingerprint(` ${name}`)
  const keys = Array.from({ length: hash.length - 5 }, (_, more) => `s-${hash.slice(0, 6 + more)}`)
  return keys.find((key) => !taken.has(key)) ?? `s-${hash}`
}

/** Identifies a suggestion's target. Search terms are not case-sensitive. */
export function nameOf({ about, target }: Pick<KnownSuggestion, 'about' | 'target'>): string {
  return about === 'term' ? `term ${target.toLowerCase()}` : `page ${target}`
}
