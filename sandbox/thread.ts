/** The thread of the demo: the comment that starts the step, and what the action writes under it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GitHubDouble, sandboxGitHubToken } from './github/server.ts'
import { renderPage } from './page.ts'
import { issueComment } from './payloads.ts'
import { projectDir } from './runner/action.ts'

/** Who comments in the demo, and may. */
export const commenter = { mona: { permission: 'write', role_name: 'write' } } as const

export interface ShownThread {
  /** What the comment says that starts the step. */
  asked: string
  github: GitHubDouble
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

/** The thread as text here, and as GitHub would show it in a file. */
export async function showThread(title: string, { asked, github }: ShownThread): Promise<void> {
  const reactions = github.reactions.map(
    ({ content }) => ({ eyes: '👀', rocket: '🚀', confused: '😕' })[content] ?? content,
  )
  const comments = [
    `**mona** in #7\n\n${asked}\n\n${reactions.join(' ')}`,
    ...github.comments.map(({ body, thread }) => `**github-actions** in #${thread.number}\n\n${body}`),
  ]
  console.log(title)
  for (const comment of comments) console.log(comment.replace(/^/gm, '  │ '))
  const file = join(projectDir, 'out', 'thread.html')
  mkdirSync(join(projectDir, 'out'), { recursive: true })
  writeFileSync(file, await renderPage('The thread', comments.join('\n\n---\n\n')))
  console.log(`As GitHub shows it: ${file}\n`)
}
