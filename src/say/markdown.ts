/**
 * Markdown that shows outside text as text: it cannot become a link, mention, image, HTML or table. People also read
 * its source (in mail, Slack and `gh`), so each helper uses the plain form if the characters allow it.
 */

import type { FileChange, PullRequestChanges } from '../core/pull-changes.ts'
import { firstOf, joinTexts, type Optional, oneLine, showHidden } from '../core/text.ts'
import { nameOf, type Page, pageUrl, pullOfLink } from '../core/thread.ts'
import { counted } from '../core/units.ts'

/**
 * Inline code with any content, even in a table cell. Content with a backtick, or with a pipe, which would end a cell, is
 * escaped in `<code>` instead. In code, GitHub does not link @name, #number or a URL.
 */
export function code(content: string, limit = 300) {
  const line = oneLine(content, limit)
  if (/^[^`|]+$/.test(line)) return `\`${line}\``
  return `<code>${escapeText(line, inText)}</code>`
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
  `(?<separate>${signs.source}|${references.source})|(?<split>www(?=\\.)|${issue.source})|(?<hash>${hash.source})`,
)
const inLink = pattern(`(?<separate>${signs.source})|(?<split>www(?=\\.))`)

function pattern(read: string) {
  return new RegExp(`${read}|${markup.source}`, 'giu')
}

/** Text on one line that stays text anywhere except inside code. */
export function text(content: string, limit = 2_000) {
  return escapeText(oneLine(content, limit), inText)
}

/** A link whose label and URL are both from outside. If the URL is not http or https, returns only the URL, as code. */
export function link(label: string, url: string) {
  return linkTo(url, escapeText(oneLine(label, 2_000), inLink)) ?? code(url)
}

/** A link whose text is code. If the URL is not http or https, returns only the code. */
export function codeLink(label: string, url: string, limit?: number) {
  const markdown = code(label, limit)
  return linkTo(url, markdown) ?? markdown
}

/** Code, or a URL of Mintlify's dashboard. */
const special = /(`[^`\n]+`|https:\/\/app\.mintlify\.com(?:\/[\w/-]*)?(?![\w-]|\.\w))/

/** One of the action's own sentences. Text between backticks becomes code, and URLs of Mintlify's dashboard become links. */
export function prose(sentence: string) {
  // Every second part is special.
  const parts = sentence.split(special).map((part, at) => {
    if (at % 2 === 0) return escapeText(showHidden(part).replace(/\s+/g, ' '), inText)
    if (part.startsWith('`')) return code(part.slice(1, -1))
    return link(part.replace('https://', ''), part)
  })
  return parts.join('').trim()
}

function escapeText(content: string, pattern: RegExp) {
  return content.replace(pattern, (...match) => {
    const [part] = match
    const { hash, split, separate } = match.at(-1)
    if (hash !== undefined) return part.replace(/.{6}(?=.)/g, `$&${separator}`)
    if (split !== undefined) return `${part}${separator}`
    if (separate !== undefined) return `${entity(part)}${separator}`
    return entity(part)
  })
}

function entity(character: string) {
  return `&#${character.codePointAt(0)};`
}

/** Makes Markdown a link; undefined if the URL is not http or https. */
function linkTo(url: string, markdown: string) {
  const { href = '' } = URL.parse(url) ?? {}
  if (!/^https?:/.test(href)) return undefined
  // A bracket or a backslash would end or change the target.
  const target = href.replace(/[^\w:/?=.~&#+,@%-]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `[${markdown}](${target})`
}

/** A job summary. @param parts Markdown */
export function summary(icon: string, title: string, parts: readonly Optional[]) {
  return `${blocks([`## ${icon} ${text(title)}`, ...parts])}\n`
}

/** A table. Cells are Markdown already. The first column contains text, the others contain figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]) {
  const sides = head.map((_, at) => (at > 0 ? '--:' : ':--'))
  return [head, sides, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The size of a change: `3 files (+40 −12)`. */
export function changesText({ files, additions, deletions }: PullRequestChanges['total']) {
  return `${counted(files, 'file')} (+${additions} −${deletions})`
}

/** A link to the pull request with its title, and the files that it changes. */
export function pullRequestBlock(url: string, changes: PullRequestChanges | null) {
  const name = `**${pullLink(url)}**`
  if (changes === null) return name
  const note = changes.isUnchanged && 'No new commits since the last reply.'
  return blocks([`${name} ${text(changes.title, 200)}`, note, fileList(changes)])
}

/** The first files, with links to their changes. */
export function fileList({ files, total }: PullRequestChanges) {
  const heading = `${changesText(total)}${files.length > 0 ? ':' : ''}`
  return blocks([heading, bullets(firstOf(files.map(fileLine), 10, total.files))])
}

function fileLine({ path, url, status, additions, deletions }: FileChange) {
  const facts = [
    status !== 'modified' && status,
    additions > 0 && `+${additions}`,
    deletions > 0 && `−${deletions}`,
  ]
  const text = joinTexts(facts, ' ')
  return `${codeLink(path, url, 200)}${text && ` (${text})`}`
}

/** The short name of a pull request: `acme/docs#7`, with the host unless it is github.com. */
export function pullRequestName(url: string) {
  const pull = pullOfLink(url, url)
  if (pull === null) return shortAddress(url)
  const { host } = new URL(url)
  return host === 'github.com' ? nameOf(pull) : `${host}/${nameOf(pull)}`
}

/** A link with the short name of a pull request. */
export function pullLink(url: string) {
  return link(pullRequestName(url), url)
}

/** A link to the page of a thread or a commit. */
export function pageLink(place: Page, serverUrl: string) {
  const name = 'commit' in place ? `${place.repository}@${place.commit.slice(0, 7)}` : nameOf(place)
  return link(name, pageUrl(place, serverUrl))
}

/** A short form of a URL: `acme/docs` for `https://github.com/acme/docs`. Other URLs keep their host. */
function shortAddress(url: string) {
  return oneLine(url.replace(/^https:\/\/(github\.com\/)?/, ''), 120)
}

/** The things that a problem is about. */
export function problemList(list: readonly string[]) {
  return bullets(list.map((item) => (/^https?:/.test(item) ? pullLink(item) : prose(item))))
}

/** A list, in Markdown or in the log. */
export function bullets(items: readonly string[]) {
  return items.map((item) => `- ${item}`).join('\n')
}

/** Markdown blocks, without missing and empty ones. */
export function blocks(parts: readonly Optional[]) {
  return joinTexts(parts, '\n\n')
}
