/** Connections through undici, direct or through a proxy. Aborting an exchange closes its connection. */
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici'
import { type ProxySettings, proxyFor } from '../core/proxy.ts'

/** Timeout for establishing a connection, in milliseconds. */
const connectTimeout = 5_000

/** A connection and its current exchange. */
export interface Connection {
  agent: Dispatcher
  /** Aborts when the exchange must end. */
  signal: AbortSignal
}

/** Certificates are always checked, even if NODE_TLS_REJECT_UNAUTHORIZED is set. */
const socketOptions = { rejectUnauthorized: true }

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
  const uri = proxyFor(url, proxy)
  const agent =
    uri === ''
      ? new Agent({ allowH2: false, connect })
      : new ProxyAgent({
          allowH2: false,
          uri,
          connectTimeout,
          requestTls: socketOptions,
          proxyTls: socketOptions,
        })
  const connection: Connection = { agent, signal: new AbortController().signal }
  return connection
}

/** Starts an exchange on a connection. The signal closes the connection in any state. */
export function useConnection(connection: Connection, signal: AbortSignal): void {
  connection.signal = signal
  signal.addEventListener('abort', () => connection.agent.destroy().catch(() => {}))
}
