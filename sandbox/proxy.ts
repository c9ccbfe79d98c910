/**
 * A forward proxy on this machine that records its requests. It only opens tunnels (CONNECT), and resolves every host
 * name to this machine, so that tests can use names that are not loopback names.
 */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { pipeline } from 'node:stream'
import { listen } from './wire.ts'

/** Starts a proxy. */
export async function startProxy() {
  const log: string[] = []
  const server = createServer((incoming, outgoing) => {
    log.push(`${incoming.method} ${incoming.url}`)
    outgoing.writeHead(501).end()
  })
  server.on('connect', ({ url }, socket) => {
    log.push(`CONNECT ${url}`)
    const upstream = connect(Number(new URL(`tcp://${url}`).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    })
    pipeline(socket, upstream, socket, () => {})
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    /** A line for each tunnel (`CONNECT host:port`) and each plain request (`GET http://…`). */
    log,
    close: () => void server.close(),
  }
}
