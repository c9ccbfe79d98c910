/** Calls GitHub through Octokit, with limits on time. Retries a call if that cannot do harm. */
import type { getOctokit } from '@actions/github'
import { createWire, type WireOptions, type WireRequest } from '../adapters/wire.ts'
import type { Clock } from '../core/clock.ts'
import { type Exchange, isMissing } from '../core/http.ts'
import type { Bounded, GitHubReply, Rejection } from '../core/reply.ts'
import { readExchange } from './rejections.ts'

/** What the client needs, and when it must stop. */
export interface GitHubOptions extends Omit<WireOptions, 'secrets'> {
  /** null: each call is rejected. */
  token: string | null
  /** `GITHUB_API_URL`. It differs on GitHub Enterprise Server. */
  apiUrl: string
  clock: Clock
  /** Milliseconds on `clock`. No call starts, waits or continues after it. */
  deadline: number
}

/** GitHub's API, as the calls in this folder use it. It throws rejections. */
export type Api = ReturnType<typeof createApi>

type Octokit = ReturnType<typeof getOctokit>

type Methods = Octokit['rest']

/** What GitHub responds to one of Octokit's methods. */
export type Data<Area extends keyof Methods, Name extends keyof Methods[Area]> = Methods[Area][Name] extends (
  ...given: never
) => Promise<{ data: infer Found }>
  ? Found
  : never

/** Calls to GitHub. They throw rejections. */
type Calls = Record<string, (...given: never[]) => Promise<unknown>>

/** The calls as use cases make them. */
type Asked<C extends Calls> = {
  [Name in keyof C]: (...given: Parameters<C[Name]>) => Promise<GitHubReply<Awaited<ReturnType<C[Name]>>>>
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

/** Never aborts. */
const never = new AbortController().signal

/** An error that carries a rejection through Octokit. */
const rejected = (rejection: Rejection) => Object.assign(new Error(rejection.kind), { rejection })

/** Makes a client. It loads @actions/github with its first call, because most steps never make one. */
export function createApi(options: GitHubOptions) {
  const { token, apiUrl, cancelled, clock, deadline } = options
  const exchange = createWire({ ...options, secrets: [token] })
  let end = deadline
  const cancel = () => {
    end = Math.min(deadline, clock.now() + timeOnceCancelled)
  }
  if (cancelled.aborted) cancel()
  else cancelled.addEventListener('abort', cancel)
  const timeLeft = () => end - clock.now()
  // A cancel ends the current wait. Later attempts still have waits between them.
  const pause = (ms: number) => clock.sleep(ms, cancelled.aborted ? never : cancelled)

  /** Sends a request, and follows one redirect, which GitHub sends for a repository that was renamed or moved. */
  async function send(request: WireRequest, canFollow = true): Promise<Exchange> {
    const { url, method } = request
    // Links between pages come from the response, and the token must not be sent to another host.
    if (new URL(url).origin !== new URL(apiUrl).origin) throw rejected({ kind: 'elsewhere' })
    const timeout = { total: Math.min(callTime, timeLeft()), onceCancelled: timeOnceCancelled }
    const reply = await exchange(request, timeout)
    if (!canFollow || reply.type !== 'response') return reply
    const isMoved = reply.status === 307 || (reply.status === 301 && method === 'GET')
    return isMoved ? send({ ...request, url: new URL(reply.headers.location ?? '', url).href }, false) : reply
  }

  /**
   * The parts of `fetch` that Octokit needs. Repeats a request until it succeeds, until another attempt would be useless
   * or harmful, or until the time is up.
   */
  async function fetch(url: string, { method, headers, body }: WireRequest) {
    const request = { url, method, headers: { ...headers, 'x-github-api-version': apiVersion }, body }
    const isSafe = method !== 'POST' || repeatablePosts.test(url)
    let rejection: Rejection = { kind: 'no-time' }
    let isUncertain = false
    for (let attempt = 1; attempt <= tries && timeLeft() > 0; attempt++) {
      const read = readExchange(await send(request), url, isSafe)
      if (read.ok) {
        const { status, headers, text } = read.value
        // With the class `Response` itself, Node would load its own copy of undici.
        return { url, status, headers: new Map(Object.entries(headers)), text: async () => text }
      }
      rejection = read.failure
      isUncertain ||= method !== 'GET' && read.mayHaveArrived
      const wait = Math.max(read.wait, firstWait * 3 ** (attempt - 1))
      if (!read.mayRepeat || attempt === tries || wait >= timeLeft()) break
      await pause(wait)
    }
    // GitHub may have carried out an earlier attempt, even if it rejected a later one.
    throw rejected({ ...rejection, ...(isUncertain && { isUncertain }) })
  }

  let loaded: Octokit | undefined
  async function octokit(): Promise<Octokit> {
    const { getOctokit } = await import('@actions/github')
    loaded ??= getOctokit(token ?? '', { baseUrl: apiUrl, request: { fetch } })
    return loaded
  }

  /** The login of the token's account, once it is known. It stays the same while a step runs. */
  let own: string | undefined

  return {
    async request<Found>(route: string, given = {}): Promise<Found> {
      return (await (await octokit()).request(route, given)).data
    },

    async graphql<Found>(query: string, variables = {}): Promise<Found> {
      return (await octokit()).graphql(query, variables)
    },

    /**
     * The login of the token's account (GraphQL `viewer`), with a bot's `[bot]`. Requested once in a step.
     * @param known the login, if a response contained it
     */
    async viewer(known?: string): Promise<string> {
      const { graphql } = await octokit()
      own ??= known ?? (await graphql<{ viewer: Account }>('query viewer { viewer { login } }')).viewer.login
      return own
    },

    /** What a GraphQL query finds in a repository. */
    async find<Found>(query: string, repository: string, variables = {}): Promise<Found> {
      const [owner, name] = repository.split('/')
      const { graphql } = await octokit()
      return (await graphql<{ repository: Found }>(query, { owner, name, ...variables })).repository
    },

    /**
     * The items of a list; may be incomplete.
     * @param itemsOf the items of a view; a page that is an object is itself a view
     */
    async list<View, Item>(
      path: string,
      itemsOf: (view: View) => Item[],
      query = {},
    ): Promise<Bounded<Item>> {
      const { paginate } = await octokit()
      const items: Item[] = []
      let count = 0
      for await (const { data, headers } of paginate.iterator(`GET ${path}`, { per_page: 100, ...query })) {
        items.push(...[data as View | View[]].flat().flatMap((view) => itemsOf(view as View)))
        count++
        if (count === pageLimit) return { items, isCut: /rel="next"/.test(headers.link ?? '') }
      }
      return { items, isCut: false }
    },
  }
}

/** The items of a list that must be complete. */
export function whole<Item>({ items, isCut }: Bounded<Item>, list: 'comments' | 'statuses'): Item[] {
  if (!isCut) return items
  throw new Error('Too long', { cause: rejected({ kind: 'too-long', list }) })
}

/** The items of a list by an account. */
export function by<Item extends { author: string | null }>(login: string, items: readonly Item[]): Item[] {
  return items.filter(({ author }) => author === login)
}

/** Makes the calls return every error as a rejection, even one while a response is read. */
export function asked<C extends Calls>(calls: C): Asked<C> {
  const all = Object.entries(calls).map(([name, call]) => {
    const ask = async (...given: never[]) => {
      try {
        return { ok: true, value: await call(...given) }
      } catch (error) {
        return { ok: false, failure: rejectionOf(error) }
      }
    }
    return [name, ask]
  })
  return Object.fromEntries(all)
}

/** The rejection that an error of Octokit carries. Any other error means that the response lacks a documented field. */
function rejectionOf(error: unknown): Rejection {
  const { cause } = error as { cause?: { rejection?: Rejection } }
  return cause?.rejection ?? { kind: 'undocumented', isUncertain: true }
}

/** For a `catch`: null if GitHub responded with 404. */
export function nullIfMissing(error: unknown): null {
  if (isMissing(rejectionOf(error))) return null
  throw error
}

/** A list in a response to a query. In GitHub's schema, lists and what they contain can be null. */
export interface Nodes<T> {
  nodes: (T | null)[] | null
}

/** What a list contains, without nulls. */
export function nodesOf<T>(list: Nodes<T> | null | undefined): T[] {
  return (list?.nodes ?? []).filter((node) => node !== null)
}

/** Whether a list has another page, and where it starts. */
export interface PageInfo {
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

/** The default branch in a response to a query; an empty repository has none. */
export interface Branch<Commit> {
  defaultBranchRef: { target: { history?: PageInfo & Nodes<Commit> } | null } | null
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
