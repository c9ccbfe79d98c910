/**
 * The hidden marker in the action's own comments: which job belongs to a thread, and to which comment. It is signed, so
 * that nobody who may comment can plant one, and names its thread, so that a copy in another one is worth nothing.
 */
import * as z from 'zod/mini'
import { isPathSegment } from './job/job.ts'

/** Signs a text with a key that only the action's user has; the same text gives the same signature. */
export type Sign = (text: string) => string

/** A change that a pull request of the agent's documents. */
const documented = z.object({
  /** `owner/name`. */
  repository: z.string(),
  /** The commit that it ends in. */
  head: z.string(),
  /** Its pull request, if it came by one. */
  number: z.nullable(z.int()),
  author: z.nullable(z.string()),
})

export type DocumentedChange = z.infer<typeof documented>

const schema = z.object({
  thread: z.string(),
  /** The comment that gave the command; 0 where none did. */
  comment: z.int(),
  job: z.string().check(z.refine(isPathSegment)),
  /** On a pull request of the agent's: what it documents, the latest last. */
  changes: z.optional(z.array(documented)),
})

export type Marker = z.infer<typeof schema>

const shape = /<!-- docs-agent:1:([A-Za-z0-9+/=]+):([A-Za-z0-9+/=_-]+) -->/g

export function writeMarker(marker: Marker, sign: Sign): string {
  // btoa takes Latin letters alone; a payload's names may have others.
  const text = btoa(JSON.stringify(schema.parse(marker)).replace(/[^\0-\x7F]/g, escaped))
  return `<!-- docs-agent:1:${text}:${sign(text)} -->`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The markers of a thread in a comment's body that bear the right signature, in their order. */
export function readMarkers(body: string, thread: string, sign: Sign): Marker[] {
  return [...body.matchAll(shape)].flatMap(([, text = '', signature]) => {
    if (signature !== sign(text)) return []
    const marker = schema.safeParse(JSON.parse(atob(text)))
    return marker.success && marker.data.thread === thread ? [marker.data] : []
  })
}
