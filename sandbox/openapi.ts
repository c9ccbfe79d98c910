/** What both doubles need to follow an OpenAPI description. */
import type { OpenAPIBackend } from 'openapi-backend'

/** A double was about to send a response that its description does not allow. This is a bug in the double. */
export class ContractViolation extends Error {
  override name = 'ContractViolation'
}

/** Ajv's options for compiling checks twice as fast: most checks run only a few times, and the descriptions are valid. */
export const quickly = { code: { optimize: false }, validateSchema: false, meta: false }

/** Makes the function that loads a description, once. */
export function loader(api: OpenAPIBackend): () => Promise<void> {
  let loading: Promise<void> | undefined
  return () => {
    loading ??= load(api)
    return loading
  }
}

/** Caches the router's list and matches of operations. The router would compute them several times per request. */
async function load(api: OpenAPIBackend): Promise<void> {
  await api.init()
  const { router } = api
  const operations = router.getOperations()
  router.getOperations = () => operations
  const match = router.matchOperation.bind(router)
  const matched = new Map<string, ReturnType<typeof match>>()
  router.matchOperation = ((request: Parameters<typeof match>[0], strict: boolean) => {
    const name = `${request.method} ${request.path}`
    const operation = matched.get(name) ?? match(request, strict)
    matched.set(name, operation)
    return operation
  }) as typeof router.matchOperation
}
