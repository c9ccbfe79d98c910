/**
 * A forward proxy on this machine that records its requests: tunnels (CONNECT) and plain requests (absolute form). It
 * resolves every host name to this machine, so that tests can use names that are not loopback names.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Proxy {
  url: string
  /** A line for each tunnel (`CONNECT host:port`) and each plain request (`GET http://…`). */
  log: readonly string[]
  /** Stops accepting connections. Open ones remain. */
  stop(): void
  close(): void
}

export async function startProxy(onRequest: (proxy: Proxy) => void = () => {}): Promise<Proxy> {
  const log: string[] = []
  const sockets = new Set<Duplex>()
  const server = createServer((incoming, outgoing) => {
    note(`${incoming.method} ${incoming.url}`)
    const { method = 'GET', headers, url = '' } = incoming
    const target = URL.parse(url)
    const host = { hostname: '127.0.0.1', port: target?.port, path: `${target?.pathname}${target?.search}` }
    const onward = request({ ...host, method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.on('connect', (incoming, socket, head) => {
    note(`CONNECT ${incoming.url}`)
    const target = new URL(`tcp://${incoming.url}`)
    const upstream = connect(Number(target.port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    const end = () => {
      socket.destroy()
      upstream.destroy()
    }
    socket.on('error', end)
    upstream.on('error', end)
    sockets.add(upstream)
  })
  server.on('connection', (socket) => sockets.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    stop: () => void server.close(),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return proxy

  function note(line: string): void {
    log.push(line)
    onRequest(proxy)
  }
}
