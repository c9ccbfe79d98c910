/** Starts a mock of a service: an HTTP server with scripted faults, which remembers its requests and its own bugs. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Rejection } from './contract.ts'
import { type Fault, type FaultyCall, faultScript, misbehave } from './faults.ts'
import {
  type RecordedRequest,
  type Reply,
  receive,
  record,
  send,
  serveHttp,
  type WireRequest,
} from './wire.ts'

export interface MockOptions<Name> {
  /** For messages about its bugs. */
  name: string
  /** The operation of a request. */
  operationOf(request: WireRequest): Name | undefined
  /** Carries out a request. Any error but a Rejection is a bug of the mock: the client gets a 500. */
  carryOut(request: WireRequest): Promise<Reply>
  faults: readonly Fault<Name>[]
  problem: FaultyCall['problem']
  processes: FaultyCall['processes']
  /** The clock for the `Date` header; the machine's by default. */
  now?: () => Date
}

/** Starts a mock of a service. */
export async function serveMock<Name>(mock: MockOptions<Name>) {
  const violations: string[] = []
  const requests: (RecordedRequest & { name: Name | undefined })[] = []
  const nextFault = faultScript<Name>(mock.faults)
  const honestReply = async (request: WireRequest): Promise<Reply> => {
    try {
      return await mock.carryOut(request)
    } catch (error) {
      if (error instanceof Rejection) return error.reply
      violations.push(String(error))
      return { status: 500, body: { error: `Bug in ${mock.name}: ${error}` } }
    }
  }
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await receive(incoming)
    const name = mock.operationOf(request)
    requests.push({ ...record(request), name })
    const carryOut = () => honestReply(request)
    const { now = () => new Date() } = mock
    response.setHeader('date', now().toUTCString())
    const fault = nextFault(name)
    if (fault === undefined) return send(response, await carryOut())
    await misbehave(response, fault, { ...mock, carryOut })
  }
  const http = await serveHttp((incoming, response) => {
    serve(incoming, response).catch((error) => {
      // If a client closes the connection before its request is complete, that is not a bug in the mock.
      if (incoming.complete) violations.push(String(error))
      response.destroy()
    })
  })
  return {
    ...http,
    /** Those that were received completely, with the name of the operation. */
    requests,
    /** Bugs in the mock, mainly responses that its description does not allow. The client gets a 500 instead. */
    violations,
    /** Ends all connections, even those that hang. Rejects if there are violations, so that no test misses one. */
    async close() {
      await http.close()
      if (violations.length > 0) throw new Error(`Bugs in ${mock.name}: ${violations.join('; ')}`)
    },
  }
}
