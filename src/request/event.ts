/** A push, pull request, release, schedule or manual run: what to do, and where to record it. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import { fail, skip } from '../core/outcome.ts'
import { releaseContext } from '../core/prompt/context.ts'
import { globsName } from '../core/pull-changes.ts'
import type { Branch, Change } from '../core/trigger/change.ts'
import type { EventTrigger } from '../core/trigger/trigger.ts'
import type { AgentPorts } from '../ports.ts'
import { commitPlace } from '../record/commit.ts'
import { statusContext } from '../record/format.ts'
import { type CommitRequest, nowhere } from '../record/place.ts'
import { say } from '../say/messages.ts'
import { codeOfChange, diffRules, readChange, readVisible } from './change.ts'
import { chooseJobForEvent } from './choose.ts'
import { composePrompt } from './prompt.ts'
import { readSinceLast } from './since-last.ts'

/** Reads the change, and plans the request. Commits since the last job are only read once the request must be sent. */
export async function planEvent(inputs: AgentInputs, { release, ...event }: EventTrigger, ports: AgentPorts) {
  const branch = inputs.contextDiff === 'since-last' ? event.branch : null
  if (branch?.isDefault === false) return skip({ kind: 'other-branch', branch: branch.name })
  const subject = event.change && (await readChange(event.change, inputs, ports))
  if (subject !== null && 'kind' in subject) return subject
  const change = subject?.change ?? null
  const place = placeOf(change, branch, inputs, ports)
  const isRerun = ports.run.attempt > 1
  if (branch !== null && place.isOff) return fail({ kind: 'start-unknown' })
  if (isRerun && place.isOff) ports.log(say.noRecord(isRerun))
  // Several runs can follow the same upstream run.
  const isFirst = !isRerun && !change?.upstreamRun
  const readContext = async () => {
    if (branch !== null) return readSinceLast(inputs, ports)
    if (release === null || diffRules(inputs) === null) return subject?.context ?? null
    const notes = await readVisible(release.notes, ports)
    return 'kind' in notes ? notes : releaseContext(release, notes)
  }
  return {
    inputs,
    place,
    isFirst,
    ask: async () => {
      const context = await readContext()
      if (context !== null && 'kind' in context) return context
      return composePrompt(inputs.prompt, context, inputs, ports)
    },
    choose: () => chooseJobForEvent(inputs, ports),
  }
}

/** The place of the request's record: its commit, unless the step has no token. */
function placeOf(change: Change | null, branch: Branch | null, inputs: AgentInputs, ports: AgentPorts) {
  if (inputs.githubToken === null) return nowhere
  const { id, repository, repositoryId, commit: head, step, eventName, runUrl } = ports.run
  const code = codeOfChange(change, inputs, ports)
  const request: CommitRequest = {
    commit: change?.head ?? head,
    run: String(change?.upstreamRun ?? id),
    context: statusContext(step, eventName),
    follows: code?.hold ?? followsOf(change, branch),
    number: change?.number ?? null,
    globs: globsName(inputs.allowedPaths),
    runUrl,
    failOn: [...inputs.failOn],
  }
  const sinceLast = branch && { repository, repositoryId, head, number: null, author: null }
  return commitPlace(request, ports, {
    thread: null,
    change: change ?? sinceLast,
    requester: change?.author ?? null,
    isBot: change?.isByBot ?? false,
    code,
  })
}

function followsOf(change: Change | null, branch: Branch | null) {
  if (change !== null) return 'commit'
  return branch === null ? 'nothing' : 'branch'
}
