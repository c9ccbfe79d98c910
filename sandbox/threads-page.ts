/** Shows the threads of the GitHub double: as text, and as a page that looks like GitHub. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoIssue, titles } from './demo.ts'
import type { GitHub } from './github/server.ts'
import type { ReactionContent } from './github/threads.ts'
import { idFrom } from './github/views.ts'
import { escapeHtml, pageWith, renderFragment } from './page.ts'
import { projectDir } from './runner/action.ts'

/** A comment, or the description of an issue. */
export interface Post {
  number: number
  /** null if the account was deleted. */
  user: string | null
  body: string
  reactions: readonly ReactionContent[]
  createdAt: string
  isEdited: boolean
  isHidden: boolean
}

type Threads = Pick<GitHub, 'comments' | 'reactions'>

/** All posts, starting with the demo's issue unless it is empty. */
export function postsOf({ comments, reactions }: Threads): Post[] {
  const to = (isIt: (on: GitHub['reactions'][number]) => boolean) =>
    reactions.filter(isIt).map(({ content }) => content)
  const posts = comments.map(({ id, thread, user, body, edits, createdAt, minimizedReason }) => ({
    number: thread.number,
    user,
    body,
    reactions: to(({ commentId }) => commentId === id),
    createdAt,
    isEdited: edits > 0,
    isHidden: minimizedReason !== undefined,
  }))
  const { number, title: _, ...text } = demoIssue
  const own = to(({ issue }) => issue === number)
  const isShown = own.length > 0 || posts.some((post) => post.number === number)
  const opening = { ...text, number, reactions: own, isEdited: false, isHidden: false }
  return isShown ? [{ ...opening, createdAt: firstTime(posts) }, ...posts] : posts
}

function firstTime(posts: readonly Post[]): string {
  return posts.map(({ createdAt }) => createdAt).toSorted()[0] ?? new Date().toISOString()
}

const emoji: Record<ReactionContent, string> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  confused: '😕',
  heart: '❤️',
  hooray: '🎉',
  rocket: '🚀',
  eyes: '👀',
}

/** Prints the threads, and writes their page. */
export async function showThreads(title: string, github: Threads): Promise<void> {
  const posts = postsOf(github)
  console.log(title)
  for (const { user, number, body, reactions } of posts) {
    const shown = reactions.length === 0 ? '' : `\n\n${reactions.map((content) => emoji[content]).join(' ')}`
    const text = body.replace(/<!--.*?-->/gs, '').trim()
    console.log(`**${user}** in #${number}\n\n${text}${shown}`.replace(/^/gm, '  │ '))
  }
  await writeThreads(posts)
}

/** Writes the threads to a page that looks like GitHub, and prints its path. */
export async function writeThreads(posts: readonly Post[], merged: readonly number[] = []): Promise<void> {
  const file = join(projectDir, 'out', 'thread.html')
  mkdirSync(join(projectDir, 'out'), { recursive: true })
  writeFileSync(file, await renderThreads(posts, merged, Date.now()))
  console.log(`As GitHub shows it: ${file}\n`)
}

/** The page with the threads. @param now milliseconds since the epoch */
async function renderThreads(
  posts: readonly Post[],
  merged: readonly number[],
  now: number,
): Promise<string> {
  const numbers = [...new Set(posts.map(({ number }) => number))].toSorted((one, other) => one - other)
  const threads = await Promise.all(
    numbers.map(async (number) => {
      const own = posts.filter((post) => post.number === number)
      const shown = await Promise.all(own.map((post) => renderPost(post, now)))
      const title = escapeHtml(titles[number] ?? 'Thread')
      return `<section><h1>${title} <span class="number">#${number}</span></h1>\n<p>${merged.includes(number) ? '<span class="state merged">Merged</span>' : '<span class="state">Open</span>'}</p>\n${shown.join('\n')}</section>`
    }),
  )
  return pageWith({ title: 'Threads on GitHub', css, body: `<main>${threads.join('\n')}</main>` })
}

async function renderPost(post: Post, now: number): Promise<string> {
  const { user, body, reactions, createdAt, isEdited, isHidden } = post
  const login = user ?? 'ghost'
  const name = login.replace(/\[bot\]$/, '')
  const isBot = name !== login
  const bot = isBot ? ' <span class="label">bot</span>' : ''
  const edited = isEdited ? ' · edited' : ''
  const head = `<header><b>${escapeHtml(name)}</b>${bot} <span class="muted">${age(Date.parse(createdAt), now)}${edited}</span></header>`
  const shown = isHidden
    ? '<div class="hidden muted">This comment was marked as outdated.</div>'
    : `<div class="markdown-body">${await renderFragment(body)}</div>`
  const counts = [...new Set(reactions)].map((content) => {
    const count = reactions.filter((each) => each === content).length
    return `<span class="reaction">${emoji[content]} ${count}</span>`
  })
  const row = counts.length === 0 ? '' : `<footer>${counts.join('')}</footer>`
  return `<div class="post">${avatar(name, isBot)}<article>${head}${shown}${row}</article></div>`
}

/** The account's avatar: its initial on a color. Users are round and apps square, as on GitHub. */
function avatar(name: string, isBot: boolean): string {
  const hue = idFrom(name) % 360
  return `<span class="avatar${isBot ? ' app' : ''}" style="background: hsl(${hue} 45% 45%)">${escapeHtml(name.slice(0, 1).toUpperCase())}</span>`
}

function age(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000)
  if (minutes < 1) return 'now'
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.floor(minutes / 60), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

const css = `
body { background: light-dark(#ffffff, #0d1117); color: light-dark(#1f2328, #f0f6fc); font: 14px/1.5 -apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif }
main { max-width: 980px; margin: 0 auto; padding: 24px 16px }
section + section { margin-top: 40px }
h1 { margin: 0 0 8px; font-size: 26px; font-weight: 400; line-height: 1.25 }
.number, .muted { color: light-dark(#59636e, #9198a1) }
.state { display: inline-block; padding: 3px 12px; border-radius: 2em; font-weight: 500; color: #ffffff; background: light-dark(#1f883d, #238636) }
.state.merged { background: light-dark(#8250df, #8957e5) }
.post { display: flex; gap: 16px; margin-top: 16px }
.avatar { flex: none; width: 40px; height: 40px; border-radius: 50%; color: #ffffff; font: 600 18px/40px sans-serif; text-align: center }
.avatar.app { border-radius: 6px }
article { flex: 1; min-width: 0; border: 1px solid light-dark(#d1d9e0, #3d444d); border-radius: 6px }
article > header { padding: 8px 16px; background: light-dark(#f6f8fa, #151b23); border-bottom: 1px solid light-dark(#d1d9e0, #3d444d); border-radius: 6px 6px 0 0 }
.label { padding: 0 6px; border: 1px solid light-dark(#d1d9e0, #3d444d); border-radius: 2em; font-size: 12px; color: light-dark(#59636e, #9198a1) }
.markdown-body, .hidden { padding: 16px; font-size: 14px; background: none }
article > footer { padding: 0 16px 16px }
.reaction { display: inline-block; margin-right: 8px; padding: 0 8px; border: 1px solid light-dark(#d1d9e0, #3d444d); border-radius: 2em; font-size: 12px; line-height: 24px }
@media (max-width: 600px) { .avatar { display: none } }
`
