/** What openapi.json describes, by GitHub's own operation ids. */
export const operationNames = [
  'repos/get-collaborator-permission-level',
  'issues/list-comments',
  'issues/create-comment',
  'issues/update-comment',
  'reactions/create-for-issue-comment',
  'reactions/delete-for-issue-comment',
  'pulls/list-review-comments',
  'pulls/create-reply-for-review-comment',
  'pulls/update-review-comment',
  'reactions/create-for-pull-request-review-comment',
  'repos/compare-commits-with-basehead',
  'repos/get-commit',
  'repos/list-pull-requests-associated-with-commit',
  'pulls/list',
  'pulls/get',
  'pulls/list-files',
  'repos/get-content',
] as const

export type OperationName = (typeof operationNames)[number]

/** A scripted fault: which calls of an operation go wrong, and how. */
export interface GitHubFault {
  on: OperationName
  status: number
  /** How many calls go wrong, from the first that is not skipped; for ever if left out. */
  times?: number
  /** How many calls of the operation are skipped first; 0 if left out. */
  after?: number
  /** The `message` of the reply; GitHub's own for the status if left out. */
  message?: string
  headers?: Record<string, string>
  /** Carried out nevertheless, as when a gateway gives up on a comment that was made; false if left out. */
  process?: boolean
}

/** Counts the calls of each operation, and gives for each what is to go wrong with it. Of several faults the first listed counts. */
export function faultScript(faults: readonly GitHubFault[]) {
  const calls = new Map<OperationName, number>()
  return (operation: OperationName | undefined): GitHubFault | undefined => {
    if (operation === undefined) return undefined
    const call = calls.get(operation) ?? 0
    calls.set(operation, call + 1)
    return faults.find(({ on, times = Number.POSITIVE_INFINITY, after = 0 }) => {
      return on === operation && call >= after && call < after + times
    })
  }
}
