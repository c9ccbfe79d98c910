import type { OpenAPIBackend } from 'openapi-backend'

/** Ajv's options for compiling checks twice as fast: most checks run only a few times, and the descriptions are valid. */
export const quickly = { code: { optimize: false }, validateSchema: false, meta: false }

/** Loads a description. Caches the router's list and matches of operations, which it would compute several times per request. */
export async function load(api: OpenAPIBackend): Promise<void> {
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
