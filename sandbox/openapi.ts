import type { OpenAPIBackend } from 'openapi-backend'

/** Ajv's options for checks that take half as long to compile: most are used a few times. The descriptions are valid. */
export const quickly = { code: { optimize: false }, validateSchema: false, meta: false }

/** Loads a description, and keeps its list of operations, which the router would otherwise make for every request. */
export async function load(api: OpenAPIBackend): Promise<void> {
  await api.init()
  const operations = api.router.getOperations()
  api.router.getOperations = () => operations
}
