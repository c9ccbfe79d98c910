import type { OpenAPIBackend } from 'openapi-backend'

/** Ajv's options for checks that take half as long to compile: most are used a few times. The descriptions are valid. */
export const quickly = { code: { optimize: false }, validateSchema: false, meta: false }

/** Loads a description. The router otherwise lists all operations, and compiles their paths, several times for every request. */
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
