/**
 * Extracts the types and fields that the sandbox's GitHub double supports from GitHub's published GraphQL schema: `node
 * scripts/github-graphql.ts FOLDER`, where FOLDER is an unpacked npm package @octokit/graphql-schema (MIT). It is large
 * and rarely needed, so it is not a dependency: `npm i --prefix PLACE @octokit/graphql-schema` downloads it, and FOLDER
 * is then `PLACE/node_modules/@octokit/graphql-schema`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefinitionNode, Kind, parse, print, visit } from 'graphql'

const target = join(import.meta.dirname, '../sandbox/github/schema.graphql')

/** The fields to keep, by object type or interface. All other types that these fields use are also kept. */
const kept: Record<string, string[]> = {
  Query: ['viewer', 'repository'],
  Mutation: ['minimizeComment'],
  MinimizeCommentPayload: ['clientMutationId', 'minimizedComment'],
  Minimizable: ['isMinimized', 'minimizedReason'],
  IssueComment: ['id', 'isMinimized', 'minimizedReason'],
  PullRequestReviewComment: ['id', 'isMinimized', 'minimizedReason'],
  Actor: ['login'],
  User: ['id', 'login'],
  Bot: ['id', 'login'],
  Repository: ['defaultBranchRef', 'pullRequest', 'pullRequests'],
  Ref: ['name', 'target'],
  GitObject: ['oid'],
  Commit: [
    ...['oid', 'committedDate', 'messageHeadline', 'parents', 'history', 'status'],
    'associatedPullRequests',
  ],
  CommitConnection: ['nodes', 'pageInfo', 'totalCount'],
  CommitHistoryConnection: ['nodes', 'pageInfo', 'totalCount'],
  PullRequestConnection: ['nodes', 'pageInfo', 'totalCount'],
  PullRequest: [
    ...['author', 'title', 'merged', 'number', 'commits', 'state', 'headRefOid', 'mergeCommit'],
    ...['createdAt', 'mergedAt', 'closedAt', 'updatedAt'],
  ],
  PullRequestCommitConnection: ['nodes', 'pageInfo', 'totalCount'],
  PullRequestCommit: ['commit'],
  PageInfo: ['endCursor', 'hasNextPage', 'hasPreviousPage', 'startCursor'],
  Status: ['context', 'contexts'],
  StatusContext: ['context', 'createdAt', 'creator', 'description', 'state', 'targetUrl'],
}

/** A definition with only the kept parts, and without documentation. */
function cutDown(definition: DefinitionNode): DefinitionNode {
  return visit(definition, {
    enter(node) {
      return 'description' in node && node.description ? { ...node, description: undefined } : undefined
    },
    Directive: () => null,
    leave(node) {
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION)
        return undefined
      const fields = kept[node.name.value] ?? []
      return {
        ...node,
        interfaces: node.interfaces?.filter(({ name }) => name.value in kept),
        fields: node.fields?.filter(({ name }) => fields.includes(name.value)),
      }
    },
  })
}

const [folder] = process.argv.slice(2)
if (folder === undefined)
  throw new Error('Usage: node scripts/github-graphql.ts FOLDER (see the head of this file)')
const { definitions } = parse(readFileSync(join(folder, 'schema.graphql'), 'utf8'), { noLocation: true })
const byName = new Map(definitions.map((one) => ['name' in one ? (one.name?.value ?? '') : '', one]))
const found = new Map<string, DefinitionNode>()
const waiting = Object.keys(kept)
for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
  const definition = byName.get(name)
  if (definition === undefined || found.has(name)) continue
  const rest = cutDown(definition)
  found.set(name, rest)
  visit(rest, { NamedType: (type) => void waiting.push(type.name.value) })
}
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const head = `# From npm @octokit/graphql-schema ${version}, schema.graphql, by scripts/github-graphql.ts`
const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, definition]) => print(definition))
writeFileSync(target, `${[head, ...sorted].join('\n\n')}\n`)
