/** Requests to the doubles, as received. */
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

export interface WireRequest {
  method: string
  /** Without the query. */
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  /** The body as text; undefined if it is empty. */
  body: string | undefined
}

export async function receive(incoming: IncomingMessage): Promise<WireRequest> {
  const { method = 'GET', url = '/' } = incoming
  const { pathname, searchParams } = new URL(`http://127.0.0.1${url}`)
  const body = await text(incoming)
  return {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers as Record<string, string>,
    body: body === '' ? undefined : body,
  }
}

/** A body as JSON, or as text if it is not valid JSON. */
export function parsed(body: string | undefined): unknown {
  if (body === undefined) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
