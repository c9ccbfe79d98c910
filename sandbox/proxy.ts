/**
 * A forward proxy on this machine that records its requests: tunnels (CONNECT) and plain requests (absolute form). It
 * resolves every host name to this machine, so that tests can use names that are not loopback names.
 */
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { listen, openSockets } from './sockets.ts'

/** Starts a proxy. */
export async function startProxy() {
  const log: string[] = []
  const sockets = openSockets()
  const server = createServer((incoming, outgoing) => {
    log.push(`${incoming.method} ${incoming.url}`)
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
    log.push(`CONNECT ${incoming.url}`)
    const target = new URL(`tcp://${incoming.url}`)
    const upstream = connect(Number(target.port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    socket.on('error', () => upstream.destroy())
    sockets.track(upstream).on('error', () => socket.destroy())
  })
  server.on('connection', (socket) => sockets.track(socket))
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    /** A line for each tunnel (`CONNECT host:port`) and each plain request (`GET http://…`). */
    log,
    close() {
      server.close()
      sockets.destroy()
    },
  }
}
