import type { OpenAPIBackend } from 'openapi-backend'

/** Loads a description, and keeps its list of operations, which the router would otherwise make for every request. */
export async function load(api: OpenAPIBackend): Promise<void> {
  await api.init()
  const operations = api.router.getOperations()
  api.router.getOperations = () => operations
}
