/** Scripted faults of the GitHub double: which calls fail, and how. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as common from '../faults.ts'
import { type Reply, send } from '../wire.ts'
import type { CallName } from './handlers.ts'
import { problem } from './reply.ts'

export type GitHubFault = common.FaultyCalls<CallName> & (StatusFault | { do: GitHubFaultAction })

/** An error status instead of the real response. */
interface StatusFault {
  status: number
  /** The `message` in the response; GitHub's usual message for the status by default. */
  message?: string
  headers?: Record<string, string>
  /** Whether the request is carried out anyway, as if a gateway had stopped waiting; false by default. */
  process?: boolean
}

/** A fault other than a status. */
export type GitHubFaultAction =
  | common.CommonFault
  /** Carried out after this many milliseconds. */
  | { kind: 'slow'; ms: number }

/** Carries out a fault. */
export async function misbehave(
  response: ServerResponse,
  fault: GitHubFault,
  carryOut: () => Promise<Reply>,
): Promise<void> {
  if ('status' in fault) {
    if (fault.process) await carryOut()
    return send(response, { ...problem(fault.status, fault.message), headers: fault.headers ?? {} })
  }
  if (fault.do.kind !== 'slow') return common.misbehave(response, fault.do, carryOut)
  await sleep(fault.do.ms, undefined, { ref: false })
  return send(response, await carryOut())
}
