/** Scripted faults of the mocks: which calls fail, and how. */
import type { ServerResponse } from 'node:http'
import { begin, type Reply, send } from './wire.ts'

/** Which calls have a fault, and what happens to them. */
export type Fault<Name = string> = FaultyCalls<Name> & FaultAction

interface FaultyCalls<Name> {
  /** The operation that fails; any call by default. */
  on?: Name
  /** How many calls fail, starting with the first that is not skipped; all by default. */
  times?: number
  /** How many calls (of the operation, if one is named) are skipped first; 0 by default. */
  after?: number
}

/** Another status than the usual one. */
interface StatusFault {
  kind?: undefined
  status: number
  headers?: Record<string, string>
  /** By default, an error in the mock's format, with this message. */
  body?: unknown
  message?: string
  /** Whether the request is carried out anyway, as if a gateway had stopped waiting; the mock has a default. */
  process?: boolean
}

/** What happens to a call. Each kind says whether the request is still carried out. */
export type FaultAction =
  | StatusFault
  /** The connection is reset (RST) after the request was read; `when` says whether it was carried out. */
  | { kind: 'reset'; when: 'before' | 'after' }
  /** No response to the request; or, once it was carried out, none of its headers or only half of its body. */
  | { kind: 'hang'; at: 'request' | 'headers' | 'body' }
  /** Carried out, but the connection closes in the middle of the response's body. */
  | { kind: 'cut' }
  /** Carried out, but the response has this body. Its status is the usual one by default. */
  | { kind: 'raw'; body: string | Buffer; headers?: Record<string, string>; status?: number }
  /** Carried out after something else has happened, such as a signal, or after some time. */
  | { kind: 'meanwhile'; run: () => unknown }

/** Counts the calls of each operation, and picks the first fault that applies to each call. */
export function faultScript<Name>(faults: readonly Fault<Name>[]) {
  const counts = new Map<Name | undefined, number>()
  let all = 0
  return (name: Name | undefined): FaultAction | undefined => {
    const [ofAll, ofName] = [all++, counts.get(name) ?? 0]
    counts.set(name, ofName + 1)
    return faults.find(({ on, times = Number.POSITIVE_INFINITY, after = 0 }) => {
      const call = on === undefined ? ofAll : ofName
      return (on === undefined || on === name) && call >= after && call < after + times
    })
  }
}

/** A call to a mock: what carries it out, and the mock's format of errors. */
export interface FaultyCall {
  carryOut: () => Promise<Reply>
  /** An error; if no message is given, with the usual one for the status. */
  problem: (status: number, message?: string) => Reply
  /** Whether a request is carried out if its response has another status. */
  processes: (status: number) => boolean
}

/** Carries out a fault. The promise settles when nothing more will be sent. */
export async function misbehave(
  response: ServerResponse,
  fault: FaultAction,
  { carryOut, problem, processes }: FaultyCall,
): Promise<void> {
  switch (fault.kind) {
    case undefined: {
      const { status, headers = {}, body, message, process } = fault
      if (process ?? processes(status)) await carryOut()
      return send(response, { ...problem(status, message), ...(body !== undefined && { body }), headers })
    }
    case 'reset':
      if (fault.when === 'after') await carryOut()
      response.socket?.resetAndDestroy()
      return
    case 'hang': {
      if (fault.at === 'request') return
      const reply = await carryOut()
      if (fault.at === 'body') response.write(firstHalf(begin(response, reply)))
      return
    }
    case 'cut':
      response.write(firstHalf(begin(response, await carryOut())), () => response.destroy())
      return
    case 'raw': {
      const { status } = await carryOut()
      response.writeHead(fault.status ?? status, { 'content-type': 'application/json', ...fault.headers })
      response.end(fault.body)
      return
    }
    case 'meanwhile':
      await fault.run()
      return send(response, await carryOut())
  }
}

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2)
}
