/** The embedded platform: an HTTP server on loopback that follows openapi.yaml, with scripted progress and faults. */
import { STATUS_CODES } from 'node:http'
import { createContract, Rejection, type ValidRequest } from '../contract.ts'
import type { Fault as AnyFault } from '../faults.ts'
import { serveMock } from '../mock.ts'
import { bearerKey, type Reply, type WireRequest } from '../wire.ts'
import {
  type ListName,
  listPage,
  noVisitors,
  type ReadersSource,
  silentReaders,
  type VisitorsSource,
  viewsPage,
  visitorsPage,
} from './analytics.ts'
import { createJobs, type JobScript } from './jobs.ts'

/** The operation ids of openapi.yaml. */
export type OperationName = 'create' | 'read' | 'message' | 'visitors' | 'views' | ListName

/** A fault of an operation. */
export type Fault = AnyFault<OperationName>

/** The admin key that an embedded platform accepts by default. */
export const sandboxKey = 'mint_sandbox_0123456789abcdef'

/** The inputs of a step that uses an embedded platform. */
export const accountOn = ({ url }: { url: string }) => {
  return { 'project-id': 'sandbox-docs', 'api-key': sandboxKey, 'base-url': url }
}

export interface PlatformOptions extends JobScript {
  /** The accepted API keys; `sandboxKey` by default. */
  keys?: ReadonlySet<string>
  /** The clock for `createdAt` and `archivedAt`. */
  now?: () => Date
  faults?: readonly Fault[]
  /** No visitors by default. */
  visitors?: VisitorsSource
  /** No words by default. */
  readers?: ReadersSource
}

/** A running platform. */
export type Platform = Awaited<ReturnType<typeof startPlatform>>

interface World {
  keys: ReadonlySet<string>
  book: ReturnType<typeof createJobs>
  visitors: VisitorsSource
  readers: ReadersSource
}

const list =
  (name: ListName) =>
  ({ query }: ValidRequest, { readers }: World): Reply => ({
    status: 200,
    body: listPage(name, readers, query),
  })

const contract = createContract<World>({
  definition: `${import.meta.dirname}/openapi.yaml`,
  handlers: {
    create: ({ body }, { book }) => ({ status: 201, body: book.create(body.prompt) }),
    read: ({ path }, { book }) => jobOr404(book.read(String(path.id))),
    message: ({ path, body }, { book }) => jobOr404(book.message(String(path.id), body.prompt)),
    visitors: ({ query }, { visitors }) => ({ status: 200, body: visitorsPage(visitors, query) }),
    views: ({ query }, { visitors }) => ({ status: 200, body: viewsPage(visitors, query) }),
    'feedback-by-page': list('feedback-by-page'),
    feedback: list('feedback'),
    searches: list('searches'),
    assistant: list('assistant'),
  },
  before: authorize,
  securityScheme: 'apiKey',
  problem,
  invalid(mismatches, operation) {
    const messages = mismatches.map(({ instancePath, message }) => `${instancePath} ${message}`)
    if (['create', 'read', 'message'].includes(operation))
      return problem(400, `Invalid request: ${messages.join(', ')}`)
    return {
      status: 400,
      body: { error: 'Invalid request', details: messages.map((message) => ({ message })) },
    }
  },
})

/** Starts an embedded platform on a free port of 127.0.0.1. */
export async function startPlatform(options: PlatformOptions = {}) {
  await contract.load()
  const { faults = [], ...rest } = options
  const world = createWorld(rest)
  const mock = await serveMock<OperationName>({
    name: 'the embedded platform',
    operationOf: (request) => contract.operationOf(request) as OperationName | undefined,
    carryOut(request) {
      // The validator accepts any body that looks like JSON, but openapi.yaml requires this content type.
      const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
      return contract.carryOut(isJson ? request : { ...request, body: undefined }, world)
    },
    faults,
    problem,
    processes: (status) => status < 300 || status >= 500,
  })
  return { ...mock, jobs: world.book.jobs }
}

function createWorld({
  keys = new Set([sandboxKey]),
  now = () => new Date(),
  visitors = noVisitors,
  readers = silentReaders,
  ...script
}: PlatformOptions): World {
  return { keys, book: createJobs(script, now), visitors, readers }
}

/** Rejects a request without a known key (openapi.yaml), or for another project. */
function authorize(request: WireRequest, _: string, { keys }: World): void {
  if (!keys.has(bearerKey(request))) throw new Rejection(problem(401, 'Invalid or expired API key'))
  // The response for a project that belongs to another key is not documented; 403 is most likely.
  if (request.path.split('/')[3] !== 'sandbox-docs')
    throw new Rejection(problem(403, 'No access to this project'))
}

function jobOr404(job: object | undefined): Reply {
  return job === undefined ? problem(404, 'Job not found') : { status: 200, body: job }
}

/** An error in the platform's format, `{"error": string}` (openapi.yaml). */
function problem(status: number, error = STATUS_CODES[status] ?? 'Unknown'): Reply {
  return { status, body: { error } }
}
