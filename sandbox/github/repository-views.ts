/** Repositories, commits, changed files and pull requests as they go over the wire (openapi.json, "schemas"). */
import type { Commit, StoredFile } from './commits.ts'
import type { FileChange } from './diff.ts'
import { changesOf, defaultBranch, ownerOf, type PullRequest, type Repository } from './repository.ts'
import type { SandboxStatus } from './statuses.ts'
import { idFrom, nodeId, type Place, seconds, userView } from './views.ts'

/** GitHub's docs, "Repository limits": a file over a limit has no patch. `longestPatches` limits all files so far. */
const longestPatch = { lines: 20_000, bytes: 500_000 }
const longestPatches = { lines: 20_000, bytes: 1_000_000 }

/** Changed files, in the given order. */
export function fileViews(changes: readonly FileChange[], commit: Commit, { api, html, repository }: Place) {
  const repositoryApi = `${api}/repos/${repository}`
  const total = { lines: 0, bytes: 0 }
  return changes.map(({ filename, previousFilename, status, sha, additions, deletions, patch }) => {
    const path = filename.split('/').map(encodeURIComponent).join('/')
    const size = { lines: patch?.split('\n').length ?? 0, bytes: Buffer.byteLength(patch ?? '') }
    total.lines += size.lines
    total.bytes += size.bytes
    const isShown = isWithin(size, longestPatch) && isWithin(total, longestPatches)
    return {
      sha,
      filename,
      status,
      additions,
      deletions,
      changes: additions + deletions,
      blob_url: `${html}/${repository}/blob/${commit.sha}/${path}`,
      raw_url: `${html}/${repository}/raw/${commit.sha}/${path}`,
      contents_url: `${repositoryApi}/contents/${path}?ref=${commit.sha}`,
      ...(isShown && patch && { patch }),
      ...(previousFilename && { previous_filename: previousFilename }),
    }
  })
}

interface Size {
  lines: number
  bytes: number
}

function isWithin(size: Size, limit: Size): boolean {
  return size.lines <= limit.lines && size.bytes <= limit.bytes
}

export function commitView(commit: Commit, place: Place) {
  const { sha, treeSha, message, author, date, parents } = commit
  const urls = (commitSha: string) => ({
    sha: commitSha,
    url: `${place.api}/repos/${place.repository}/commits/${commitSha}`,
    html_url: `${place.html}/${place.repository}/commit/${commitSha}`,
  })
  const name = author ?? 'Nobody Known'
  const person = { name, email: `${author ?? 'nobody'}@users.noreply.github.com`, date }
  const account = author === null ? null : userView(author, place)
  const gitUrl = `${place.api}/repos/${place.repository}/git`
  return {
    ...urls(sha),
    node_id: nodeId('Commit', idFrom(sha)),
    comments_url: `${urls(sha).url}/comments`,
    commit: {
      url: `${gitUrl}/commits/${sha}`,
      author: person,
      committer: person,
      message,
      tree: { sha: treeSha, url: `${gitUrl}/trees/${treeSha}` },
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    author: account,
    committer: account,
    parents: parents.map((parent) => urls(parent.sha)),
  }
}

/** A pull request in a list. */
export function pullView(pull: PullRequest, repository: Repository, place: Place) {
  const { number, head, base, user, state, merged, updatedAt } = pull
  const url = `${place.api}/repos/${place.repository}/pulls/${number}`
  const page = `${place.html}/${place.repository}/pull/${number}`
  const issueUrl = `${place.api}/repos/${place.repository}/issues/${number}`
  const links = {
    review_comment: `${place.api}/repos/${place.repository}/pulls/comments{/number}`,
    review_comments: `${url}/comments`,
    comments: `${issueUrl}/comments`,
    commits: `${url}/commits`,
    statuses: `${place.api}/repos/${place.repository}/statuses/${head.commit.sha}`,
  }
  const linked = { self: url, html: page, issue: issueUrl, ...links }
  return {
    url,
    id: idFrom(page),
    node_id: nodeId('PullRequest', idFrom(page)),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issueUrl,
    ...Object.fromEntries(Object.entries(links).map(([name, link]) => [`${name}_url`, link])),
    number,
    state,
    locked: false,
    title: pull.title,
    user: userView(user, place),
    body: pull.body,
    labels: pull.labels.map((name) => labelView(name, place)),
    milestone: null,
    created_at: pull.createdAt,
    updated_at: updatedAt,
    closed_at: state === 'closed' ? updatedAt : null,
    merged_at: merged ? updatedAt : null,
    merge_commit_sha: pull.mergeCommitSha,
    assignee: null,
    assignees: [],
    requested_reviewers: pull.reviewers
      .filter((name) => !name.startsWith('team/'))
      .map((name) => userView(name, place)),
    requested_teams: [],
    // GitHub still names the owner of a deleted fork. The double uses the pull request's author.
    head: sideView(head, head.repository, ownerOf(head.repository ?? user), repository, place),
    base: sideView(base, repository.name, repository.owner, repository, place),
    _links: Object.fromEntries(Object.entries(linked).map(([name, href]) => [name, { href }])),
    author_association: 'NONE',
    auto_merge: null,
    draft: false,
  }
}

/** A single pull request, with its counts. */
export function wholePullView(
  pull: PullRequest,
  counts: { commits: number; comments: number; reviewComments: number },
  repository: Repository,
  place: Place,
) {
  const changes = changesOf(pull)
  const isOpen = pull.state === 'open'
  const sum = (of: 'additions' | 'deletions') => changes.reduce((total, change) => total + change[of], 0)
  return {
    ...pullView(pull, repository, place),
    merged: pull.merged !== undefined,
    mergeable: isOpen ? true : null,
    rebaseable: isOpen ? true : null,
    mergeable_state: isOpen ? 'clean' : 'unknown',
    merged_by: pull.merged ? userView(pull.merged.by, place) : null,
    comments: counts.comments,
    review_comments: counts.reviewComments,
    maintainer_can_modify: false,
    commits: counts.commits,
    additions: sum('additions'),
    deletions: sum('deletions'),
    changed_files: changes.length,
  }
}

export function statusView(status: SandboxStatus, place: Place) {
  const { id, repository, sha, state, context, description, targetUrl, creator, createdAt } = status
  const created_at = seconds(createdAt)
  return {
    id,
    node_id: nodeId('StatusContext', id),
    state,
    description,
    target_url: targetUrl,
    context,
    url: `${place.api}/repos/${repository}/statuses/${sha}`,
    avatar_url: userView(creator, place).avatar_url,
    created_at,
    updated_at: created_at,
    creator: userView(creator, place),
  }
}

/** A file with its content in base64, in lines of 60 characters. */
export function contentView(path: string, { sha, bytes }: StoredFile, ref: string, place: Place) {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  const url = `${place.api}/repos/${place.repository}/contents/${encoded}?ref=${encodeURIComponent(ref)}`
  const git = `${place.api}/repos/${place.repository}/git/blobs/${sha}`
  const page = (kind: 'blob' | 'raw') =>
    `${place.html}/${place.repository}/${kind}/${encodeURIComponent(ref)}/${encoded}`
  return {
    type: 'file',
    name: path.split('/').at(-1) ?? '',
    path,
    sha,
    size: bytes.length,
    content: bytes.toString('base64').replace(/.{1,60}/g, '$&\n'),
    encoding: 'base64',
    url,
    html_url: page('blob'),
    git_url: git,
    download_url: page('raw'),
    _links: { self: url, git, html: page('blob') },
  }
}

function sideView(
  { branch, commit }: { branch: string; commit: Commit },
  name: string | null,
  owner: string,
  repository: Repository,
  place: Place,
) {
  return {
    label: `${owner}:${branch}`,
    ref: branch,
    sha: commit.sha,
    user: userView(owner, place),
    repo: name === null ? null : repositoryView(name, repository, place),
  }
}

export function labelView(name: string, { api, repository }: Place) {
  const id = idFrom(name)
  return {
    id,
    node_id: nodeId('Label', id),
    url: `${api}/repos/${repository}/labels/${encodeURIComponent(name)}`,
    name,
    description: '',
    color: 'ededed',
    default: false,
  }
}

/** A repository's other URLs, relative to its own. The key `x` becomes the field `x_url`. */
const addresses: Record<string, string> = {
  archive: '{archive_format}{/ref}',
  assignees: 'assignees{/user}',
  blobs: 'git/blobs{/sha}',
  branches: 'branches{/branch}',
  collaborators: 'collaborators{/collaborator}',
  comments: 'comments{/number}',
  commits: 'commits{/sha}',
  compare: 'compare/{base}...{head}',
  contents: 'contents/{+path}',
  contributors: 'contributors',
  deployments: 'deployments',
  downloads: 'downloads',
  events: 'events',
  forks: 'forks',
  git_commits: 'git/commits{/sha}',
  git_refs: 'git/refs{/sha}',
  git_tags: 'git/tags{/sha}',
  hooks: 'hooks',
  issue_comment: 'issues/comments{/number}',
  issue_events: 'issues/events{/number}',
  issues: 'issues{/number}',
  keys: 'keys{/key_id}',
  labels: 'labels{/name}',
  languages: 'languages',
  merges: 'merges',
  milestones: 'milestones{/number}',
  notifications: 'notifications{?since,all,participating}',
  pulls: 'pulls{/number}',
  releases: 'releases{/id}',
  stargazers: 'stargazers',
  statuses: 'statuses/{sha}',
  subscribers: 'subscribers',
  subscription: 'subscription',
  tags: 'tags',
  teams: 'teams',
  trees: 'git/trees{/sha}',
}

/** A repository, or a fork of it with another name. */
function repositoryView(fullName: string, repository: Repository, place: Place) {
  const [owner = '', name = ''] = fullName.split('/')
  const url = `${place.api}/repos/${fullName}`
  const page = `${place.html}/${fullName}`
  const host = new URL(place.html).host
  const below = Object.entries(addresses).map(([key, path]) => [`${key}_url`, `${url}/${path}`])
  return {
    id: idFrom(fullName),
    node_id: nodeId('Repository', idFrom(fullName)),
    name,
    full_name: fullName,
    private: true,
    owner: userView(owner, place),
    html_url: page,
    description: null,
    fork: fullName !== repository.name,
    url,
    ...Object.fromEntries(below),
    created_at: '2026-11-02T10:00:00Z',
    updated_at: '2026-11-02T10:00:00Z',
    pushed_at: '2026-11-02T10:00:00Z',
    git_url: `git://${host}/${fullName}.git`,
    ssh_url: `git@${host}:${fullName}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    size: 1,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    forks_count: 0,
    forks: 0,
    open_issues_count: 0,
    open_issues: 0,
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    archived: false,
    disabled: false,
    visibility: 'private',
    default_branch: defaultBranch,
  }
}
