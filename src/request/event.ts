/** A push, pull request, release, schedule or manual run: what to do, and where to record it. */
import type { CodePull } from '../core/hold.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { fail, type Stop, skip } from '../core/outcome.ts'
import { releaseContext } from '../core/prompt/context.ts'
import { recordedGlobs } from '../core/pull-changes.ts'
import { leavingAlone } from '../core/since-last.ts'
import type { Branch, Change, DocumentedChange } from '../core/trigger/change.ts'
import type { EventTrigger } from '../core/trigger/trigger.ts'
import type { AgentPorts } from '../ports.ts'
import { commitPlace } from '../record/commit.ts'
import { type StatusEntry, statusContext } from '../record/format.ts'
import { type CommitRequest, nowhere } from '../record/place.ts'
import type { Plan } from '../run/plan.ts'
import { say } from '../say/messages.ts'
import { readChange, readVisible, wantedDiff } from './change.ts'
import { chooseGiven, findRoom } from './choose.ts'
import { findDocumented } from './documented.ts'
import { composePrompt } from './prompt.ts'
import { readSinceLast } from './since-last.ts'

/** Reads the change, and plans the request. Commits since the last job are only read once the request must be sent. */
export async function planEvent(
  inputs: AgentInputs,
  event: EventTrigger,
  ports: AgentPorts,
): Promise<Plan | Stop> {
  const { change, release } = event
  const { run } = ports
  const branch = inputs.contextDiff === 'since-last' ? event.branch : null
  if (branch?.isDefault === false) return skip({ kind: 'other-branch', branch: branch.name })
  const subject = await readSubject(change, branch, inputs, ports)
  if ('kind' in subject) return subject
  const { documented } = subject
  const code = codeOf(change, subject, inputs, ports)
  const request: CommitRequest = {
    commit: documented?.head ?? run.commit,
    run: String(change?.upstreamRun ?? run.id),
    context: statusContext(run.step, run.eventName),
    follows: code?.hold ?? followsOf(change, branch),
    number: documented?.number ?? null,
    globs: recordedGlobs(inputs.allowedPaths),
    runUrl: run.runUrl,
    failOn: [...inputs.failOn],
  }
  const isRerun = run.attempt > 1
  const requester = documented?.author ?? null
  const origin = { thread: null, change: documented, requester, code }
  const place = inputs.githubToken === null ? nowhere : commitPlace(request, ports, origin)
  if (branch !== null && place.isOff) return fail({ kind: 'start-unknown' })
  if (isRerun && place.isOff) ports.log(say.noRecord(isRerun))
  const readContext = async () => {
    if (branch !== null) return readSinceLast(branch.name, inputs, ports)
    if (release === null || wantedDiff(inputs) === null) return subject.context
    const notes = await readVisible(release.notes, ports)
    return 'kind' in notes ? notes : releaseContext(release, notes)
  }
  return {
    inputs,
    place,
    // Several runs can follow the same upstream run.
    isFirst: !isRerun && request.run === run.id,
    ask: async () => {
      const context = await readContext()
      if (context !== null && 'kind' in context) return context
      return composePrompt({ prompt: inputs.prompt, context }, inputs, ports)
    },
    choose: () => (inputs.jobId === null ? findRoom(inputs, ports) : chooseGiven(inputs.jobId, ports)),
  }
}

/** The code's pull request; null if the event is not about an open one. Only its own events have a hold. */
function codeOf(
  change: Change | null,
  { documented, pullHead }: { documented: DocumentedChange | null; pullHead: string | null },
  { hold }: AgentInputs,
  { log }: AgentPorts,
): CodePull | null {
  const isOpen = change?.noFiles === null && pullHead === change.head
  const number = isOpen ? (documented?.number ?? null) : null
  const canHold = number !== null && change?.upstreamRun === null
  if (hold !== null && !canHold) log(say.holdIgnored())
  if (change === null || number === null) return null
  const { repository, head } = change
  return { repository, number, head, hold: canHold ? hold : null }
}

/** The change, and what is documented already. */
async function readSubject(
  change: Change | null,
  branch: Branch | null,
  inputs: AgentInputs,
  ports: AgentPorts,
) {
  const { repository, commit: head } = ports.run
  const atHome = { repository, head, number: null, author: null }
  if (change === null) return { context: null, documented: branch && atHome, pullHead: null }
  const read = await readChange(change, inputs, ports)
  if ('kind' in read) return read
  const already = inputs.jobId === null ? await findDocumented(change, inputs, ports) : []
  if ('kind' in already) return already
  return { ...read, context: leavingAlone(already, [], read.context) }
}

function followsOf(change: Change | null, branch: Branch | null): StatusEntry['follows'] {
  if (change !== null) return 'commit'
  return branch === null ? 'nothing' : 'branch'
}
