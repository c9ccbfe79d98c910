/** What servers on this machine need: a free port, and a way to end all their connections. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { Duplex } from 'node:stream'

/** Starts a server on a free port of 127.0.0.1, and returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Remembers open sockets, so that they can be ended together. */
export function openSockets() {
  const sockets = new Set<Duplex>()
  return {
    track<Socket extends Duplex>(socket: Socket): Socket {
      sockets.add(socket)
      return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    },
    destroy(): void {
      for (const socket of sockets) socket.destroy()
    },
  }
}
