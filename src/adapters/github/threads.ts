/** Threads and roles at GitHub. */
import type { GitHub, GitHubReply } from '../../usecases/ports.ts'
import { asList, type Call, split } from './client.ts'

/** Pages of a hundred comments that are read to find the thread's job. Of a longer thread it is not known. */
const pageLimit = 30

export function createThreads(call: Call): GitHub {
  return {
    async role(repository, username) {
      const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
      const reply = await call<{ permission: string; role_name?: string; user?: { id?: number } | null }>(
        route,
        {
          ...split(repository),
          username,
        },
      )
      if (!reply.ok) return reply.refusal.status === 404 ? { ok: true, value: null } : reply
      const { permission, role_name, user } = reply.value
      return { ok: true, value: { permission, roleName: role_name ?? permission, userId: user?.id ?? null } }
    },

    async comments({ repository, number, reviewRoot }) {
      const list = reviewRoot === null ? 'issues' : 'pulls'
      const found: { id: number; body: string }[] = []
      for (let page = 1; page <= pageLimit; page++) {
        const parameters = { ...split(repository), number, per_page: 100, page }
        const reply = asList<{ id: number; body?: string | null; in_reply_to_id?: number }>(
          await call(`GET /repos/{owner}/{repo}/${list}/{number}/comments`, parameters),
        )
        if (!reply.ok) return reply
        const mine = reply.value.filter(
          ({ id, in_reply_to_id }) => reviewRoot === null || (in_reply_to_id ?? id) === reviewRoot,
        )
        found.push(...mine.map(({ id, body }) => ({ id, body: body ?? '' })))
        if (reply.value.length < 100) return { ok: true, value: found }
      }
      const message = `the thread has more than ${100 * pageLimit} comments`
      return { ok: false, refusal: { status: null, message } }
    },

    async reply({ repository, number, reviewRoot }, body) {
      const parameters = { ...split(repository), number, body }
      const reply =
        reviewRoot === null
          ? await call<{ id: number }>('POST /repos/{owner}/{repo}/issues/{number}/comments', parameters)
          : await call<{ id: number }>('POST /repos/{owner}/{repo}/pulls/{number}/comments/{root}/replies', {
              ...parameters,
              root: reviewRoot,
            })
      return reply.ok ? { ok: true, value: reply.value.id } : reply
    },

    async edit({ repository, reviewRoot }, id, body) {
      const kind = reviewRoot === null ? 'issues' : 'pulls'
      return done(
        await call(`PATCH /repos/{owner}/{repo}/${kind}/comments/{id}`, { ...split(repository), id, body }),
      )
    },

    async react({ repository, reviewRoot }, id, content) {
      const kind = reviewRoot === null ? 'issues' : 'pulls'
      const route = `POST /repos/{owner}/{repo}/${kind}/comments/{id}/reactions`
      return done(await call(route, { ...split(repository), id, content }))
    },
  }
}

function done(reply: GitHubReply<unknown>): GitHubReply<void> {
  return reply.ok ? { ok: true, value: undefined } : reply
}
