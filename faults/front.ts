/**
 * A server in front of the embedded platform, for faults below HTTP. It forwards connections until the fault starts. The
 * action opens a new connection for each request.
 */
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { startProxy } from '../sandbox/proxy.ts'
import { listen, openSockets } from '../sandbox/sockets.ts'
import { type Certificate, makeCertificate, remoteName, startTls } from '../sandbox/tls.ts'

export type ConnectionFault = 'refused' | 'reset' | 'no-tls-answer' | 'expired-certificate' | 'proxy-down'

export interface Front {
  /** The base URL for the action. */
  url: string
  /** The environment variables that the action needs to reach the server. */
  env: Record<string, string>
  close(): Promise<void>
}

type StartFront = (platform: string, fault: ConnectionFault, from: number) => Promise<Front>

/**
 * Makes the function that starts a server in front of a platform. Its parameter `from` is the first connection with the
 * fault, counted from 0.
 * @param write writes a certificate to a file for NODE_EXTRA_CA_CERTS, and returns its path
 */
export async function makeFront(write: (certificate: string) => string): Promise<StartFront> {
  const valid = await makeCertificate()
  const expired = await makeCertificate(-3, -1)
  const env = { NODE_EXTRA_CA_CERTS: write(valid.cert) }
  return (platform, fault, from) => startFront(platform, fault, from, { valid, expired, env })
}

async function startFront(
  platform: string,
  fault: ConnectionFault,
  from: number,
  { valid, expired, env }: { valid: Certificate; expired: Certificate; env: Record<string, string> },
): Promise<Front> {
  const port = Number(new URL(platform).port)
  const sockets = openSockets()
  let connections = 0
  const pass = (socket: Socket) => {
    const upstream = sockets.track(dial(port, '127.0.0.1'))
    socket.pipe(upstream).pipe(socket)
  }
  const close = async (server: Server) => {
    sockets.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }

  switch (fault) {
    case 'refused':
    case 'reset': {
      const server = createServer((socket) => {
        sockets.track(socket)
        const faulty = connections++ >= from
        if (fault === 'refused' && connections >= from) server.close()
        if (faulty) socket.resetAndDestroy()
        else pass(socket)
      })
      const at = await listen(server)
      if (fault === 'refused' && from === 0) server.close()
      return { url: `http://127.0.0.1:${at}`, env: {}, close: () => close(server) }
    }
    case 'no-tls-answer': {
      const inner = createTlsServer(valid, (socket) => pass(sockets.track(socket)))
      const server = createServer((socket) => {
        sockets.track(socket)
        if (connections++ < from) inner.emit('connection', socket)
      })
      const at = await listen(server)
      return { url: `https://localhost:${at}`, env, close: () => close(server) }
    }
    case 'expired-certificate': {
      const server = createTlsServer(from === 0 ? expired : valid, (socket) => {
        pass(sockets.track(socket))
        if (++connections >= from) server.setSecureContext(expired)
      })
      const at = await listen(server)
      return { url: `https://localhost:${at}`, env, close: () => close(server) }
    }
    case 'proxy-down': {
      const proxy = await startProxy(({ log, stop }) => log.length >= from && stop())
      if (from === 0) proxy.stop()
      const tls = await startTls(port, valid)
      return {
        url: `https://${remoteName}:${tls.port}`,
        env: { ...env, https_proxy: proxy.url },
        close: async () => {
          proxy.close()
          tls.close()
        },
      }
    }
  }
}
