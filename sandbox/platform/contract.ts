/** The operations in openapi.yaml. Each request is routed and validated by that description, and each response is validated. */
import { type Context, OpenAPIBackend } from 'openapi-backend'
import { ContractViolation, loader, quickly } from '../openapi.ts'
import type { Reply, WireRequest } from '../wire.ts'
import type { OperationName } from './faults.ts'
import type { JobBook } from './jobs.ts'
import { type KeyRules, rejectKey } from './keys.ts'
import type { HourlyLimit } from './limits.ts'
import { type ListName, listPage, type ReadersSource } from './readers.ts'
import { problem } from './reply.ts'
import { pageOf, type VisitorsSource } from './visitors.ts'

/** The state that the operations work on. */
export interface World {
  keys: Readonly<Record<string, KeyRules>>
  book: JobBook
  /** All analytics operations share one limit. The double does not limit jobs and follow-ups. */
  analyticsLimit: HourlyLimit
  visitors: VisitorsSource
  readers: ReadersSource
  now: () => Date
}

/** The formats in openapi.yaml that the validator does not know. Dates follow RFC 3339. */
const formats = {
  uri: (text: string) => URL.canParse(text),
  date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(text),
  'date-time': (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && isDate(text),
}

const api = new OpenAPIBackend({
  definition: `${import.meta.dirname}/openapi.yaml`,
  strict: true,
  // Compiles the checks of an operation when it is first called.
  quick: true,
  ajvOpts: { formats, ...quickly },
  handlers: {
    create: (context: Context, world: World) => {
      return { status: 201, body: world.book.create(promptOf(context)) }
    },
    read: (context: Context, world: World) => {
      return jobOr404(world.book.read(jobIdOf(context)))
    },
    message: (context: Context, world: World) => {
      return jobOr404(world.book.message(jobIdOf(context), promptOf(context)))
    },
    visitors: (context: Context, world: World) => {
      const body = () => pageOf(world.visitors, context.request.query)
      return limited(world, () => ({ status: 200, body: body() }))
    },
    'feedback-by-page': list('feedback-by-page'),
    feedback: list('feedback'),
    searches: list('searches'),
    assistant: list('assistant'),
    notFound: () => problem(404, 'Not found'),
    methodNotAllowed: () => problem(405, 'Method not allowed'),
    unauthorizedHandler: (context: Context) => context.security.apiKey.error,
    validationFail,
    postResponseHandler: (context: Context) => checked(context),
  },
  securityHandlers: {
    // openapi-backend treats a result with an `error` as a rejection.
    apiKey: (context: Context, world: World) => ({ error: rejection(context, world) }),
  },
})

/** The operation of a request; undefined if openapi.yaml has none. */
export function operationOf(request: WireRequest): OperationName | undefined {
  return api.router.matchOperation(request)?.operationId as OperationName | undefined
}

/** Carries out a request. Throws a ContractViolation if openapi.yaml does not allow the response. */
export function carryOut(request: WireRequest, world: World): Promise<Reply> {
  // The validator accepts any body that looks like JSON, but openapi.yaml requires this content type.
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
  const { body, ...bare } = request
  return api.handleRequest(isJson ? { ...bare, body } : bare, world)
}

/** Reads openapi.yaml once. Await it before you call the other functions. */
export const loadContract = loader(api)

function rejection(context: Context, world: World): Reply | undefined {
  const { method, headers, params } = context.request
  const scope = method === 'get' ? 'read' : 'write'
  const rejected = rejectKey(headers.authorization as string | undefined, scope, world.keys)
  if (rejected) return rejected
  // The response for a project that belongs to another key is not documented; 403 is most likely.
  return params.projectId === 'sandbox-docs' ? undefined : problem(403, 'No access to this project')
}

function limited({ analyticsLimit, now }: World, act: () => Reply): Reply {
  return analyticsLimit.take(now()) ? act() : problem(429, 'Rate limit exceeded')
}

function list(name: ListName) {
  return (context: Context, world: World) =>
    limited(world, () => listPage(name, world.readers, context.request.query))
}

function jobOr404(job: object | undefined): Reply {
  return job === undefined ? problem(404, 'Job not found') : { status: 200, body: job }
}

function validationFail(context: Context): Reply {
  const messages =
    context.validation.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? []
  if (['create', 'read', 'message'].includes(`${context.operation.operationId}`)) {
    return problem(400, `Invalid request: ${messages.join(', ')}`)
  }
  return {
    status: 400,
    body: { error: 'Invalid request', details: messages.map((message) => ({ message })) },
  }
}

function checked(context: Context): Reply {
  const reply: Reply = context.response
  const { operation } = context
  if (operation === undefined) return reply
  const where = `${operation.operationId} ${reply.status}`
  // The validator accepts any response whose status is not described.
  if (operation.responses?.[reply.status] === undefined)
    throw new ContractViolation(`${where}: not described`)
  const { errors } = api.validateResponse(reply.body, operation, reply.status)
  if (!errors) return reply
  throw new ContractViolation(
    errors.map((error) => `${where}: ${error.instancePath} ${error.message}`).join('; '),
  )
}

function promptOf(context: Context): string {
  return context.request.requestBody.prompt
}

function jobIdOf(context: Context): string {
  return String(context.request.params.id)
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}
