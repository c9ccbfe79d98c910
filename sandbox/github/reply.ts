import { STATUS_CODES } from 'node:http'

/** An answer of the GitHub double, before it goes on the wire. */
export interface Reply {
  status: number
  /** Sent as JSON; undefined where there is none (204). */
  body?: unknown
  /** Sent in place of `body`, as the media type `application/vnd.github.FORMAT` that was asked for. */
  raw?: { format: string; content: string | Uint8Array }
  headers?: Record<string, string>
}

const documentation = 'https://docs.github.com/rest'

/** What GitHub says where nothing more is known ("Troubleshooting the REST API" in its docs). */
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

/** Which of GitHub's formats a request asks for: `application/vnd.github.diff` is `diff`; `json` where it asks for none. */
export function formatOf(accept = ''): string {
  const format = /application\/vnd\.github(?:\.v3)?\.(diff|patch|sha|raw|html|text|full|object)\b/.exec(
    accept,
  )?.[1]
  return format ?? 'json'
}

/** A 422 in GitHub's shape (openapi.json, "validation-error"). */
export function invalid(errors: { resource: string; field: string; code: string; message: string }[]): Reply {
  const body = { message: 'Validation Failed', errors, documentation_url: documentation, status: '422' }
  return { status: 422, body }
}
