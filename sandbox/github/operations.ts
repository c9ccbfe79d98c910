/** What openapi.json describes, by GitHub's own operation ids. */
export const operationNames = [
  'repos/get-collaborator-permission-level',
  'issues/list-comments',
  'issues/create-comment',
  'issues/update-comment',
  'issues/delete-comment',
  'issues/list-comments-for-repo',
  'reactions/create-for-issue',
  'reactions/create-for-issue-comment',
  'reactions/delete-for-issue-comment',
  'pulls/list-review-comments',
  'pulls/create-reply-for-review-comment',
  'pulls/update-review-comment',
  'pulls/delete-review-comment',
  'pulls/list-review-comments-for-repo',
  'reactions/create-for-pull-request-review-comment',
  'repos/compare-commits-with-basehead',
  'repos/get-commit',
  'repos/list-pull-requests-associated-with-commit',
  'pulls/list',
  'pulls/get',
  'pulls/list-files',
  'repos/get-content',
  'git/get-tree',
  'repos/list-commit-statuses-for-ref',
  'repos/create-commit-status',
] as const

export type OperationName = (typeof operationNames)[number]

/** What a call is for: an operation of openapi.json, or one of GraphQL by the name that its document gives it. */
export type CallName = OperationName | `graphql/${string}`
