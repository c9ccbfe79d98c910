import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProxy } from '../../sandbox/proxy.ts'
import { makeCertificate, remoteName, startTls } from '../../sandbox/tls.ts'
import { listen } from '../../sandbox/wire.ts'
import { createClock } from '../../src/adapters/clock.ts'
import { createWire } from '../../src/adapters/wire.ts'
import { readProxies } from '../../src/core/proxy.ts'
import { createMintlify, type MintlifyPorts } from '../../src/mintlify/mintlify.ts'

const create = { method: 'POST', headers: { accept: 'application/json' }, body: '{"prompt":"Fix it"}' }
const timeout = { total: 10_000, onceCancelled: 1_000 }
const certificate = await makeCertificate()
const { proxy: noProxies } = readProxies({})
const ok = 'HTTP/1.1 201 Created\r\ncontent-length: 14\r\n\r\n{"id":"job_1"}'

function exchangeWith(baseUrl: string, proxy = noProxies, titles: string[] = []) {
  const cancelled = new AbortController().signal
  const secrets = ['mint_0123456789', 'ghs_0123456789']
  return createWire({ secrets, proxy, cancelled, onPage: (title) => titles.push(title) })(
    { url: `${baseUrl}/job`, ...create },
    timeout,
  )
}

/** A server that sends this response to each request, and adds what it receives to a list. */
async function serverOf(reply: string, received: Buffer[] = []): Promise<number> {
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        received.push(bytes)
        socket.write(reply)
      })
  })
  onTestFinished(() => void server.close())
  return listen(server)
}

async function secured(port: number): Promise<number> {
  const tls = await startTls(port, certificate)
  onTestFinished(() => tls.close())
  return tls.port
}

async function proxyOf() {
  const proxy = await startProxy()
  onTestFinished(() => proxy.close())
  return proxy
}

it('this machine is never reached through a proxy', async () => {
  const { url, log } = await proxyOf()
  const port = await serverOf(ok)
  for (const host of ['127.0.0.1', 'localhost']) {
    const exchange = await exchangeWith(`http://${host}:${port}`, {
      httpProxy: url,
      httpsProxy: url,
      noProxy: '',
    })
    expect(exchange).toMatchObject({ type: 'response', status: 201 })
  }
  expect(log).toEqual([])
})

it.each(['the platform', 'the platform behind a proxy', 'the proxy'])(
  'an untrusted certificate of %s is rejected, whatever NODE_TLS_REJECT_UNAUTHORIZED says',
  async (server) => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    onTestFinished(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
    const proxy = await proxyOf()
    const secureProxy = `https://localhost:${await secured(Number(new URL(proxy.url).port))}`
    const httpsProxy = { 'the proxy': secureProxy, 'the platform behind a proxy': proxy.url }[server] ?? ''
    const host = httpsProxy === '' ? 'localhost' : remoteName
    const exchange = await exchangeWith(`https://${host}:${await secured(await serverOf(ok))}`, {
      ...noProxies,
      httpsProxy,
    })
    expect(exchange).toMatchObject({
      type: 'silence',
      sent: false,
      viaProxy: httpsProxy !== '',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
  },
)

const headers = [
  'authorization: Bearer mint_0123456789',
  'accept: application/json',
  'accept-encoding: identity',
  'user-agent: docs-agent-action',
]

it.each<[method: string, send: (calls: MintlifyPorts) => unknown, lines: string[]]>([
  [
    'GET',
    ({ readJob }) => readJob('job_1'),
    ['GET /v2/agent/docs/job/job_1 HTTP/1.1', 'connection: keep-alive', ...headers, '', ''],
  ],
  [
    'POST',
    ({ createJob }) => createJob('Größe'),
    [
      'POST /v2/agent/docs/job HTTP/1.1',
      'connection: close',
      ...headers.toSpliced(2, 0, 'content-type: application/json'),
      'content-length: 20',
      '',
      '{"prompt":"Größe"}',
    ],
  ],
])('a %s request to Mintlify has exactly these bytes', async (_, send, lines) => {
  const received: Buffer[] = []
  const host = `127.0.0.1:${await serverOf(ok, received)}`
  const cancelled = new AbortController().signal
  const clock = createClock()
  const calls = createMintlify({
    wire: createWire({ secrets: [], proxy: noProxies, cancelled, onPage() {} }),
    baseUrl: `http://${host}`,
    apiKey: 'mint_0123456789',
    projectId: 'docs',
    serverUrl: 'https://github.com',
    clock,
    deadline: clock.now() + timeout.total,
    random: () => 0,
    cancelled,
    log() {},
    onFailure() {},
  })
  await send(calls)
  expect(Buffer.concat(received).toString()).toBe(lines.toSpliced(1, 0, `host: ${host}`).join('\r\n'))
})

describe('a response', () => {
  const replied = async (body: string, head = '', titles: string[] = []) =>
    exchangeWith(
      `http://127.0.0.1:${await serverOf(`HTTP/1.1 400 Bad Request\r\n${head}content-length: ${body.length}\r\n\r\n${body}`)}`,
      noProxies,
      titles,
    )

  it('a web page is known only by its title', async () => {
    const titles: string[] = []
    const page = '<html><title>Blocked by\n  ghs_0123456789</title><body>Source</body>'
    expect(await replied(page, '', titles)).toMatchObject({ type: 'response', text: '', isPage: true })
    expect(titles).toEqual(['Blocked by ***'])
  })

  it.each([
    [20 * 1024 * 1024, 'response'],
    [20 * 1024 * 1024 + 1, 'cut-off'],
  ])('a response of %i bytes is read as: %s', async (size, type) => {
    expect(await replied('x'.repeat(size))).toMatchObject({ type })
  })

  it.each(['mint_0123456789', 'ghs_0123456789'])('a response contains no secret: %s', async (secret) => {
    const reply = await replied(`Got ${secret}, or ${btoa(secret)}`, `retry-after: ${secret}\r\n`)
    expect(reply).toMatchObject({ type: 'response', headers: { 'retry-after': '***' } })
    expect(JSON.stringify(reply)).not.toContain(secret)
    expect(JSON.stringify(reply)).not.toContain(btoa(secret).replace(/=+$/, ''))
  })
})
