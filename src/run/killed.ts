/** The post step's part of a run. It sends nothing. */
import type { AgentPorts } from '../ports.ts'
import { commitPlace } from '../record/commit.ts'
import { next } from '../record/next.ts'
import { lookAt } from '../record/place.ts'
import { threadPlace } from '../record/thread.ts'
import type { Checkpoint } from './plan.ts'

/** Finishes what a killed run left: reports its result, or states how far it got. */
export async function finishKilled({ request, statement, end }: Checkpoint, ports: AgentPorts) {
  const place = 'thread' in request ? threadPlace(request, ports) : commitPlace(request, ports)
  const actor = { ...statement, since: ports.clock.date(), hasResult: end?.isReport === true }
  const { step } = await lookAt(place, (progress) => next.post(actor, progress), ports)
  if (step === null) return
  if (step.do === 'report' && end !== null) await place.write(statement, end)
  if (step.do === 'quit') {
    const { state } = step
    const display = end ?? place.pending(ports.words.killed(state))
    await place.write({ ...statement, state, isLeft: state === 'job' }, display)
  }
  await place.clear()
}
