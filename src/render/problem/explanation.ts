/** The parts of an explanation. */
import { oneLine } from '../../core/text.ts'

/** Mintlify's dashboard, where maintainers manage jobs and keys (Mintlify's docs). */
export const dashboardUrl = 'https://app.mintlify.com'
export const apiKeysUrl = `${dashboardUrl}/settings/organization/api-keys`

/** What went wrong, for people. Sentences are prose, with code between backticks. */
export interface Explanation {
  /** The heading in TROUBLESHOOTING.md with more details. */
  id: string
  /** The cause in a few words, without a period. */
  headline: string
  /** The cause in a sentence, with the value and the service's own message. */
  what: string
  /** The likely reason. */
  why: string
  /** What a maintainer can do; empty if there is nothing to do. */
  next: string
  /**
   * The people who can fix it, so that a reply to a commenter contains only steps that commenters can take. `later`:
   * the problem may be temporary.
   */
  fix: 'maintainer' | 'commenter' | 'later'
  /** The things that the sentences are about. */
  list?: ListItem[]
  /** Lines to show unchanged. */
  lines?: string
}

/** An explanation. By default, `id` is the problem's type, and `fix` is `maintainer`. */
export type Explained = Omit<Explanation, 'id' | 'fix'> & Partial<Pick<Explanation, 'id' | 'fix'>>

/** An item of a list: a sentence, or a link. */
export type ListItem = { text: string } | { url: string }

/** The names that explanations use. */
export interface JobRef {
  /** The action's name in the workflow: `owner/name@ref`, or `./`. */
  uses: string
  baseUrl: string
  projectId: string
  jobId: string | null
}

/** Outside text for a sentence: on one line, and without backticks, which would mark code. */
export function quoted(text: string, limit?: number): string {
  return oneLine(text, limit).replaceAll('`', "'")
}

/** Outside text as code in a sentence. */
export function inCode(text: string, limit?: number): string {
  return `\`${quoted(text, limit)}\``
}
