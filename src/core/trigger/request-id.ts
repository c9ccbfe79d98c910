/** The id of a request in its record: what started it, and the comment's or review's id on GitHub (for a label: the run's id). */
import type { ThreadRequest } from './request.ts'

/** The id of a request on a thread, such as `comment:1001`. */
export function requestIdOf(request: ThreadRequest, run: string): string {
  switch (request.kind) {
    case 'comment':
      return `comment:${request.comment}`
    case 'review':
      return `review:${request.review}`
    case 'label':
      return `label:${run}`
  }
}

/** Reads the id of a request on a thread; null for any other request. */
export function readRequestId(request: string): { kind: ThreadRequest['kind']; id: string } | null {
  const [, kind, id = ''] = /^(comment|review|label):(\d+)$/.exec(request) ?? []
  return kind === 'comment' || kind === 'review' || kind === 'label' ? { kind, id } : null
}
