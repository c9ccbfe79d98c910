/** HTTP servers on this machine, the requests to them as received, and their responses. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'

/** Starts a server on a free port of 127.0.0.1, and returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a server on a free port of 127.0.0.1. */
export async function serveHttp(listener: RequestListener) {
  const server = createServer(listener)
  const port = await listen(server)
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

/** A response before it is sent. */
export interface Reply {
  status: number
  /** Sent as JSON, or as it is if `headers` have a content type; undefined for no body (204). */
  body?: unknown
  headers?: Record<string, string>
}

/** Sends a response. */
export function send(response: ServerResponse, reply: Reply): void {
  response.end(begin(response, reply))
}

/** Sends the headers of a response, and returns the bytes of its body. */
export function begin(response: ServerResponse, { status, headers, body }: Reply): Buffer {
  const isJson = headers?.['content-type'] === undefined
  const bytes = Buffer.from((isJson ? JSON.stringify(body) : String(body)) ?? '')
  const content = { 'content-type': 'application/json', 'content-length': bytes.length }
  response.writeHead(status, { ...(body !== undefined && content), ...headers })
  return bytes
}

/** A request that was received completely, whatever the response. */
export interface RecordedRequest extends Omit<WireRequest, 'body'> {
  /** Parsed JSON, or text if it is not valid JSON; undefined if it is empty. */
  body: unknown
}

const recordedHeaders = ['authorization', 'content-type', 'accept', 'user-agent', 'x-github-api-version']

/** Keeps only the headers that tests read. */
export function record({ headers, body, ...request }: WireRequest): RecordedRequest {
  const kept = Object.entries(headers).filter(([name]) => recordedHeaders.includes(name))
  return { ...request, headers: Object.fromEntries(kept), body: parsed(body) }
}

function parsed(body: string | undefined): unknown {
  if (body === undefined) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The key in `Bearer <key>` or `token <key>`; empty for none. */
export function bearerKey({ headers }: WireRequest): string {
  return /^(?:bearer|token) (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
