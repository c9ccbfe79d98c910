/** The changes of a pull request, for people. */
import { pullRequestThread } from '../core/job/job.ts'
import type { FileChange, PullRequestChanges } from '../core/review.ts'
import { oneLine } from '../core/text.ts'
import { counted } from '../core/units.ts'
import { code, codeLink, link, text } from './markdown.ts'

/** Maximum number of listed files. */
const fileLimit = 10

/** The size of a change: `3 files (+40 −12)`. */
export function changesText({ total: { files, additions, deletions } }: PullRequestChanges): string {
  return `${counted(files, 'file')} (+${additions} −${deletions})`
}

/** A link to the pull request with its title, and the files that it changes. */
export function pullRequestBlock(prLink: string, changes: PullRequestChanges | null): string {
  const name = link(pullRequestName(prLink), prLink)
  if (changes === null) return `**${name}**`
  const since = changes.since === undefined ? '' : `\n\n${sinceText(changes.since)}`
  return `**${name}** ${text(changes.title, 200)}${since}\n\n${fileList(changes)}`
}

/** The size of a follow-up's change. */
function sinceText({ files, additions, deletions }: NonNullable<PullRequestChanges['since']>): string {
  if (files === 0) return 'No new commits since the last reply.'
  return `New since the last reply: ${counted(files, 'file')} (+${additions} −${deletions}).`
}

/** The first files, with links to their changes. */
export function fileList(changes: PullRequestChanges): string {
  const { files, total } = changes
  const named = files.slice(0, fileLimit)
  const more = Math.max(total.files, files.length) - named.length
  const lines = named.map((file) => `- ${codeLink(file.path, file.url, 200)}${aside(file)}`)
  const heading = `${changesText(changes)}${lines.length > 0 ? ':' : ''}`
  return [`${heading}\n`, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n').trim()
}

function aside({ status, previousPath, additions, deletions }: FileChange): string {
  const did =
    previousPath === null
      ? ({ added: 'new', removed: 'deleted' }[status] ?? '')
      : `${status === 'copied' ? 'copied' : 'renamed'} from ${code(previousPath, 200)}`
  const lines = [...(additions > 0 ? [`+${additions}`] : []), ...(deletions > 0 ? [`−${deletions}`] : [])]
  const facts = [did, lines.join(' ')].filter((fact) => fact !== '')
  return facts.length > 0 ? ` (${facts.join(', ')})` : ''
}

/** The short name of a pull request: `acme/docs#7`, with the host unless it is github.com. */
export function pullRequestName(url: string): string {
  const { origin = '', host = '' } = URL.parse(url) ?? {}
  const thread = pullRequestThread(url, origin)
  if (thread === null) return shortAddress(url)
  return `${host === 'github.com' ? '' : `${host}/`}${thread.repository}#${thread.number}`
}

/** A short form of a URL: `acme/docs` for `https://github.com/acme/docs`. Other URLs keep their host. */
export function shortAddress(url: string): string {
  return oneLine(url.replace(/^https:\/\/(github\.com\/)?/, ''), 120)
}
