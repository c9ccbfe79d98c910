/**
 * Markdown that shows outside text as text: it cannot become a link, mention, image, HTML or table. People also read
 * its source (in mail, Slack and `gh`), so each helper uses the plain form if the characters allow it.
 */
import type { FileChange, PullRequestChanges } from '../core/pull-changes.ts'
import { cut, fenced, oneLine, paragraphs, showHidden } from '../core/text.ts'
import { nameOf, pullRequestThread } from '../core/thread.ts'
import { counted } from '../core/units.ts'
import { apiKeysUrl, dashboardUrl } from '../mintlify/dashboard.ts'

/**
 * Inline code with any content, even in a table cell. Content with a backtick, or with a pipe, which would end a cell, is
 * escaped in `<code>` instead. In code, GitHub does not link @name, #number or a URL.
 */
export function code(content: string, limit = 300): string {
  const shown = oneLine(content, limit)
  if (/^[^`|]+$/.test(shown)) return `\`${shown}\``
  return `<code>${escaped(shown, inText)}</code>`
}

/** Invisible on GitHub. Text split by it is not a mention, issue number, URL, emoji or formula. */
const separator = '<!-- -->'

/**
 * Characters that can start Markdown or HTML. Some do so only beside a non-letter, at the start or end of the text, or
 * after a number.
 */
const markup =
  /[\\`*<|[\]~]|&(?=[#A-Za-z]|$)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|!$|^[>#=+:^-]|(?<=^\d{1,9})[.)]/u
/** What GitHub interprets in any text: the start of a URL, an emoji, a formula or a mail address. */
const signs = /:(?=\/\/|[\w+-]+(?::|$))|\$|@(?=[\w-]*\.)/
/** What GitHub interprets except in a link's text: names, issues and commits (a number may look like a short hash). */
const references = /@|#(?=\w|$)/
const issue = /\bGH(?=-\d)/
const hash = /(?<!\w)[\da-f]{7,}(?!\w)/

const inText = pattern(
  `(?<separated>${signs.source}|${references.source})|(?<split>www(?=\\.)|${issue.source})|(?<hash>${hash.source})`,
)
const inLink = pattern(`(?<separated>${signs.source})|(?<split>www(?=\\.))`)

function pattern(read: string): RegExp {
  return new RegExp(`${read}|${markup.source}`, 'giu')
}

/** Text on one line that stays text anywhere except inside code. */
export function text(content: string, limit = 2_000): string {
  return escaped(oneLine(content, limit), inText)
}

/** A link whose label and URL are both from outside. If the URL is not http or https, returns only the URL, as code. */
export function link(label: string, url: string): string {
  return linked(escaped(oneLine(label, 2_000), inLink), url) ?? code(url)
}

/** A link whose text is code. If the URL is not http or https, returns only the code. */
export function codeLink(label: string, url: string, limit?: number): string {
  return linked(code(label, limit), url) ?? code(label, limit)
}

/** One of the action's own sentences. Text between backticks becomes code, and URLs of Mintlify's dashboard become links. */
export function prose(sentence: string): string {
  const addresses = [apiKeysUrl, dashboardUrl].map((url) => url.replaceAll('.', '\\.')).join('|')
  const special = new RegExp(`(\`[^\`\\n]+\`|(?:${addresses})(?![\\w/?#-]|\\.\\w))`)
  return sentence
    .split(special)
    .map((part, at) => {
      if (at % 2 === 0) return escaped(showHidden(part).replace(/\s+/g, ' '), inText)
      return part.startsWith('`') ? code(part.slice(1, -1)) : link(part.replace('https://', ''), part)
    })
    .join('')
    .trim()
}

function escaped(content: string, pattern: RegExp): string {
  return content.replace(pattern, (...match) => {
    const [found] = match
    const groups = match.at(-1)
    if (groups.hash !== undefined) return found.replace(/.{6}(?=.)/g, `$&${separator}`)
    if (groups.split !== undefined) return `${found}${separator}`
    return groups.separated === undefined ? entity(found) : `${entity(found)}${separator}`
  })
}

function entity(character: string): string {
  return `&#${character.codePointAt(0)};`
}

/** Makes Markdown a link; undefined if the URL is not http or https. */
function linked(markdown: string, url: string): string | undefined {
  const { href = '' } = URL.parse(url) ?? {}
  if (!/^https?:/.test(href)) return undefined
  if (/^(?:[A-Za-z0-9:/?=_.~&#+,@-]|%[\dA-F]{2})+$/i.test(href)) return `[${markdown}](${href})`
  return `<a href="${href.replace(/[^A-Za-z0-9:/?=_.~%-]/g, entity)}">${markdown}</a>`
}

/** A folded code block, cut at a number of characters. */
export function foldedText(title: string, content: string, limit: number): string {
  const shown = cut(showHidden(content), limit)
  return `<details><summary>${text(title)}</summary>\n\n${fenced(shown, 'text')}\n\n</details>`
}

/** A table. Cells are Markdown already. The first column contains text; `others` says what the other columns contain. */
export function table(
  others: 'figures' | 'texts',
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const side = others === 'figures' ? '--:' : ':--'
  return [line(head), line([':--', ...head.slice(1).map(() => side)]), ...rows.map(line)].join('\n')
}

/** Maximum number of listed files. */
const fileLimit = 10

/** The size of a change: `3 files (+40 −12)`. */
export function changesText({ total: { files, additions, deletions } }: PullRequestChanges): string {
  return `${counted(files, 'file')} (+${additions} −${deletions})`
}

/** A link to the pull request with its title, and the files that it changes. */
export function pullRequestBlock(url: string, changes: PullRequestChanges | null): string {
  const name = pullLink(url)
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
  const thread = pullRequestThread(url, url)
  if (thread === null) return shortAddress(url)
  const { host } = new URL(url)
  return `${host === 'github.com' ? '' : `${host}/`}${nameOf(thread)}`
}

/** A link with the short name of a pull request. */
export function pullLink(url: string): string {
  return link(pullRequestName(url), url)
}

/** A short form of a URL: `acme/docs` for `https://github.com/acme/docs`. Other URLs keep their host. */
export function shortAddress(url: string): string {
  return oneLine(url.replace(/^https:\/\/(github\.com\/)?/, ''), 120)
}

/** The things that a problem is about. */
export function problemList(list: readonly string[] = []): string {
  return list.map((item) => `- ${/^https?:/.test(item) ? pullLink(item) : prose(item)}`).join('\n')
}

/** Markdown blocks, without empty ones. */
export function blocks(parts: readonly string[]): string {
  return paragraphs(parts) ?? ''
}
