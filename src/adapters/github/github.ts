/** GitHub, as the use cases need it. */
import type { GitHub, GitHubPorts, Repositories } from '../../usecases/ports.ts'
import { clock } from '../clock.ts'
import { createClient, type GitHubOptions } from './client.ts'
import { createComments } from './comments.ts'
import { createRepositories } from './repositories.ts'
import { createStatuses } from './statuses.ts'

export function createGitHubPorts(options: GitHubOptions): GitHubPorts {
  const ask = createClient(options)
  return { ...createComments(ask), ...createStatuses(ask), ...createRepositories(ask) }
}

type OlderOptions = Omit<GitHubOptions, 'clock' | 'deadline'> & Partial<GitHubOptions>

/** The port as it was before: a thread that is read in part counts as unread. */
export function createGitHub(options: OlderOptions): GitHub & Repositories {
  const ports = createGitHubPorts({ clock, deadline: Number.POSITIVE_INFINITY, ...options })
  return {
    ...ports,
    comments: async (thread) => {
      const reply = await ports.comments(thread)
      if (!reply.ok) return reply
      const { items, isCut } = reply.value
      const message = 'The thread has more than 3,000 comments'
      return isCut ? { ok: false, refusal: { status: null, message } } : { ok: true, value: items }
    },
  }
}
