/** The embedded platform: an HTTP server on loopback that follows openapi.yaml, with scripted progress and faults. */
import { faultScript } from '../faults.ts'
import { type RecordedRequest, record, send, serveDouble } from '../wire.ts'
import { carryOut, loadContract, operationOf, type World } from './contract.ts'
import { type Fault, misbehave, type OperationName } from './faults.ts'
import { JobBook, type JobScript, type SandboxJob } from './jobs.ts'
import { type KeyRules, sandboxKey } from './keys.ts'
import { HourlyLimit } from './limits.ts'
import { type ReadersSource, silentReaders } from './readers.ts'
import { noVisitors, type VisitorsSource } from './visitors.ts'

export { sandboxKey }

/** The inputs of a step that uses an embedded platform. */
export const accountOn = ({ url }: Pick<Platform, 'url'>) => {
  return { 'project-id': 'sandbox-docs', 'api-key': sandboxKey, 'base-url': url }
}

export interface PlatformOptions extends JobScript {
  /** The accepted API keys; by default, `sandboxKey` with both scopes. */
  keys?: Readonly<Record<string, KeyRules>>
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

/** Starts an embedded platform on a free port of 127.0.0.1. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  await loadContract()
  const { faults = [], ...rest } = options
  const world = createWorld(rest)
  const requests: RecordedRequest[] = []
  const nextFault = faultScript<OperationName, Fault>(faults)
  const { url, violations, close } = await serveDouble(
    'the embedded platform',
    (request) => carryOut(request, world),
    async (request, response, carryOut) => {
      requests.push(record(request))
      const fault = nextFault(operationOf(request))
      if (fault === undefined) return send(response, await carryOut())
      return misbehave(response, fault.do, request.headers.authorization, carryOut)
    },
  )
  return { url, jobs: world.book.jobs, requests, violations, close }
}

function createWorld({
  keys = { [sandboxKey]: { scopes: ['read', 'write'] } },
  visitorsLimit = 100,
  now = () => new Date(),
  visitors = noVisitors,
  readers = silentReaders,
  ...script
}: PlatformOptions): World {
  const analyticsLimit = new HourlyLimit(visitorsLimit)
  return { keys, book: new JobBook(script, now), analyticsLimit, visitors, readers, now }
}
