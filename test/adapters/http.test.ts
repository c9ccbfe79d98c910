import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProxy } from '../../sandbox/proxy.ts'
import { makeCertificate, remoteName, startTls } from '../../sandbox/tls.ts'
import { createHttp } from '../../src/adapters/wire.ts'
import { readProxies } from '../../src/core/proxy.ts'

const create = { method: 'POST', path: '/job', body: { prompt: 'Fix it' } } as const
const read = { method: 'GET', path: '/job/1' } as const
const timeout = { total: 10_000, onceCancelled: 1_000 }
const certificate = await makeCertificate()

const { proxy: noProxies } = readProxies({})
const ok = 'HTTP/1.1 201 Created\r\ncontent-length: 14\r\n\r\n{"id":"job_1"}'

function httpTo(baseUrl: string, more: Partial<Parameters<typeof createHttp>[0]> = {}) {
  const cancelled = new AbortController().signal
  return createHttp({
    baseUrl,
    apiKey: 'mint_0123456789',
    githubToken: null,
    proxy: noProxies,
    cancelled,
    ...more,
  })
}

/** A server that responds to each request with these pieces, each in its own packet. */
async function serverOf(...pieces: string[]): Promise<number> {
  const server = createServer((socket: Socket) => {
    socket.setNoDelay(true).on('error', () => {})
    socket.on('data', async () => {
      for (const piece of pieces) {
        socket.write(piece, 'latin1')
        await sleep(1)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function secureServerOf(...pieces: string[]): Promise<number> {
  const tls = await startTls(await serverOf(...pieces), certificate)
  onTestFinished(() => tls.close())
  return tls.port
}

async function proxyOf() {
  const proxy = await startProxy()
  onTestFinished(() => proxy.close())
  return proxy
}

it('this machine is never reached through a proxy', async () => {
  const proxy = await proxyOf()
  const settings = { httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: '' }
  const port = await serverOf(ok)
  for (const host of ['127.0.0.1', 'localhost'])
    await httpTo(`http://${host}:${port}`, { proxy: settings }).exchange(create, timeout)
  expect(proxy.log).toEqual([])
})

describe('an untrusted certificate', () => {
  it.each([
    ['the platform', false],
    ['the platform behind a proxy', true],
  ])(
    'an untrusted certificate of %s is rejected, whatever NODE_TLS_REJECT_UNAUTHORIZED says',
    async (_, isProxied) => {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
      onTestFinished(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
      const port = await secureServerOf(ok)
      const proxy = isProxied ? { ...noProxies, httpsProxy: (await proxyOf()).url } : noProxies
      const host = isProxied ? remoteName : 'localhost'
      const exchange = await httpTo(`https://${host}:${port}`, { proxy }).exchange(create, timeout)
      expect(exchange).toMatchObject({ type: 'silence', sent: false, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    },
  )

  it('an untrusted certificate of the proxy is rejected, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    onTestFinished(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
    const proxy = await proxyOf()
    const tls = await startTls(Number(new URL(proxy.url).port), certificate)
    onTestFinished(() => tls.close())
    const settings = { ...noProxies, httpsProxy: `https://localhost:${tls.port}` }
    const exchange = await httpTo(`https://${remoteName}:1`, { proxy: settings }).exchange(create, timeout)
    expect(exchange).toMatchObject({ type: 'silence', sent: false, viaProxy: true })
    expect(proxy.log).toEqual([])
  })
})

describe('a process that was suspended during a request', () => {
  /** Blocks this thread until long after the request's timeout, while a server on another thread continues. */
  async function suspendedExchange(isAnswered: boolean) {
    const states = new Int32Array(new SharedArrayBuffer(8))
    const worker = new Worker(
      `const { workerData: { states, reply }, parentPort } = require('node:worker_threads')
       require('node:net').createServer((socket) => socket.on('error', () => {}).on('data', () => {
         Atomics.store(states, 0, 1)
         // Replies only once the main thread is blocked.
         setTimeout(() => reply && socket.write(reply), 100)
       })).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })`,
      { eval: true, workerData: { states, reply: isAnswered ? ok : '' } },
    )
    onTestFinished(() => void worker.terminate())
    const [port] = await once(worker, 'message')
    const end = performance.now() + 500
    const exchange = httpTo(`http://127.0.0.1:${port}`).exchange(create, { total: 500, onceCancelled: 0 })
    // In this phase of the event loop, timers run before sockets, as they do after a suspension.
    do await setImmediate()
    while (Atomics.load(states, 0) === 0)
    Atomics.wait(states, 1, 0, end + 600 - performance.now())
    return exchange
  }

  it('a process that was suspended accepts the response that arrived in the meantime', async () => {
    expect(await suspendedExchange(true)).toMatchObject({ type: 'response', status: 201 })
  })

  it('a process that was suspended gives up soon if no response arrived', async () => {
    expect(await suspendedExchange(false)).toMatchObject({ type: 'silence', sent: true, code: 'TIMED_OUT' })
  })
})

describe('a response', () => {
  const replyOf = (body: string, head = '') =>
    `HTTP/1.1 400 Bad Request\r\n${head}content-length: ${body.length}\r\n\r\n${body}`
  const exchange = async (reply: string, more: Parameters<typeof httpTo>[1] = {}) =>
    httpTo(`http://127.0.0.1:${await serverOf(reply)}`, more).exchange(read, timeout)

  it.each([
    [20 * 1024 * 1024, 'response'],
    [20 * 1024 * 1024 + 1, 'cut-off'],
  ])('a response of %i bytes is read as: %s', async (size, type) => {
    expect(await exchange(replyOf('x'.repeat(size)))).toMatchObject({ type })
  })

  it.each(['mint_0123456789', 'ghs_0123456789'])('a response contains no secret: %s', async (secret) => {
    const body = JSON.stringify({ error: `Got ${secret}, or ${btoa(secret)}` })
    const reply = await exchange(replyOf(body, `retry-after: ${secret}\r\n`), {
      githubToken: 'ghs_0123456789',
    })
    expect(reply).toMatchObject({ type: 'response', headers: { 'retry-after': '***' } })
    expect(JSON.stringify(reply)).not.toContain(secret)
    expect(JSON.stringify(reply)).not.toContain(btoa(secret).replace(/=+$/, ''))
  })
})
