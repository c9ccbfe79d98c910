/** Shows a thread of the GitHub mock: as text, and as a page that looks like GitHub. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoIssue } from './demo.ts'
import type { GitHub } from './github/server.ts'
import type { ReactionContent } from './github/threads.ts'
import { escapeHtml, pageWith, renderFragment } from './page.ts'

interface Post {
  user: string
  body: string
  reactions: string
}

/** The action's reactions. */
const emoji: Partial<Record<ReactionContent, string>> = { eyes: '👀', rocket: '🚀', confused: '😕' }

/** The demo's issue, and the comments on it. */
function postsOf({ comments, reactions }: GitHub): Post[] {
  const to = (id: number) =>
    reactions.flatMap(({ commentId, content }) => (commentId === id ? [emoji[content]] : [])).join(' ')
  const replies = comments
    .filter(({ thread }) => thread.number === demoIssue.number)
    .map(({ id, user, body }) => ({ user: user ?? 'ghost', body, reactions: to(id) }))
  return [{ ...demoIssue, reactions: '' }, ...replies]
}

/** The thread as text, without marks. */
export function threadText(github: GitHub): string {
  const posts = postsOf(github).map(({ user, body, reactions }) => {
    const text = body.replace(/<!--.*?-->/gs, '').trim()
    return `**${user}**\n\n${text}${reactions && `\n\n${reactions}`}`.replace(/^/gm, '  │ ')
  })
  return `${demoIssue.title} #${demoIssue.number}\n${posts.join('\n\n')}`
}

/** The thread as a page. */
export async function threadPage(github: GitHub): Promise<string> {
  const posts = await Promise.all(postsOf(github).map(renderPost))
  const title = `${escapeHtml(demoIssue.title)} <span class="muted">#${demoIssue.number}</span>`
  const css = readFileSync(join(import.meta.dirname, 'thread.css'), 'utf8')
  return pageWith({
    title: demoIssue.title,
    css,
    body: `<main><h1>${title}</h1>\n${posts.join('\n')}</main>`,
  })
}

async function renderPost({ user, body, reactions }: Post): Promise<string> {
  const name = user.replace(/\[bot\]$/, '')
  const isBot = name !== user
  const initial = escapeHtml(name.slice(0, 1).toUpperCase())
  const label = isBot ? ' <span class="label">bot</span>' : ''
  return `<div class="post"><span class="avatar${isBot ? ' app' : ''}">${initial}</span>
<article><header><b>${escapeHtml(name)}</b>${label}</header>
<div class="markdown-body">${await renderFragment(body)}</div><footer>${reactions}</footer></article></div>`
}
