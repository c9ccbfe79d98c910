import { type ServerResponse, STATUS_CODES } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as common from '../faults.ts'
import { begin, type Reply, send } from '../wire.ts'
import { bearerKey } from './keys.ts'
import type { ListName } from './readers.ts'
import { problem } from './reply.ts'

/** The operation ids of openapi.yaml. */
export type OperationName = 'create' | 'read' | 'message' | 'visitors' | ListName

/** A scripted fault: which calls of an operation fail, and how. */
export interface Fault extends common.FaultyCalls<OperationName> {
  on: OperationName
  do: FaultAction
}

/**
 * What happens. Each kind says whether the request is still carried out: the job is created, the follow-up accepted, or
 * the read counted.
 */
export type FaultAction =
  | common.CommonFault
  /** Another status. The request is only carried out for 2xx and 5xx. The body is JSON, `{"error"}` by default. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  /** Carried out; the response comes slowly. */
  | { kind: 'slow-body'; bytesPerSecond: number }
  /** Not carried out; a 400 whose message contains the request's key: plain, URL-encoded, JSON-escaped, and in base64. */
  | { kind: 'echo-key' }
  /** The call succeeds, but first waits while something else happens, such as a signal. */
  | { kind: 'meanwhile'; run: () => unknown }

/** Carries out a fault. The promise settles when nothing more will be sent. */
export async function misbehave(
  response: ServerResponse,
  action: FaultAction,
  authorization: string | undefined,
  carryOut: () => Promise<Reply>,
): Promise<void> {
  switch (action.kind) {
    case 'status': {
      const { status, headers = {}, body = { error: STATUS_CODES[status] ?? 'Unknown' } } = action
      if (status < 300 || status >= 500) await carryOut()
      return send(response, { status, headers, body })
    }
    case 'slow-body':
      return trickle(response, begin(response, await carryOut()), action.bytesPerSecond)
    case 'echo-key':
      return send(response, problem(400, `Rejected: ${everyFormOf(bearerKey(authorization))}`))
    case 'meanwhile':
      await action.run()
      return send(response, await carryOut())
    default:
      return common.misbehave(response, action, carryOut)
  }
}

/** Shortest pause between two parts of a slow body, in milliseconds. */
const shortestPause = 20

async function trickle(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): Promise<void> {
  const pause = Math.max(shortestPause, 1000 / bytesPerSecond)
  const piece = Math.max(1, Math.round((bytesPerSecond * pause) / 1000))
  for (let start = 0; start < bytes.length && !response.destroyed; start += piece) {
    response.write(bytes.subarray(start, start + piece))
    await sleep(pause, undefined, { ref: false })
  }
  response.end()
}

function everyFormOf(key: string): string {
  return [key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString('base64')].join(' ')
}
