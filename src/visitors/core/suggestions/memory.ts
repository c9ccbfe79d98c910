/** What the reports on an issue remember of the suggestions, from week to week. */
import * as z from 'zod/mini'

/** What readers did, and what a fix is measured by. */
const kinds = ['questions', 'votes', 'searches'] as const

export type Kind = (typeof kinds)[number]

const text = z.string().check(z.maxLength(500))
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
const count = z.number().check(z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER))
const votes = z.object({ down: count, total: count })

/** The result of a fix. `first` is the time before it was suggested, `second` the time after the merge. */
const result = z.union([
  z.object({
    is: z.literal('counts'),
    first: count,
    second: count,
    /** The same on the rest of the site. */
    restFirst: count,
    restSecond: count,
  }),
  z.object({ is: z.literal('votes'), first: votes, second: votes }),
  /** The page had no visitors in the second period. */
  z.object({ is: z.literal('gone') }),
  /** The platform lists more than was read: conversations, or rows among which the target is not. */
  z.object({ is: z.literal('uncounted'), why: z.enum(['conversations', 'rows']) }),
])

export type Result = z.infer<typeof result>

const login = z.nullable(text)
const link = z.string().check(z.maxLength(300))

const state = z.union([
  z.object({ is: z.literal('open') }),
  z.object({ is: z.literal('asked'), by: login }),
  z.object({ is: z.literal('pull-request'), by: login, url: link }),
  z.object({ is: z.literal('merged'), by: login, url: link, on: day }),
  z.object({ is: z.literal('measured'), by: login, url: link, on: day, result }),
  z.object({ is: z.literal('dismissed'), by: login }),
])

/**
 * How far a suggestion is. `open`: anyone may ask for it, perhaps again, because a job brought no pull request or one that
 * was closed. `merged`: on that day; not measured yet.
 */
export type State = z.infer<typeof state>

export const remembered = z.object({
  key: z.string().check(z.regex(/^s-[\da-f]{6,16}$/)),
  /** What it is about: a page's path, or a search term. */
  about: z.enum(['page', 'term']),
  target: text,
  kind: z.enum(kinds),
  /** First day of the period that raised it. */
  raised: day,
  /** The prompt for the agent; holds no reader's words. */
  task: text,
  /** What readers wrote. */
  quotes: z.array(text),
  state,
})

export type Remembered = z.infer<typeof remembered>

/** A suggestion's key: as short as the other keys allow, and the same for the same target in every report. */
export function keyFor(
  { about, target }: Pick<Remembered, 'about' | 'target'>,
  known: readonly Remembered[],
): string {
  const name = nameOf({ about, target })
  const own = known.find((each) => nameOf(each) === name)
  if (own !== undefined) return own.key
  const taken = new Set(known.map(({ key }) => key))
  const hash = hashOf(name)
  const keys = Array.from({ length: hash.length - 5 }, (_, more) => `s-${hash.slice(0, 6 + more)}`)
  return keys.find((key) => !taken.has(key)) ?? `s-${hash}`
}

/** Equal for suggestions about the same page or term. */
export function nameOf({ about, target }: Pick<Remembered, 'about' | 'target'>): string {
  return about === 'term' ? `term ${target.toLowerCase()}` : `page ${target}`
}

/** 64 bits of a text (FNV-1a, two halves), in hex. */
function hashOf(text: string): string {
  return [0x811c9dc5, 0x01234567].map((basis) => halfOf(text, basis)).join('')
}

function halfOf(text: string, basis: number): string {
  let hash = basis
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
