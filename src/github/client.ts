/** Calls GitHub through Octokit, with limits on time. Retries a call if that cannot do harm. */
import type { getOctokit } from '@actions/github'
import { createWire, type WireOptions } from '../adapters/wire.ts'
import type { Clock } from '../core/clock.ts'
import {
  type Bounded,
  type Exchange,
  type GitHubFailure,
  type GitHubReply,
  isMissing,
  isWorthwhile,
  mayHaveArrived,
  replyWith,
  type WireRequest,
  waitBefore,
} from '../core/http.ts'
import type { Budget } from './budget.ts'
import { readExchange } from './rejections.ts'

/** What the client needs, and when it must stop. */
export interface GitHubOptions extends Omit<WireOptions, 'secrets'> {
  /** null: each call fails. */
  token: string | null
  /** `GITHUB_API_URL`. It differs on GitHub Enterprise Server. */
  apiUrl: string
  clock: Clock
  /** Milliseconds on `clock`. No call starts, waits or continues after it. */
  deadline: number
  /** Hears that the step waits until GitHub's limit resets, in milliseconds. */
  onLimit(wait: number): void
  budget: Budget
  /** Gets the permissions that GitHub accepts for requests that succeeded, such as `contents=read`. */
  accepted: Set<string | undefined>
}

/** GitHub's API, as the calls in this folder use it. It throws failures: see `failureError`. */
export type Api = ReturnType<typeof createApi>

type Methods = ReturnType<typeof getOctokit>['rest']

/** What GitHub responds to one of Octokit's methods. */
export type Data<Area extends keyof Methods, Name extends keyof Methods[Area]> = Methods[Area][Name] extends (
  ...parameters: never
) => Promise<{ data: infer Found }>
  ? Found
  : never

/** Calls to GitHub. They throw failures. */
type Calls = Record<string, (...parameters: never[]) => Promise<unknown>>

/** The same calls for the rest of the code: they return failures. */
type PortsOf<C extends Calls> = {
  [Name in keyof C]: (
    ...parameters: Parameters<C[Name]>
  ) => Promise<GitHubReply<Awaited<ReturnType<C[Name]>>>>
}

/** Timeout for one attempt, in milliseconds. */
const callTime = 10_000
/** Time for all calls together once the step is cancelled, in milliseconds: the runner kills the step 10 s after the cancel. */
const timeOnceCancelled = 8_500
/** Maximum number of attempts for a call. */
const tries = 4
/** Milliseconds before the second attempt. Each later wait is three times as long. */
const firstWait = 300
/** Maximum number of pages of a list, with 100 items each. GitHub itself lists at most 3,000 files of a change. */
const pageLimit = 30
/** GitHub's docs, "API Versions". Later versions omit `merge_commit_sha`, for example. */
const apiVersion = '2022-11-28'
/** The POST requests that can be repeated, because they set something or only read. All others create something. */
const repeatablePosts = /\/(graphql|labels|markdown|reactions|requested_reviewers|statuses\/[^/]+)$/

/** An error that carries a failure through Octokit. */
export const failureError = (failure: GitHubFailure) => Object.assign(new Error(failure.kind), { failure })

interface FailureError {
  failure?: GitHubFailure
  cause?: FailureError
}

/** Makes a client. */
export function createApi(options: GitHubOptions) {
  const { token, apiUrl } = options
  const fetch = createFetch(options)
  /** The login of the token's account, once it is known. It stays the same while a step runs. */
  let login: string | undefined

  /** Loads @actions/github with the first call. Steps that skip their event make none. */
  async function octokit() {
    const { getOctokit } = await import('@actions/github')
    return getOctokit(token ?? '', { baseUrl: apiUrl, request: { fetch } })
  }

  async function query<Found>(text: string, variables = {}): Promise<Found> {
    const { graphql } = await octokit()
    return graphql(text, variables)
  }

  return {
    query,

    async request<Found>(route: string, parameters = {}): Promise<Found> {
      const { request } = await octokit()
      const { data } = await request(route, parameters)
      return data
    },

    /** What a GraphQL query finds in a repository. */
    async queryRepository<Found>(text: string, fullName: string, variables = {}) {
      const [owner, name] = fullName.split('/')
      const { repository } = await query<{ repository: Found }>(text, { owner, name, ...variables })
      return repository
    },

    /** The login of the token's account (GraphQL `viewer`), with a bot's `[bot]`. Requested once in a step. */
    async ownLogin() {
      login ??= (await query<{ viewer: AccountView }>('query viewer { viewer { login } }')).viewer.login
      return login
    },

    /**
     * The items of a list, which may be incomplete. A page that is an object counts as one item.
     * @param items gets them, also if a later page fails
     */
    async list<Item>(path: string, parameters = {}, items: Item[] = []) {
      const { paginate } = await octokit()
      let pagesLeft = pageLimit
      const pages = paginate.iterator(`GET ${path}`, { per_page: 100, ...parameters })
      for await (const { data, headers } of pages) {
        items.push(...([data].flat() as Item[]))
        pagesLeft--
        if (pagesLeft === 0) return { items, isCut: /rel="next"/.test(headers.link ?? '') }
      }
      return { items, isCut: false }
    },
  }
}

/**
 * Makes the parts of `fetch` that Octokit needs. A request is repeated until it succeeds, until another attempt would be
 * useless or harmful, or until the time is up.
 */
function createFetch(options: GitHubOptions) {
  const { token, apiUrl, deadline, cancelled, clock, onLimit, budget, accepted } = options
  const wire = createWire({ ...options, secrets: [token] })
  let end = deadline
  /** The milliseconds left for all calls together. Once the step is cancelled, these are few. */
  function timeLeft() {
    if (cancelled.aborted) end = Math.min(end, clock.now() + timeOnceCancelled)
    return end - clock.now()
  }
  cancelled.addEventListener('abort', timeLeft)

  function sendOnce(request: WireRequest) {
    // Links between pages come from the response, and the token must not be sent to another host.
    if (new URL(request.url).origin !== new URL(apiUrl).origin) throw new Error('Another host')
    return wire(request, { total: Math.min(callTime, timeLeft()), onceCancelled: timeOnceCancelled })
  }

  async function send(request: WireRequest) {
    const exchange = await sendOnce(request)
    if (exchange.type !== 'silence') clock.follow(exchange.headers.date)
    const url = redirectOf(exchange, request)
    return url === null ? exchange : sendOnce({ ...request, url })
  }

  return async (url: string, { method, headers, body }: WireRequest) => {
    const request = { url, method, headers: { ...headers, 'x-github-api-version': apiVersion }, body }
    const isSafe = method !== 'POST' || repeatablePosts.test(url)
    let failure: GitHubFailure = { kind: 'no-time' }
    let isUncertain = false
    for (let attempt = 1; timeLeft() > 0; attempt++) {
      const exchange = await send(request)
      const reply = readExchange(exchange, url)
      const isLimit = !reply.ok && reply.failure.kind === 'rate-limit'
      budget.count(request, exchange, isLimit)
      if (reply.ok) {
        const { status, headers, text } = reply.value
        accepted.add(headers['x-accepted-github-permissions'])
        // With the class `Response` itself, Node would load its own copy of undici.
        return { url, status, headers: new Map(Object.entries(headers)), text: async () => text }
      }
      failure = reply.failure
      isUncertain ||= method !== 'GET' && mayHaveArrived(failure)
      const wait = waitBefore(failure, isSafe, firstWait * 3 ** (attempt - 1))
      if (attempt === tries || !isWorthwhile(wait, timeLeft(), isLimit)) break
      if (isLimit) onLimit(wait)
      // A cancel ends the wait.
      await clock.sleep(wait, cancelled)
    }
    // GitHub may have carried out an earlier attempt, even if it rejected a later one.
    throw failureError({ ...failure, isUncertain })
  }
}

/**
 * Where GitHub redirects a request because its repository was renamed or moved; null if it does not. A 307 keeps the
 * method. A 301 can turn a POST into a GET (RFC 9110, 15.4.2), so only a GET follows it.
 */
function redirectOf(exchange: Exchange, { url, method }: WireRequest) {
  if (exchange.type !== 'response') return null
  const { status } = exchange
  const isMoved = status === 307 || (status === 301 && method === 'GET')
  return isMoved ? new URL(exchange.headers.location ?? '', url).href : null
}

/** The items of a list that must be complete. */
export function completeItems<Item>({ items, isCut }: Bounded<Item>) {
  if (!isCut) return items
  throw failureError({ kind: 'too-long' })
}

/** Makes the calls return every error as a failure, even one while a response is read. */
export function returningFailures<C extends Calls>(calls: C): PortsOf<C> {
  const ports = Object.entries(calls).map(([name, call]) => [
    name,
    (...parameters: never[]) =>
      call(...parameters).then(replyWith, (error) => ({ ok: false, failure: failureOf(error) })),
  ])
  return Object.fromEntries(ports)
}

/** The failure in an error, or in Octokit's error about it. Any other error means that the response lacks a documented field. */
function failureOf(error: unknown) {
  const { failure, cause } = error as FailureError
  return failure ?? cause?.failure ?? { kind: 'undocumented', isUncertain: true }
}

/** Makes a function for a `catch`: null if the failure is expected. */
const nullIf = (isExpected: (failure: GitHubFailure) => boolean) => (error: unknown) => {
  if (isExpected(failureOf(error))) return null
  throw error
}

/** Null if GitHub responded with 404. */
export const nullIfMissing = nullIf(isMissing)

/** Null if GitHub cannot make a diff. A 422 means that, whatever its words (GitHub's REST API docs). */
export const nullIfNoDiff = nullIf(
  (failure) => failure.kind === 'no-diff' || (failure.kind === 'rejected' && failure.status === 422),
)

/** Null if two commits have no common ancestor. */
export const nullIfUnrelated = nullIf((failure) => failure.kind === 'no-diff' && failure.status === 404)

/** An account in a response. GraphQL, unlike REST, omits the `[bot]` of a bot's login. */
export interface AccountView {
  login: string
  /** Only in GraphQL. */
  __typename?: string
}

/** A login with its `[bot]`, as in REST; null if the account is gone. */
export function loginOf(account: AccountView | null | undefined) {
  if (!account) return null
  const { login } = account
  return account.__typename === 'Bot' ? `${login}[bot]` : login
}
