/** The form of every explanation. */
import { oneLine } from '../../core/text.ts'

export { counted } from '../../core/units.ts'

/** What went wrong, for a person. Sentences are prose: code is between backticks. */
export interface Explanation {
  /** The heading in TROUBLESHOOTING.md that says more. */
  id: string
  /** The cause in a few words, without a period. */
  headline: string
  /** The cause in a sentence, with the value and the other side's own words. */
  what: string
  /** The likely reason. */
  why: string
  /** What a maintainer can do; empty if there is nothing to do. */
  next: string
  /** The people who can fix it, so that a reply gives a commenter only steps that they can do. `later`: it may pass by itself. */
  fix: 'maintainer' | 'commenter' | 'later'
  /** What the sentences talk about, item by item. */
  list?: ListItem[]
  /** Lines to be shown as they are. */
  lines?: string
}

/** An item of a list: a sentence, or a link if there is an address. */
export type ListItem = { text: string } | { url: string }

/** What the explanations name. */
export interface JobRef {
  baseUrl: string
  projectId: string
  jobId: string | null
}

/** Outside text inside a sentence: on one line, and without the backticks that mark code. */
export function quoted(text: string, limit?: number): string {
  return oneLine(text, limit).replaceAll('`', "'")
}

/** Outside text as code in a sentence. */
export function inCode(text: string, limit?: number): string {
  return `\`${quoted(text, limit)}\``
}
