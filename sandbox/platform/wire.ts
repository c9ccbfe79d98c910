import { type ServerResponse, STATUS_CODES } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultAction } from './faults.ts'
import { bearerKey } from './keys.ts'
import { problem, type Reply } from './reply.ts'

/** Shortest pause between two parts of a slow body, in milliseconds. */
const shortestPause = 20

/** Sends a correct response. */
export function send(response: ServerResponse, reply: Reply): void {
  response.end(begin(response, reply))
}

/**
 * Sends a faulty response. `carryOut` carries out the request and returns the correct response. The fault decides
 * whether to call it (see FaultAction). The promise settles when nothing more will be sent.
 */
export async function misbehave(
  response: ServerResponse,
  action: FaultAction,
  authorization: string | undefined,
  carryOut: () => Promise<Reply>,
): Promise<void> {
  switch (action.kind) {
    case 'status': {
      const { status, headers = {}, body = { error: STATUS_CODES[status] ?? 'Unknown' } } = action
      if (status < 300 || status >= 500) await carryOut()
      return send(response, { status, headers, body })
    }
    case 'reset':
      if (action.when === 'after-processing') await carryOut()
      response.socket?.resetAndDestroy()
      return
    case 'hang': {
      const reply = await carryOut()
      if (action.at === 'body') response.write(firstHalf(begin(response, reply)))
      return
    }
    case 'slow-body':
      return trickle(response, begin(response, await carryOut()), action.bytesPerSecond)
    case 'truncated':
      response.write(firstHalf(begin(response, await carryOut())), () => response.destroy())
      return
    case 'raw': {
      const { status } = await carryOut()
      response.writeHead(action.status ?? status, { 'content-type': 'application/json', ...action.headers })
      response.end(action.body)
      return
    }
    case 'huge':
      return send(response, padded(await carryOut(), action.bytes))
    case 'meanwhile':
      await action.run()
      return send(response, await carryOut())
    case 'redirect':
      return send(response, { status: action.status, headers: { location: action.location }, body: {} })
    case 'echo-key':
      return send(response, problem(400, `Rejected: ${everyFormOf(bearerKey(authorization))}`))
  }
}

/** Sends the headers of a response, and returns the bytes of its body. */
function begin(response: ServerResponse, { status, headers, body }: Reply): Buffer {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...headers,
  })
  return bytes
}

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2)
}

async function trickle(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): Promise<void> {
  const pause = Math.max(shortestPause, 1000 / bytesPerSecond)
  const piece = Math.max(1, Math.round((bytesPerSecond * pause) / 1000))
  for (let start = 0; start < bytes.length && !response.destroyed; start += piece) {
    response.write(bytes.subarray(start, start + piece))
    await sleep(pause, undefined, { ref: false })
  }
  response.end()
}

/** A response with an extra field that makes its body this many bytes long. */
function padded(reply: Reply, bytes: number): Reply {
  const body = { ...(reply.body as object), padding: '' }
  const missing = bytes - Buffer.byteLength(JSON.stringify(body))
  return { ...reply, body: { ...body, padding: 'x'.repeat(Math.max(0, missing)) } }
}

function everyFormOf(key: string): string {
  return [key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString('base64')].join(' ')
}
