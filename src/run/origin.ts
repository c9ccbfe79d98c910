/** What a request is about: whose change its docs document, and who asked for them. */
import { fingerprint } from '../core/mark.ts'
import type { Origin } from '../core/trigger/change.ts'
import type { AgentPorts } from '../ports.ts'
import type { Names } from '../record/format.ts'
import type { CommitRequest, Place } from '../record/place.ts'

/** What a place's request is about, and its names in comments; null if it has none, so nothing is written about it. */
export async function originOf(
  { request, origin }: Pick<Place, 'request' | 'origin'>,
  ports: AgentPorts,
): Promise<(Origin & Names) | null> {
  if (request === null) return null
  if ('thread' in request) return { ...request, change: null, requester: request.by }
  const { project } = ports.run.step
  const step = fingerprint(`${project}\n${request.context}`)
  const names = { request: `run:${request.run}`, step, project: fingerprint(project) }
  if (origin !== null) return { ...origin, ...names }
  return { ...(await readOrigin(request, ports)), ...names }
}

/** What a request on a commit is about. A commit that merged its pull request has no code to wait for or to compare with. */
async function readOrigin(request: CommitRequest, { github, run }: AgentPorts): Promise<Origin> {
  const { commit: head, follows } = request
  const { repository } = run
  const reply = request.number === null ? null : await github.pull(repository, request.number)
  const pull = reply?.ok ? reply.value : null
  const author = pull?.author ?? null
  const hold = follows === 'merge' || follows === 'release' ? follows : null
  // Only a request of an open pull request has a hold, so its code is known even if the pull request cannot be read.
  const number = pull === null && hold === null ? null : request.number
  const isMerge = pull?.mergeCommit === head && pull.headCommit !== head
  const change = follows === 'nothing' ? null : { repository, head, number, author }
  const code = number === null || isMerge ? null : { repository, number, head, hold }
  return { thread: null, change, requester: author, code }
}
