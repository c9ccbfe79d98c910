/** The thread of the demo: the comment that starts the step, and what the action writes under it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GitHub, type GitHubOptions, sandboxGitHubToken } from './github/server.ts'
import { renderPage } from './page.ts'
import { issueComment } from './payloads.ts'
import { projectDir } from './runner/action.ts'

/** The thread on GitHub as it is when the comment has just been made, by somebody who may. */
export function threadOf(asked: string): GitHubOptions {
  return {
    roles: { mona: { permission: 'write', role_name: 'write' } },
    comments: [{ id: 1001, thread: { number: 7, reviewRoot: null }, body: asked, user: 'mona' }],
    pullRequests: [101],
  }
}

export interface ShownThread {
  /** What the comment says that starts the step. */
  asked: string
  github: GitHub
}

/** The step as the comment's event starts it. */
export function commentStep({ asked, github }: ShownThread) {
  const { name, payload } = issueComment({ body: asked })
  return {
    eventName: name,
    event: payload,
    githubToken: sandboxGitHubToken,
    env: { GITHUB_API_URL: github.url },
  }
}

const emoji: Partial<Record<string, string>> = { eyes: '👀', rocket: '🚀', confused: '😕' }

/** The thread as text here, and as GitHub would show it in a file. */
export async function showThread(title: string, github: GitHub): Promise<void> {
  const reactions = github.reactions.map(({ content }) => emoji[content] ?? content)
  const comments = github.comments.map(({ id, user, body, thread }) => {
    const shown = id === 1001 ? `\n\n${reactions.join(' ')}` : ''
    return `**${user}** in #${thread.number}\n\n${body}${shown}`
  })
  console.log(title)
  for (const comment of comments) console.log(comment.replace(/^/gm, '  │ '))
  const file = join(projectDir, 'out', 'thread.html')
  mkdirSync(join(projectDir, 'out'), { recursive: true })
  writeFileSync(file, await renderPage('The thread', comments.join('\n\n---\n\n')))
  console.log(`As GitHub shows it: ${file}\n`)
}
