/** The thread of the demo: the comment that starts the step, and what the action writes under it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoPullRequest, demoRepository, repository } from './demo.ts'
import { type GitHub, type GitHubOptions, sandboxGitHubToken } from './github/server.ts'
import { renderPage } from './page.ts'
import { issueComment } from './payloads.ts'
import { projectDir } from './runner/action.ts'

/** GitHub right after someone with write access commented. */
export function threadOf(asked: string): GitHubOptions {
  return {
    roles: { mona: { permission: 'write', role_name: 'write' } },
    comments: [{ id: 1001, thread: { number: 7, reviewRoot: null }, body: asked, user: 'mona' }],
    repositories: [demoRepository()],
  }
}

export interface ShownThread {
  /** The comment that starts the step. */
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

/** The step as the agent's pull request starts it. */
export function openedStep({ github }: ShownThread) {
  const { name, payload } = demoPullRequest()
  return {
    eventName: name,
    event: payload,
    githubToken: sandboxGitHubToken,
    env: { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: repository },
  }
}

const emoji: Partial<Record<string, string>> = { eyes: '👀', rocket: '🚀', confused: '😕' }

/** Prints the thread as text, and writes it to a file as GitHub shows it. */
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
