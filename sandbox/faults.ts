/** Faults that both doubles can have, and which calls have them. */
import type { ServerResponse } from 'node:http'
import { begin, type Reply } from './wire.ts'

/** Which calls have a fault. */
export interface FaultyCalls<Name> {
  /** The operation that fails; any call by default. */
  on?: Name
  /** How many calls fail, starting with the first that is not skipped; all by default. */
  times?: number
  /** How many calls (of the operation, if one is named) are skipped first; 0 by default. */
  after?: number
}

/** What happens to a call. Each kind says whether the request is still carried out. */
export type CommonFault =
  /** The connection is reset (RST) after the request was read; `when` says whether it was carried out. */
  | { kind: 'reset'; when: 'before' | 'after' }
  /** No response to the request; or, once it was carried out, none of its headers or only half of its body. */
  | { kind: 'hang'; at: 'request' | 'headers' | 'body' }
  /** Carried out, but the connection closes in the middle of the response's body. */
  | { kind: 'cut' }
  /** Carried out, but the response has this body. Its status is the usual one by default. */
  | { kind: 'raw'; body: string | Buffer; headers?: Record<string, string>; status?: number }
  /** Carried out; the response is followed by this many bytes of white space. */
  | { kind: 'huge'; bytes: number }

/** Counts the calls of each operation, and picks the first fault that applies to each call. */
export function faultScript<Name, Fault extends FaultyCalls<Name>>(faults: readonly Fault[]) {
  const counts = new Map<Name, number>()
  let all = 0
  return (name: Name | undefined): Fault | undefined => {
    const [ofAll, ofName] = [all++, name === undefined ? 0 : (counts.get(name) ?? 0)]
    if (name !== undefined) counts.set(name, ofName + 1)
    return faults.find(({ on, times = Number.POSITIVE_INFINITY, after = 0 }) => {
      const call = on === undefined ? ofAll : ofName
      return (on === undefined || on === name) && call >= after && call < after + times
    })
  }
}

/** Carries out a fault. `carryOut` carries out the request, and returns the correct response. */
export async function misbehave(
  response: ServerResponse,
  fault: CommonFault,
  carryOut: () => Promise<Reply>,
): Promise<void> {
  switch (fault.kind) {
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
    case 'huge': {
      const { status, body } = await carryOut()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.write(JSON.stringify(body ?? {}))
      response.end(Buffer.alloc(fault.bytes, ' '))
    }
  }
}

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2)
}
