/** HTTP servers on this machine, the requests to them as received, and their responses. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './sockets.ts'

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

async function receive(incoming: IncomingMessage): Promise<WireRequest> {
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
export interface RecordedRequest {
  method: string
  /** Without the query. */
  path: string
  query: Record<string, string>
  /** Only `authorization`, `content-type`, `accept` and `user-agent`. */
  headers: Record<string, string>
  /** Parsed JSON, or text if it is not valid JSON; undefined if it is empty. */
  body: unknown
}

const recordedHeaders = ['authorization', 'content-type', 'accept', 'user-agent']

export function record({ method, path, query, headers, body }: WireRequest): RecordedRequest {
  const kept = Object.entries(headers).filter(([name]) => recordedHeaders.includes(name))
  return { method, path, query, headers: Object.fromEntries(kept), body: parsed(body) }
}

function parsed(body: string | undefined): unknown {
  if (body === undefined) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/**
 * Starts a double of a service.
 * @param name for messages about its bugs
 * @param carryOut carries out a request. An error is a bug of the double: the client gets a 500
 * @param respond responds to a request, usually with what `carryOut` returns
 */
export async function serveDouble(
  name: string,
  carryOut: (request: WireRequest) => Promise<Reply>,
  respond: (
    request: WireRequest,
    response: ServerResponse,
    carryOut: () => Promise<Reply>,
  ) => Promise<void> | void,
) {
  const violations: string[] = []
  const honestReply = async (request: WireRequest): Promise<Reply> => {
    try {
      return await carryOut(request)
    } catch (error) {
      violations.push(String(error))
      return { status: 500, body: { error: `Bug in ${name}: ${error}` } }
    }
  }
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await receive(incoming)
    await respond(request, response, () => honestReply(request))
  }
  const http = await serveHttp((incoming, response) => {
    serve(incoming, response).catch((error) => {
      // If a client closes the connection before its request is complete, that is not a bug in the double.
      if (incoming.complete) violations.push(String(error))
      response.destroy()
    })
  })
  return {
    ...http,
    /** Bugs in the double, mainly responses that its description does not allow. The client gets a 500 instead. */
    violations: violations as readonly string[],
    /** Ends all connections, even those that hang. Rejects if there are violations, so that no test misses one. */
    async close() {
      await http.close()
      if (violations.length > 0) throw new Error(`Bugs in ${name}: ${violations.join('; ')}`)
    },
  }
}
