/** Connections by undici, straight or through a proxy, that end when they are to. */
import { buildConnector, EnvHttpProxyAgent } from 'undici'
import type { ProxySettings } from '../core/proxy.ts'

/** Milliseconds until a connection must stand. */
const connectPatience = 5_000

/** A connection, or what will be one, and the signal of the exchange that it is used for. */
export interface Line {
  agent: EnvHttpProxyAgent
  signal: AbortSignal
}

/**
 * A line for one exchange at a time. undici looks at a request's signal only once it is connected, and gives a proxy's
 * tunnel five minutes; so the signal ends the socket that is being opened, too. HTTP/2 is off: there, undici sends a
 * request that was refused once more by itself.
 */
export function openLine(proxy: ProxySettings): Line {
  const connector = buildConnector({ timeout: connectPatience, allowH2: false })
  const connect: buildConnector.connector = (options, callback) => {
    // The connector gives its socket back, though its type does not say so.
    const socket = connector(options, callback) as unknown as { destroy(): void } | undefined
    line.signal.addEventListener('abort', () => socket?.destroy())
  }
  const agent = new EnvHttpProxyAgent({ ...proxy, connect, allowH2: false })
  const line: Line = { agent, signal: new AbortController().signal }
  return line
}

/** Gives a line to an exchange, whose signal ends it wherever it stands. */
export function useLine(line: Line, signal: AbortSignal): void {
  line.signal = signal
  signal.addEventListener('abort', () => line.agent.destroy().catch(() => {}))
}
