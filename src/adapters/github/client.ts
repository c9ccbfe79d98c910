/** Calls GitHub through Octokit, with limits on time and size. Retries a call if that cannot do harm. */
import type { getOctokit } from '@actions/github'
import type { ProxySettings } from '../../core/proxy.ts'
import { redactor } from '../../core/redact.ts'
import type { Bounded, Clock, GitHubReply } from '../../usecases/ports.ts'
import { startTimeout } from '../request-timeout.ts'
import {
  type Failure,
  type Headers,
  isMissingPull,
  RejectedError,
  readError,
  readGraphqlErrors,
  readReply,
} from './failure.ts'
import { fetchThrough } from './fetch.ts'

/** What the client needs, and when it must stop. */
export interface GitHubOptions {
  /** null: each call is rejected. */
  token: string | null
  /** `GITHUB_API_URL`. It differs on GitHub Enterprise Server. */
  apiUrl: string
  proxy: ProxySettings
  cancelled: AbortSignal
  clock: Clock
  /** Milliseconds on `clock`. No call starts, waits or continues after it. */
  deadline: number
  /** Milliseconds left for all calls together once the step is cancelled; 2,000 by default. */
  graceAfterCancel?: number
}

/** The client that @actions/github creates. */
export type Octokit = ReturnType<typeof getOctokit>

/** Asks GitHub. Every error becomes a rejection, including an error while reading the response. */
export type Ask = <T>(work: (octokit: Octokit) => Promise<T>) => Promise<GitHubReply<T>>

/** Timeout for one attempt, in milliseconds. */
const callTime = 10_000
/** Maximum number of attempts for a call. */
const tries = 4
/** Milliseconds before the second attempt. Each later wait is three times as long. */
const firstWait = 300

/** Maximum length of GitHub's message, in characters: GitHub sets no limit. */
const maxMessageLength = 1_000

/** Marks a POST that can be repeated safely. */
export const repeatable = { request: { isRepeatable: true } }

/** Never aborts. */
const never = new AbortController().signal

/**
 * A client that loads @actions/github with its first call, because most steps never make one. Octokit's plugins for
 * retries and throttling are not used. They ignore the deadline and the cancel signal, repeat a POST that may have been
 * carried out, treat a refused connection like a broken one, pause between writes, and cost 32 KB and 10 ms at the
 * start.
 */
export function createClient(options: GitHubOptions): Ask {
  const { token, apiUrl, proxy, cancelled, clock, deadline, graceAfterCancel: grace = 2_000 } = options
  const redact = redactor([token])
  let cancelledAt = cancelled.aborted ? clock.now() : Number.POSITIVE_INFINITY
  cancelled.addEventListener('abort', () => {
    cancelledAt = clock.now()
  })
  const timeLeft = () => Math.min(deadline, cancelledAt + grace) - clock.now()
  // A cancel ends the current wait. Later attempts still have waits between them.
  const pause = (ms: number) => clock.sleep(ms, cancelled.aborted ? never : cancelled)
  let octokit: Promise<Octokit> | undefined

  async function connect(): Promise<Octokit> {
    if (token === null) throw new Error('There is no token')
    const { getOctokit } = await import('@actions/github')
    const made = getOctokit(token, { baseUrl: apiUrl, request: { fetch: fetchThrough(proxy, apiUrl) } })
    made.hook.wrap('request', async (send, parameters) => {
      const { method } = parameters
      const isRepeatable = method !== 'POST' || parameters.request?.isRepeatable === true
      const once = async (signal: AbortSignal): Promise<Outcome<Awaited<ReturnType<typeof send>>>> => {
        try {
          // Octokit's other hooks use this object, no matter what `send` is called with.
          parameters.request = { ...parameters.request, signal }
          const reply = await send(parameters)
          // Octokit throws if a response has `errors`, but a missing pull request is not an error here.
          const { errors } = reply.data ?? {}
          if (Array.isArray(errors) && errors.every(isMissingPull)) delete reply.data.errors
          const failure = oddity(parameters, reply)
          return failure === undefined ? { ok: true, reply } : { ok: false, failure }
        } catch (error) {
          return { ok: false, failure: readError(error, method !== 'GET') }
        }
      }
      return repeat(once, isRepeatable)
    })
    return made
  }

  /** Repeats an attempt until it succeeds, until another one would be useless or harmful, or until the time is up. */
  async function repeat<T>(
    once: (signal: AbortSignal) => Promise<Outcome<T>>,
    isRepeatable: boolean,
  ): Promise<T> {
    let last: Failure = { rejection: { status: null, message: 'No time is left' }, isTransient: false }
    let isUncertain = false
    for (let attempt = 1; attempt <= tries && timeLeft() > 0; attempt++) {
      const limit = startTimeout({ total: Math.min(callTime, timeLeft()), onceCancelled: grace }, cancelled)
      const outcome = await once(limit.signal).finally(limit.stop)
      if (outcome.ok) return outcome.reply
      last = outcome.failure
      isUncertain ||= last.rejection.isUncertain === true
      const wait = Math.max(last.wait ?? 0, firstWait * 3 ** (attempt - 1))
      // GitHub has not carried out a request that it rejected, or that was never sent.
      const isSafe = isRepeatable || last.rejection.isUncertain !== true
      if (!last.isTransient || !isSafe || attempt === tries || wait >= timeLeft()) break
      await pause(wait)
    }
    // Secrets are removed first: cutting the message could leave half a token.
    const message = redact(last.rejection.message).slice(0, maxMessageLength)
    // GitHub may have carried out an earlier attempt, even if it rejected a later one.
    throw new RejectedError({ ...last.rejection, message, ...(isUncertain && { isUncertain }) })
  }

  return async (work) => {
    try {
      octokit ??= connect()
      return { ok: true, value: await work(await octokit) }
    } catch (error) {
      if (error instanceof RejectedError) return { ok: false, rejection: error.rejection }
      return { ok: false, rejection: undocumented }
    }
  }
}

type Outcome<T> = { ok: true; reply: T } | { ok: false; failure: Failure }

/** GitHub may have carried out the request even if its response is unexpected. */
const undocumented = {
  status: 200,
  message: 'The response is not what GitHub documents',
  isUncertain: true,
} as const

/** What is wrong with a response that Octokit considers a success: a redirect, GraphQL errors, a page from a proxy. */
function oddity(
  { url }: { url: string },
  { status, headers, data }: { status: number; headers: Headers; data: unknown },
): Failure | undefined {
  if (status > 299) return readReply(status, headers, '')
  const { errors } = (data ?? {}) as { errors?: unknown }
  if (url === '/graphql' || url.endsWith('/api/graphql'))
    return Array.isArray(errors) && errors.length > 0 ? readGraphqlErrors(errors, headers) : undefined
  // Rendered Markdown is never a whole page, as from a proxy.
  const isExpected =
    url === '/markdown'
      ? typeof data === 'string' && !/^\s*<(?:!doctype|html)\b/i.test(data)
      : status === 204 || (typeof data === 'object' && data !== null)
  return isExpected ? undefined : { rejection: undocumented, isTransient: false }
}

/** The items of a paginated list. @param pages from `octokit.paginate.iterator` @param limit maximum number of pages */
export async function readPages<D, T>(
  pages: AsyncIterable<{ data: D; headers: Headers }>,
  limit: number,
  itemsOf: (page: D) => T[],
): Promise<Bounded<T>> {
  const items: T[] = []
  let count = 0
  for await (const { data, headers } of pages) {
    items.push(...itemsOf(data))
    count++
    if (count === limit) return { items, isCut: /rel="next"/.test(String(headers.link)) }
  }
  return { items, isCut: false }
}

/** A response; null if GitHub responds with 404. */
export async function orNull<T>(asked: Promise<GitHubReply<T>>): Promise<GitHubReply<T | null>> {
  const reply = await asked
  return reply.ok || reply.rejection.status !== 404 ? reply : { ok: true, value: null }
}

/** Splits `owner/name`. */
export function parseRepositoryName(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/')
  return { owner, repo }
}

/** An account in a response. GraphQL, unlike REST, omits the `[bot]` of a bot's login. */
export interface Account {
  login: string
  /** Only in GraphQL. */
  __typename?: string
}

/** A login with its `[bot]`, as in REST; null if the account is gone. */
export function loginOf(account: Account | null | undefined): string | null {
  if (account === null || account === undefined) return null
  const { login } = account
  return account.__typename === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login
}
