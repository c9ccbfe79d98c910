/** Completes a response with what its schema requires, so that a double only contains what clients read. */

/** The parts of an OpenAPI schema, without references, that matter here. */
export interface Schema {
  type?: string
  format?: string
  nullable?: boolean
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
}

/** The value, with a default for each required property that is missing. */
export function completed(schema: Schema, value?: unknown): unknown {
  if (value === undefined) return defaultOf(schema)
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => completed(items, item))
  }
  // If there are several schemas, an object follows the first one with properties.
  const { properties, required = [] } = schema.oneOf?.find((one) => one.properties !== undefined) ?? schema
  if (value === null || typeof value !== 'object' || properties === undefined) return value
  const given = value as Record<string, unknown>
  const names = new Set([...Object.keys(given), ...required])
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in properties ? completed(properties[name] ?? {}, given[name]) : given[name],
    ]),
  )
}

const defaults = new WeakMap<Schema, unknown>()

function defaultOf(schema: Schema): unknown {
  if (!defaults.has(schema)) defaults.set(schema, newDefault(schema))
  return defaults.get(schema)
}

function newDefault(schema: Schema): unknown {
  if (schema.nullable) return null
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.oneOf !== undefined) return defaultOf(schema.oneOf.at(-1) ?? {})
  switch (schema.type) {
    case 'string':
      return { uri: 'https://github.com/', 'date-time': '2026-11-02T10:00:00Z' }[schema.format ?? ''] ?? ''
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return completed(schema, {})
    default:
      return 0
  }
}
