/** The operations in openapi.json, by GitHub's own ids. */
export const operationNames = [
  'repos/get-collaborator-permission-level',
  'issues/list-comments',
  'issues/create-comment',
  'issues/update-comment',
  'issues/delete-comment',
  'issues/list-comments-for-repo',
  'issues/add-labels',
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
  'pulls/list-commits',
  'pulls/update',
  'pulls/request-reviewers',
  'repos/get-content',
  'git/get-tree',
  'repos/list-commit-statuses-for-ref',
  'repos/create-commit-status',
] as const

export type OperationName = (typeof operationNames)[number]

/** The purpose of a call: an operation in openapi.json, or a GraphQL operation by the name in its document. */
export type CallName = OperationName | `graphql/${string}`
