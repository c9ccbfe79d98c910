/**
 * Checks the double against GitHub's description in openapi.json: routes and validates each request, and validates each
 * response.
 */
import { type Context, OpenAPIBackend } from 'openapi-backend'
import { ContractViolation, loader, quickly } from '../openapi.ts'
import type { Reply, WireRequest } from '../wire.ts'
import { rejectRead } from './access.ts'
import { handlers, type OperationName } from './handlers.ts'
import { invalid, problem } from './reply.ts'
import { isSameName } from './repository.ts'
import { repositoryHandlers } from './repository-handlers.ts'
import type { Handler, World } from './world.ts'

/** The formats in openapi.json that the validator does not know. GitHub's times are in UTC, to the second. */
const formats = {
  uri: (text: string) => URL.canParse(text),
  'date-time': (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text)),
}

const api = new OpenAPIBackend({
  definition: `${import.meta.dirname}/openapi.json`,
  strict: true,
  // Compiles the checks of an operation when it is first called. Compiling all of them takes more than a second.
  quick: true,
  ajvOpts: { formats, ...quickly },
  handlers: {
    ...Object.fromEntries(
      Object.entries(handlers).map(([name, handler]) => [name, adapted(name as OperationName, handler)]),
    ),
    notFound: () => problem(404),
    methodNotAllowed: () => problem(404),
    validationFail,
    postResponseHandler: (context: Context) => checked(context),
  },
})

/** The operation of a request; undefined if openapi.json has none. */
export function operationOf(request: WireRequest): OperationName | undefined {
  return api.router.matchOperation(routable(request))?.operationId as OperationName | undefined
}

/** Carries out a request. Throws a ContractViolation if the response would not conform to openapi.json. */
export function carryOut(request: WireRequest, world: World): Promise<Reply> {
  const { body, ...bare } = routable(request)
  return api.handleRequest(body === undefined ? bare : { ...bare, body }, world)
}

/** Reads openapi.json once. Await it before using the rest. */
export const loadContract = loader(api)

/**
 * If the last parameter is a path or a ref, it can contain plain slashes (openapi.json, "x-multi-segment"). The router
 * only accepts escaped slashes.
 */
function routable(request: WireRequest): WireRequest {
  const [, start = '', rest = '', end = ''] = multiSegment.exec(request.path) ?? []
  if (start === '') return request
  // The root folder has an empty path.
  return { ...request, path: `${start}${rest === '' ? '%2F' : rest.replaceAll('/', '%2F')}${end}` }
}

const multiSegment =
  /^(\/repos\/[^/]+\/[^/]+\/(?:compare|commits|contents)\/)(.*?)((?<=\/commits\/.+)\/(?:pulls|statuses))?$/

/** One of GitHub's media types other than JSON. */
const otherFormat = /application\/vnd\.github(?:\.v3)?\.(\w+)\b(?!\+json)/

function adapted(operation: OperationName, handler: Handler) {
  return (context: Context, world: World): Reply => {
    const { params, query, requestBody, headers } = context.request
    const path = params as Record<string, string>
    const name = path.owner ? `${path.owner}/${path.repo}` : String(requestBody?.context)
    const repository = world.repositories.find((one) => isSameName(one.name, name))
    if (repository === undefined) return problem(404)
    const rejected = rejectRead(operation, world.lacks)
    if (rejected) return rejected
    if (!(operation in repositoryHandlers) && !isSameName(name, world.place.repository))
      throw new Error(`The GitHub double has threads in ${world.place.repository} alone, not in ${name}`)
    // The request is valid, but the double does not support it: fail loudly instead of sending a wrong response.
    const [, format] = otherFormat.exec(String(headers.accept ?? '')) ?? []
    if (format !== undefined)
      throw new Error(`The GitHub double doesn't know how to answer this as ${format}`)
    return handler({ path, query, body: requestBody ?? {}, repository }, world)
  }
}

/** Like GitHub: 400 for a body that is not JSON, 422 for a request that the description does not allow. */
function validationFail(context: Context): Reply {
  const errors = context.validation.errors ?? []
  if (errors.some(({ keyword }) => keyword === 'parse')) return problem(400, 'Problems parsing JSON')
  const resource = context.operation.tags?.[0] ?? ''
  return invalid(
    errors.map(({ instancePath, params, message = '' }) => {
      const field = String(params.missingProperty ?? instancePath.split('/').at(-1))
      return { resource, field, code: params.missingProperty ? 'missing_field' : 'invalid', message }
    }),
  )
}

function checked(context: Context): Reply {
  const reply: Reply = context.response
  const { operation } = context
  if (operation === undefined) return reply
  const where = `${operation.operationId} ${reply.status}`
  const isDescribed = operation.responses?.[reply.status] !== undefined
  if (!isDescribed && reply.status < 400) throw new ContractViolation(`${where}: not described`)
  const { errors } = isDescribed
    ? api.validateResponse(reply.body ?? null, operation, reply.status)
    : // Any operation can be rejected. Most do not describe that, and the others use "basic-error".
      api.validateResponse(reply.body ?? null, 'issues/create-comment', 403)
  const unknown = errors?.filter((error) => !isKnownInaccuracy(error)) ?? []
  if (unknown.length === 0) return reply
  throw new ContractViolation(
    unknown.map((error) => `${where}: ${error.instancePath} ${error.message}`).join('; '),
  )
}

/**
 * Contrary to the description, the head's repository is null if the fork was deleted (github/rest-api-description#1811).
 */
function isKnownInaccuracy({ instancePath, message }: { instancePath: string; message?: string }): boolean {
  return /\/head\/repo$/.test(instancePath) && message === 'must be object'
}
