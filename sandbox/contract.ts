/** Routes and validates the requests to a mock by its OpenAPI description, and validates its responses. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { type Context, OpenAPIBackend, type Operation, type Request } from 'openapi-backend'
import { parse } from 'yaml'
import type { Reply, WireRequest } from './wire.ts'

/** A mock was about to send a response that its description does not allow. This is a bug in the mock. */
class ContractViolation extends Error {
  override name = 'ContractViolation'
}

/** Ends a request with a response, from anywhere below its handler. */
export class Rejection extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super(`${reply.status}`)
    this.reply = reply
  }
}

/** The formats that the validator does not know. */
const formats = {
  uri: (text: string) => URL.canParse(text),
  date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(text),
  'date-time': (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && isDate(text),
}

/** A valid request. */
export interface ValidRequest {
  /** The path as requested. */
  route: string
  path: Record<string, string>
  query: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: the description defines each body.
  body: any
  headers: Record<string, string>
}

/** A way in which a request or a response does not match the description. */
export interface Mismatch {
  instancePath: string
  message?: string
  params: { missingProperty?: string }
}

export interface ContractOptions<World> {
  /** The path of the description. */
  definition: string
  /** By operation. `before` runs first, even before the request is validated. */
  handlers: Readonly<Record<string, (request: ValidRequest, world: World) => Reply>>
  before(request: WireRequest, operation: string, world: World): void
  /** The security scheme in the description, if any. `before` checks it. */
  securityScheme?: string
  /** The body of an error. */
  problem(status: number): Reply
  /** The response to an invalid request. */
  invalid(mismatches: readonly Mismatch[], operation: string): Reply
  /** Whether responses can lack required fields, because the mock only has what clients read, and any can be an error. */
  isPartial?: boolean
}

/** Makes a contract. Await `load` before you use the rest. */
export function createContract<World>(options: ContractOptions<World>) {
  const { definition, handlers, before, problem, isPartial = false } = options
  const text = readFileSync(definition, 'utf8')
  const document = definition.endsWith('.json') ? JSON.parse(text) : parse(text)
  const ajvOpts = { strict: false, formats, code: { optimize: false }, validateSchema: false, meta: false }
  const api = new OpenAPIBackend({
    // A copy, in which the backend replaces each reference by what it refers to.
    definition: structuredClone(document),
    strict: true,
    // Compiles the checks of a request when its operation is first called. Compiling all of them takes more than a second.
    quick: true,
    ajvOpts,
    securityHandlers: options.securityScheme === undefined ? {} : { [options.securityScheme]: () => true },
    handlers: {
      ...Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, adapted(handler)])),
      notFound: () => problem(404),
      methodNotAllowed: () => problem(404),
      validationFail: (context: Context) =>
        options.invalid((context.validation.errors ?? []) as Mismatch[], operationIn(context)),
      postResponseHandler: (context: Context) =>
        context.operation === undefined ? context.response : checked(context.response, operationIn(context)),
    },
  })
  // Unlike the backend, compiles only what was sent, and each part of the description once. That takes a tenth of the time.
  const responses = new Ajv({ ...ajvOpts, logger: false })
  if (isPartial) responses.removeKeyword('required')
  responses.addSchema(document, 'api')
  let loading: Promise<unknown> | undefined

  /** The operation of a request; undefined if the description has none. */
  const operationOf = (request: WireRequest) => api.router.matchOperation(request)?.operationId

  /** The check of a response's body; undefined if the description has none. */
  function checkOf(path: string, method: string, status: number) {
    const { $ref } = document.paths[path][method].responses[status]
    const place = $ref ?? `#/paths/${escaped(path)}/${method}/responses/${status}`
    return responses.getSchema(`api${place}/content/${escaped('application/json')}/schema`)
  }

  function checked(reply: Reply, operation: string): Reply {
    const where = `${operation} ${reply.status}`
    const { path = '', method = '', responses: described = {} } = api.router.getOperation(operation) ?? {}
    const isDescribed = `${reply.status}` in described
    if (!isDescribed && isPartial && reply.status >= 400) return reply
    if (!isDescribed) throw new ContractViolation(`${where}: not described`)
    const check = checkOf(path, method, reply.status)
    if (check === undefined || check(reply.body ?? null) === true) return reply
    const errors = check.errors ?? []
    throw new ContractViolation(
      errors.map(({ instancePath, message }) => `${where}: ${instancePath} ${message}`).join('; '),
    )
  }

  return {
    load: () => {
      loading ??= api.init().then(() => {
        // The router would compute them, and match a path with each of them, several times for each request.
        const { router } = api
        const operations = router.getOperations()
        router.getOperations = () => operations
        const match = router.matchOperation.bind(router)
        const matches = new Map<string, Operation | undefined>()
        const matchOnce = (request: Request, isStrict = false) => {
          const name = `${request.method} ${request.path}`
          const operation = matches.get(name) ?? match(request, isStrict)
          matches.set(name, operation)
          return operation
        }
        Object.assign(router, { matchOperation: matchOnce })
      })
      return loading
    },
    operationOf,
    /** Carries out a request. Throws a ContractViolation if the description does not allow the response. */
    async carryOut(request: WireRequest, world: World): Promise<Reply> {
      const operation = operationOf(request)
      const { body, ...bare } = request
      try {
        if (operation !== undefined) before(request, operation, world)
        return await api.handleRequest(body === undefined ? bare : { ...bare, body }, world)
      } catch (error) {
        if (!(error instanceof Rejection)) throw error
        return operation === undefined ? error.reply : checked(error.reply, operation)
      }
    },
  }
}

function adapted<World>(handler: (request: ValidRequest, world: World) => Reply) {
  return ({ request }: Context, world: World): Reply => {
    const { path, params, query, requestBody = {}, headers } = request
    return handler({ route: path, path: params, query, body: requestBody, headers } as ValidRequest, world)
  }
}

/** A name in a JSON pointer in a URL. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function operationIn(context: Context): string {
  return `${context.operation.operationId}`
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}
