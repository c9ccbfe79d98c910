/** Connections by undici, straight or through a proxy, that end when they are to. */
import { buildConnector, EnvHttpProxyAgent } from 'undici'
import type { ProxySettings } from '../core/proxy.ts'

/** Milliseconds until a connection must stand. */
const connectPatience = 5_000

/** A connection, or what will be one, and the signal of the exchange that it is used for. */
export interface Connection {
  agent: EnvHttpProxyAgent
  signal: AbortSignal
}

/**
 * A connection for one exchange at a time. undici looks at a request's signal only once it is connected, and gives a proxy's
 * tunnel five minutes; so the signal ends the socket that is being opened, too. HTTP/2 is off: there, undici sends a
 * request that was refused once more by itself.
 */
export function openConnection(proxy: ProxySettings): Connection {
  const connector = buildConnector({ timeout: connectPatience, allowH2: false })
  const connect: buildConnector.connector = (options, callback) => {
    // The connector gives its socket back, though its type does not say so.
    const socket = connector(options, callback) as unknown as { destroy(): void } | undefined
    connection.signal.addEventListener('abort', () => socket?.destroy())
  }
  const agent = new EnvHttpProxyAgent({ ...proxy, connect, allowH2: false })
  const connection: Connection = { agent, signal: new AbortController().signal }
  return connection
}

/** Gives a connection to an exchange, whose signal ends it wherever it stands. */
export function useConnection(connection: Connection, signal: AbortSignal): void {
  connection.signal = signal
  signal.addEventListener('abort', () => connection.agent.destroy().catch(() => {}))
}
