/** The token's account. It stays the same while a step runs, so GitHub is asked only once. */
import type { GitHubReply } from '../../usecases/ports.ts'
import type { Ask } from './client.ts'

/** Knows the token's account. */
export interface Viewer {
  /** The login with its `[bot]`, as in REST. */
  read(): Promise<GitHubReply<string>>
  /** Remembers the account from another query's response. */
  know(login: string): void
}

/** Asks for the token's account when it is first needed. */
export function createViewer(ask: Ask): Viewer {
  let known: Promise<GitHubReply<string>> | undefined
  return {
    async read() {
      known ??= ask(async ({ graphql }) => {
        const query = 'query viewer { viewer { login } }'
        const { viewer } = await graphql<{ viewer: { login: string } }>(query)
        return viewer.login
      })
      const reply = await known
      if (!reply.ok) known = undefined
      return reply
    },
    know(login) {
      known = Promise.resolve({ ok: true, value: login })
    },
  }
}
