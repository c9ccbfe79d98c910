/** Routes and validates the requests to a mock by its OpenAPI description, and validates its responses. */
import { type Context, OpenAPIBackend, ValidationContext } from 'openapi-backend'
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
  const api = new OpenAPIBackend({
    definition,
    strict: true,
    // Compiles the checks of an operation when it is first called. Compiling all of them takes more than a second.
    quick: true,
    ajvOpts: { formats, code: { optimize: false }, validateSchema: false, meta: false },
    customizeAjv: (ajv, _, context) =>
      isPartial && context === ValidationContext.Response ? ajv.removeKeyword('required') : ajv,
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
  let loading: Promise<unknown> | undefined

  /** The operation of a request; undefined if the description has none. */
  const operationOf = (request: WireRequest) => api.router.matchOperation(request)?.operationId

  function checked(reply: Reply, operation: string): Reply {
    const where = `${operation} ${reply.status}`
    const isDescribed = `${reply.status}` in (api.router.getOperation(operation)?.responses ?? {})
    if (!isDescribed && isPartial && reply.status >= 400) return reply
    if (!isDescribed) throw new ContractViolation(`${where}: not described`)
    const { errors } = api.validateResponse(reply.body ?? null, operation, reply.status)
    if (!errors?.length) return reply
    throw new ContractViolation(
      errors.map(({ instancePath, message }) => `${where}: ${instancePath} ${message}`).join('; '),
    )
  }

  return {
    load: () => {
      loading ??= api.init().then(() => {
        // The router would compute them several times for each request.
        const operations = api.router.getOperations()
        api.router.getOperations = () => operations
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

function operationIn(context: Context): string {
  return `${context.operation.operationId}`
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}
