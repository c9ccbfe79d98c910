/** HTTP servers on this machine, and the requests to them as received. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Starts a server on a free port of 127.0.0.1. */
export async function serveHttp(listener: RequestListener) {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server,
    port,
    /** `http://127.0.0.1:PORT` */
    url: `http://127.0.0.1:${port}`,
    /** Ends all connections, even those that hang. */
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

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
