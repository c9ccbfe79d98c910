/** The embedded platform: an HTTP server on loopback that follows openapi.yaml, with scripted progress and faults. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parsed, receive, serveHttp, type WireRequest } from '../wire.ts'
import { carryOut, loadContract, operationOf, type World } from './contract.ts'
import { type Fault, type FaultAction, faultAt, type OperationName } from './faults.ts'
import { JobBook, type JobEnd, type SandboxJob } from './jobs.ts'
import { type KeyRules, sandboxKey } from './keys.ts'
import { HourlyLimit } from './limits.ts'
import { type ReadersSource, silentReaders } from './readers.ts'
import { problem, type Reply } from './reply.ts'
import { noVisitors, type VisitorsSource } from './visitors.ts'
import { misbehave, send } from './wire.ts'

export { sandboxKey }

export interface PlatformOptions {
  /** The accepted API keys; by default, `sandboxKey` with both scopes. */
  keys?: Readonly<Record<string, KeyRules>>
  /** How jobs end; `pull-request` by default. */
  ends?: JobEnd
  /** Number of reads that show a job as `active` before it ends; 2 by default. */
  readsUntilEnd?: number
  /** Whether the first read of a completed job lacks its `prLink`. */
  linkLate?: boolean
  /** Number of reads after a follow-up that still show the previous result; 0 by default. */
  staleReads?: number
  /** Whether jobs are shown with as few fields as openapi.yaml allows. */
  isSparse?: boolean
  /** The clock for `createdAt`, `archivedAt` and the hourly limit. */
  now?: () => Date
  /** Maximum number of requests per hour for visitors and the lists of readers' words together; 100 by default (openapi.yaml). */
  visitorsLimit?: number
  faults?: readonly Fault[]
  /** No visitors by default. */
  visitors?: VisitorsSource
  /** No words by default. */
  readers?: ReadersSource
}

/** A request that was received completely, whatever the response. */
export interface RecordedRequest {
  method: string
  /** Without the query. */
  path: string
  query: Record<string, string>
  /** Only `authorization`, `content-type`, `accept` and `user-agent`. */
  headers: Record<string, string>
  /** Parsed JSON, or text if it is not valid JSON; undefined if it is empty. */
  body: unknown
}

export interface Platform {
  /** `http://127.0.0.1:PORT` */
  url: string
  /** By id, in order of creation. */
  jobs: ReadonlyMap<string, SandboxJob>
  requests: readonly RecordedRequest[]
  /** Bugs in the embedded platform, mainly responses that openapi.yaml does not allow. The client gets a 500 instead. */
  violations: readonly string[]
  /** Ends all connections, even those that hang. Rejects if there are violations, so that no test misses one. */
  close(): Promise<void>
}

const recordedHeaders = ['authorization', 'content-type', 'accept', 'user-agent']

/** Starts an embedded platform on a free port of 127.0.0.1. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  await loadContract()
  const world = createWorld(options)
  const requests: RecordedRequest[] = []
  const violations: string[] = []
  const nextFault = faultScript(options.faults ?? [])

  const honestReply = async (request: WireRequest): Promise<Reply> => {
    try {
      return await carryOut(request, world)
    } catch (error) {
      violations.push(String(error))
      return problem(500, `Mistake of the embedded platform: ${error}`)
    }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await receive(incoming)
    requests.push(record(request))
    const fault = nextFault(operationOf(request))
    if (fault === undefined) return send(response, await honestReply(request))
    await misbehave(response, fault, request.headers.authorization, () => honestReply(request))
  }

  const { url, close } = await serveHttp((incoming, response) => {
    serve(incoming, response).catch((error) => {
      // If a client closes the connection before its request is complete, that is not a bug in the platform.
      if (incoming.complete) violations.push(String(error))
      response.destroy()
    })
  })

  return {
    url,
    jobs: world.book.jobs,
    requests,
    violations,
    close: async () => {
      await close()
      if (violations.length > 0) throw new Error(`The embedded platform went wrong: ${violations.join('; ')}`)
    },
  }
}

function createWorld(options: PlatformOptions): World {
  const { keys = { [sandboxKey]: { scopes: ['read', 'write'] } }, visitorsLimit = 100 } = options
  const { ends = 'pull-request', readsUntilEnd = 2, linkLate = false } = options
  const { staleReads = 0, isSparse = false } = options
  const { now = () => new Date(), visitors = noVisitors, readers = silentReaders } = options
  return {
    keys,
    book: new JobBook({ ends, readsUntilEnd, linkLate, staleReads, isSparse }, now),
    analyticsLimit: new HourlyLimit(visitorsLimit),
    visitors,
    readers,
    now,
  }
}

/** Counts the calls of each operation, and returns the fault for each call. */
function faultScript(faults: readonly Fault[]) {
  const calls = new Map<OperationName, number>()
  return (operation: OperationName | undefined): FaultAction | undefined => {
    if (operation === undefined) return undefined
    const call = calls.get(operation) ?? 0
    calls.set(operation, call + 1)
    return faultAt(faults, operation, call)
  }
}

function record({ method, path, query, headers, body }: WireRequest): RecordedRequest {
  const kept = Object.entries(headers).filter(([name]) => recordedHeaders.includes(name))
  return { method, path, query, headers: Object.fromEntries(kept), body: parsed(body) }
}
