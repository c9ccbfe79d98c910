/** HTTP through undici: one request, one exchange, no retry, no redirect, with limits on time and size. */
import { Client, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { type Exchange, pageTitle, type ReplyHeaders, type RequestTimeout, type Wire } from '../core/http.ts'
import { loopbackHosts } from '../core/inputs/schema.ts'
import type { ProxySettings } from '../core/proxy.ts'
import { redactor } from '../core/redact.ts'

/** Timeout for establishing a connection, in milliseconds. */
const connectTimeout = 5_000
/** Maximum size of a response's body, in bytes. GitHub's list of a commit's files has up to 7 MB (GitHub's docs). */
const replyLimit = 20 * 1024 * 1024

/** What all requests to a service have in common. */
export interface WireOptions {
  /** Removed from responses as soon as they arrive, because they would not be recognized in cut or escaped text. */
  secrets: readonly (string | null)[]
  proxy: ProxySettings
  /** Once this aborts, pending requests have `RequestTimeout.onceCancelled` milliseconds left. */
  cancelled: AbortSignal
  /** Gets the title of each response that is a web page. */
  onPage(title: string): void
}

/**
 * Makes the function that sends a request once. Only reads share connections, because a service may close an idle
 * connection just as the next request is sent.
 */
export function createWire({ secrets, proxy, cancelled, onPage }: WireOptions): Wire {
  const redact = redactor(secrets)
  const idle: Connection[] = []
  return async ({ url, method, headers, body = null }, timeout) => {
    const isRead = method === 'GET'
    const connection = (isRead && idle.pop()) || connect(proxy)
    const stop = limitTime(connection.closing, timeout, cancelled)
    const { origin, pathname, search } = new URL(url)
    const request = {
      origin,
      method,
      body,
      path: `${pathname}${search}`,
      reset: !isRead,
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'docs-agent-action' },
    }
    const exchange = await new Promise<Exchange>((resolve) => {
      connection.agent.dispatch(request, receive(connection, redact, onPage, resolve))
    })
    stop()
    if (isRead && exchange.type === 'response') idle.push(connection)
    else connection.agent.destroy().catch(() => {})
    return exchange
  }
}

/** A connection, for one exchange at a time. */
interface Connection {
  agent: EnvHttpProxyAgent
  /** Closes it in any state, even while it is being established. */
  closing: AbortController
  isProxied: boolean
}

function connect(proxy: ProxySettings) {
  const closing = new AbortController()
  // Certificates are always checked, even if NODE_TLS_REJECT_UNAUTHORIZED is set. HTTP/2 is off, because undici
  // automatically repeats a rejected HTTP/2 request.
  const socket = { signal: closing.signal, rejectUnauthorized: true, allowH2: false }
  const agent = new EnvHttpProxyAgent({
    ...proxy,
    noProxy: [proxy.noProxy, ...loopbackHosts].join(),
    connectTimeout,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: socket,
    requestTls: socket,
    proxyTls: socket,
    factory(origin, options: Client.Options) {
      // Only connections through a proxy have a function of their own.
      connection.isProxied = typeof options.connect === 'function'
      return new Client(origin, { ...options, maxResponseSize: replyLimit })
    },
  })
  const connection: Connection = { agent, closing, isProxied: false }
  return connection
}

/** Reads the response to a request as it arrives. */
function receive(
  connection: Connection,
  redact: (text: string) => string,
  onPage: WireOptions['onPage'],
  finish: (exchange: Exchange) => void,
): Dispatcher.DispatchHandler {
  const { signal } = connection.closing
  let sent = false
  let head: { status: number; headers: ReplyHeaders } | undefined
  const chunks: Buffer[] = []
  return {
    // DNS, connection, TLS and the proxy's tunnel come before this.
    onRequestStart() {
      sent = true
    },
    onResponseStart(_, status, given) {
      const headers = Object.entries(given).map(([name, value]) => [name, redact(String(value))])
      head = { status, headers: Object.fromEntries(headers) }
    },
    onResponseData(_, chunk) {
      chunks.push(chunk)
    },
    onResponseEnd() {
      if (head === undefined) return
      const text = redact(Buffer.concat(chunks).toString('utf8'))
      const title = pageTitle(head.status, text)
      if (title === null) return finish({ type: 'response', ...head, text })
      onPage(title)
      finish({ type: 'response', ...head, text: '', isPage: true })
    },
    onResponseError(_, error: NodeJS.ErrnoException) {
      const code = signal.aborted ? String(signal.reason) : (error.code ?? error.name)
      if (head !== undefined) finish({ type: 'cut-off', ...head, code })
      else finish({ type: 'silence', sent, code, viaProxy: connection.isProxied })
    },
  }
}

/** Closes a connection when its time is up, which is sooner once the step is cancelled. Returns how to stop that. */
function limitTime(
  closing: AbortController,
  { total, onceCancelled }: RequestTimeout,
  cancelled: AbortSignal,
) {
  const closeIn = (ms: number, reason: string) => setTimeout(() => closing.abort(reason), ms)
  const timers = [closeIn(total, 'TIMED_OUT')]
  const cancel = () => timers.push(closeIn(onceCancelled, 'CANCELLED'))
  if (cancelled.aborted) cancel()
  else cancelled.addEventListener('abort', cancel)
  return () => {
    cancelled.removeEventListener('abort', cancel)
    timers.forEach(clearTimeout)
  }
}
