/** HTTP through undici: one request, one exchange, no retry, no redirect, with limits on time and size. */
import { type Dispatcher, request } from 'undici'
import type { HttpRequest } from '../core/job/operation.ts'
import type { Exchange, ReplyHeaders } from '../core/job/response.ts'
import { type ProxySettings, proxyFor } from '../core/proxy.ts'
import { redactor } from '../core/redact.ts'
import type { Http, RequestTimeout } from '../usecases/ports.ts'
import { type Connection, openConnection, useConnection } from './connection.ts'
import { startTimeout } from './request-timeout.ts'

/** What requests to the platform need, and when they must stop. */
export interface HttpOptions {
  /** Without a trailing slash. */
  baseUrl: string
  apiKey: string
  /** Removed from responses, like the key; null if there is none. */
  githubToken?: string | null
  proxy: ProxySettings
  /** Once this aborts, pending requests have `RequestTimeout.onceCancelled` milliseconds left. */
  cancelled: AbortSignal
  /**
   * Whether requests can share a connection. Only for requests that can be repeated: the platform may close an idle
   * connection just as the next request is sent.
   */
  keepAlive?: boolean
}

/** Maximum size of a response's body, in bytes. */
const replyLimit = 8 * 1024 * 1024

/** Makes the function that sends a request to the platform. */
export function createHttp(options: HttpOptions): Http {
  const { baseUrl, apiKey, githubToken, proxy, cancelled, keepAlive = false } = options
  // Secrets are removed as soon as a response arrives, because they would not be recognized in cut or escaped text.
  const redact = redactor([apiKey, githubToken])
  const viaProxy = proxyFor(baseUrl, proxy) !== ''
  const idle: Connection[] = []

  return {
    async exchange({ method, path, body }: HttpRequest, timeout: RequestTimeout): Promise<Exchange> {
      const limit = startTimeout(timeout, cancelled)
      const sending = { started: false }
      const connection = idle.pop() ?? openConnection(baseUrl, proxy)
      let isUsable = false
      useConnection(connection, limit.signal)
      try {
        const reply = await request(`${baseUrl}${path}`, {
          method,
          dispatcher: connection.agent.compose(noteStart(sending)),
          signal: limit.signal,
          headersTimeout: 0,
          bodyTimeout: 0,
          reset: !keepAlive,
          headers: {
            authorization: `Bearer ${apiKey}`,
            accept: 'application/json',
            'accept-encoding': 'identity',
            'user-agent': 'docs-agent-action',
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
        const exchange = await readReply(reply, limit.signal, redact)
        isUsable = keepAlive && exchange.type === 'response'
        return exchange
      } catch (error) {
        const code = codeOf(error, limit.signal)
        // Before anything is sent, an error without a code is a bug. After that, any error means that no response
        // arrived.
        if (code === undefined && !sending.started) throw error
        return { type: 'silence', sent: sending.started, code: code ?? 'UNKNOWN', viaProxy }
      } finally {
        limit.stop()
        if (isUsable) idle.push(connection)
        else connection.agent.destroy().catch(() => {})
      }
    },
  }
}

/** Records when a request starts to be sent. DNS, connection, TLS and the proxy's tunnel come before that. */
export function noteStart(sending: { started: boolean }): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        sending.started = true
        handler.onRequestStart?.(controller, context)
      },
      onResponseStart: handler.onResponseStart?.bind(handler),
      onResponseData: handler.onResponseData?.bind(handler),
      onResponseEnd: handler.onResponseEnd?.bind(handler),
      onResponseError: handler.onResponseError?.bind(handler),
    } as Dispatcher.DispatchHandler)
}

async function readReply(
  reply: Dispatcher.ResponseData,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<Exchange> {
  const status = reply.statusCode
  const headers = keptHeaders(reply.headers, redact)
  const cutOff = (problem: string): Exchange => ({ type: 'cut-off', status, headers, problem })
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > replyLimit) {
        reply.body.destroy()
        return cutOff('it is larger than 8 MiB')
      }
      chunks.push(chunk)
    }
    return { type: 'response', status, headers, text: redact(Buffer.concat(chunks).toString('utf8')) }
  } catch (error) {
    return cutOff(`it broke off (${codeOf(error, signal) ?? 'UNKNOWN'})`)
  }
}

function keptHeaders(
  headers: Dispatcher.ResponseData['headers'],
  redact: (text: string) => string,
): ReplyHeaders {
  const retryAfter = first(headers['retry-after'])
  const location = first(headers.location)
  return {
    ...(retryAfter !== undefined && { retryAfter: redact(retryAfter) }),
    ...(location !== undefined && { location: redact(location) }),
  }
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** Why a request ended: TIMED_OUT or CANCELLED for its timeout, otherwise the error code from node or undici, if any. */
function codeOf(error: unknown, signal: AbortSignal): string | undefined {
  if (signal.aborted) return String(signal.reason)
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
