import { STATUS_CODES } from 'node:http'
import type { Reply } from '../wire.ts'

const documentation = 'https://docs.github.com/rest'

/** GitHub's usual messages (GitHub's docs, "Troubleshooting the REST API"). */
const messages: Record<number, string> = {
  401: 'Bad credentials',
  403: 'Resource not accessible by integration',
  404: 'Not Found',
  500: 'Server Error',
}

/** An error in GitHub's shape (openapi.json, "basic-error"). */
export function problem(status: number, message = messages[status] ?? STATUS_CODES[status]): Reply {
  return { status, body: { message, documentation_url: documentation, status: String(status) } }
}

/** A 422 in GitHub's shape (openapi.json, "validation-error"). */
export function invalid(errors: { resource: string; field: string; code: string; message: string }[]): Reply {
  const body = { message: 'Validation Failed', errors, documentation_url: documentation, status: '422' }
  return { status: 422, body }
}
