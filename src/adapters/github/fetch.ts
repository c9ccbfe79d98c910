/** The parts of `fetch` that Octokit needs. All requests use the same undici, so they all treat proxies in the same way. */
import { type Dispatcher, request } from 'undici'
import type { ProxySettings } from '../../core/proxy.ts'
import { openConnection, useConnection } from '../connection.ts'
import { noteStart } from '../http.ts'
import { NoReplyError } from './failure.ts'

/** GitHub's docs, "API Versions". Later versions omit `merge_commit_sha`, for example. */
const apiVersion = '2022-11-28'
/** Maximum size of a response, in bytes: a recursive tree has up to 7 MB (GitHub's docs, "Get a tree"). */
const replyLimit = 20 * 1024 * 1024

interface FetchOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** Makes a `fetch` for the API. It follows one redirect, which GitHub sends for a repository that was renamed or moved. */
export function fetchThrough(proxy: ProxySettings, apiUrl: string) {
  const exchange = async (url: string, { method = 'GET', headers: given, body, signal }: FetchOptions) => {
    // Links between pages come from the response, and the token must not be sent to another host.
    if (new URL(url).origin !== new URL(apiUrl).origin)
      throw new NoReplyError('GitHub points elsewhere', { isSent: false, isTransient: false })
    const connection = openConnection(url, proxy)
    const sending = { started: false }
    useConnection(connection, signal)
    try {
      const reply = await request(url, {
        dispatcher: connection.agent.compose(noteStart(sending)),
        method: method as Dispatcher.HttpMethod,
        headers: {
          ...given,
          'accept-encoding': 'identity',
          'user-agent': 'docs-agent-action',
          'x-github-api-version': apiVersion,
        },
        ...(body !== undefined && { body }),
        signal,
        reset: true,
      })
      const text = await readText(reply)
      const headers = new Map(Object.entries(reply.headers).map(([name, value]) => [name, String(value)]))
      // All that Octokit needs from a `Response`. With the class itself, Node would load its own copy of undici.
      return {
        url,
        status: reply.statusCode,
        statusText: '',
        headers,
        text: async () => text,
        arrayBuffer: async () => new TextEncoder().encode(text).buffer,
      }
    } catch (error) {
      if (error instanceof NoReplyError) throw error
      const message = signal.aborted ? 'GitHub did not respond in time' : reasonOf(error)
      throw new NoReplyError(message, { isSent: sending.started })
    } finally {
      connection.agent.destroy().catch(() => {})
    }
  }
  return async (url: string, options: FetchOptions) => {
    const reply = await exchange(url, options)
    const target = URL.parse(reply.headers.get('location') ?? '', url)
    const isMoved =
      reply.status === 307 || reply.status === 308 || (reply.status === 301 && options.method === 'GET')
    return isMoved && target?.origin === new URL(url).origin ? exchange(target.href, options) : reply
  }
}

async function readText({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > replyLimit)
      throw new NoReplyError('The response is larger than 20 MiB', { isSent: true, isTransient: false })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || 'Unknown error'
}
