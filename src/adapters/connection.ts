/** Connections through undici, direct or through a proxy. Aborting an exchange closes its connection. */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { Agent, buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici'
import { isLoopback } from '../core/inputs/field.ts'
import { type ProxySettings, proxyFor } from '../core/proxy.ts'

/** Timeout for establishing a connection, in milliseconds. */
const connectTimeout = 5_000
/** Maximum length of an interim response that is skipped, in bytes. */
const interimLimit = 16 * 1024

/** A connection and its current exchange. */
export interface Connection {
  agent: Dispatcher
  /** Aborts when the exchange must end. */
  signal: AbortSignal
  /** Whether the exchange is still waiting for its response, so that the next bytes may be an interim response. */
  isAtHead: boolean
}

/** Resolves loopback names without DNS, which may point `localhost` elsewhere (RFC 6761, 6.3). */
const lookupName: LookupFunction = (hostname, options, callback) => {
  if (!isLoopback(hostname)) lookup(hostname, options, callback)
  else if (options.all)
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  else callback(null, '127.0.0.1', 4)
}

/** Certificates are always checked, even if NODE_TLS_REJECT_UNAUTHORIZED is set. */
const socketOptions = { rejectUnauthorized: true, lookup: lookupName }

/**
 * Opens a connection to a URL, for one exchange at a time. The signal also closes a socket that is still connecting:
 * undici does not check the signal until it is connected, and gives a proxy's tunnel five minutes. HTTP/2 is off, because undici
 * automatically repeats a rejected HTTP/2 request.
 */
export function openConnection(url: string, proxy: ProxySettings): Connection {
  const connector = buildConnector({ timeout: connectTimeout, allowH2: false, ...socketOptions })
  const connect: buildConnector.connector = (options, callback) => {
    // The connector returns the socket, but the type of the connector does not say so.
    const socket = connector(options, callback) as unknown as { destroy(): void } | undefined
    connection.signal.addEventListener('abort', () => socket?.destroy())
  }
  const options = { allowH2: false, factory: (origin: string | URL, given: object) => open(origin, given) }
  const open = (origin: string | URL, given: Client.Options) =>
    new Client(origin, { ...given, connect: skippingContinue(given.connect, connection) })
  const uri = proxyFor(url, proxy)
  const agent =
    uri === ''
      ? new Agent({ ...options, connect })
      : new ProxyAgent({
          ...options,
          uri,
          connectTimeout,
          requestTls: socketOptions,
          proxyTls: socketOptions,
        })
  const connection: Connection = { agent, signal: new AbortController().signal, isAtHead: false }
  return connection
}

/** Starts an exchange on a connection. The signal closes the connection in any state. */
export function useConnection(connection: Connection, signal: AbortSignal): void {
  connection.signal = signal
  connection.isAtHead = true
  signal.addEventListener('abort', () => connection.agent.destroy().catch(() => {}))
}

/**
 * Makes a connector whose sockets skip `100 Continue`, which clients must ignore (RFC 9110, 15.2). After an unexpected
 * one, undici breaks the connection, and the response to a create would be lost.
 */
function skippingContinue(
  connect: Client.Options['connect'],
  connection: Connection,
): buildConnector.connector {
  return (options, callback) =>
    (connect as buildConnector.connector)(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      skipContinue(socket, connection)
      callback(null, socket)
    })
}

function skipContinue(socket: Duplex, connection: Connection): void {
  const read = socket.read.bind(socket)
  let seen = Buffer.alloc(0)
  socket.read = (size) => {
    const chunk: Buffer | null = read(size)
    if (chunk === null || !connection.isAtHead) return chunk
    seen = Buffer.concat([seen, chunk])
    for (;;) {
      const start = seen.toString('latin1', 0, 13)
      const isInterim = /^HTTP\/1\.[01] 100[ \r]$/.test(start)
      const mayBecome = start.length < 13 && 'HTTP/1.1 100 '.startsWith(start.replace('1.0', '1.1'))
      if ((!isInterim && !mayBecome) || seen.length > interimLimit) break
      const end = seen.indexOf('\r\n\r\n')
      // Incomplete: waits for more bytes.
      if (end === -1) return null
      seen = seen.subarray(end + 4)
    }
    connection.isAtHead = false
    const rest = seen
    seen = Buffer.alloc(0)
    return rest
  }
}
