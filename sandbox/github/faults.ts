/** Scripted faults of the GitHub double: which calls fail, and how. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallName } from './handlers.ts'
import { problem, type Reply } from './reply.ts'

export type GitHubFault = {
  /** The operation that fails; any call by default. */
  on?: CallName
  /** How many calls fail, starting with the first that is not skipped; all by default. */
  times?: number
  /** How many calls (of the operation, if one is named) are skipped first; 0 by default. */
  after?: number
} & (StatusFault | { do: GitHubFaultAction })

/** An error status instead of the real response. */
interface StatusFault {
  status: number
  /** The `message` in the response; GitHub's usual message for the status by default. */
  message?: string
  headers?: Record<string, string>
  /** Whether the request is carried out anyway, as if a gateway had stopped waiting; false by default. */
  process?: boolean
}

/** `before`: the request is never carried out. `after`: the request is carried out first. */
type When = 'before' | 'after'

/** A fault other than a status. */
export type GitHubFaultAction =
  /**
   * After `after` calls, connections are refused until `GitHub.accept()` is called. Cannot be combined with `on`,
   * because a call's operation is unknown until the call arrives.
   */
  | { kind: 'refused' }
  /** The connection is reset (RST) after the request was read. */
  | { kind: 'reset'; when: When }
  /** No response is sent. */
  | { kind: 'hang'; when: When }
  /** Carried out, but the connection closes in the middle of the response's body. */
  | { kind: 'cut' }
  /** Carried out after this many milliseconds. */
  | { kind: 'slow'; ms: number }
  /** Carried out, but the response has this body. Its status is the usual one by default. */
  | { kind: 'raw'; body: string; status?: number; headers?: Record<string, string> }
  /** Carried out; the response is followed by this many bytes of white space. */
  | { kind: 'huge'; bytes: number }

/** Counts calls, and picks the first fault that applies to each. */
export class FaultScript {
  readonly #faults: readonly GitHubFault[]
  readonly #counts = new Map<CallName | undefined, number>()

  constructor(faults: readonly GitHubFault[]) {
    this.#faults = faults
  }

  /** The fault for a call that has arrived. */
  next(name: CallName | undefined): GitHubFault | undefined {
    const [ofName, ofAll] = [this.#count(name), this.#count(undefined)]
    return this.#faults.find((fault) => {
      if (fault.on !== undefined) return fault.on === name && isDue(fault, ofName)
      return !isRefused(fault) && isDue(fault, ofAll)
    })
  }

  /** Whether a `refused` fault applies to the next call. */
  isRefusalDue(): boolean {
    const count = this.#counts.get(undefined) ?? 0
    return this.#faults.some((fault) => isRefused(fault) && (fault.after ?? 0) === count)
  }

  #count(name: CallName | undefined): number {
    const count = this.#counts.get(name) ?? 0
    this.#counts.set(name, count + 1)
    return count
  }
}

function isDue({ times = Number.POSITIVE_INFINITY, after = 0 }: GitHubFault, count: number): boolean {
  return count >= after && count < after + times
}

function isRefused(fault: GitHubFault): boolean {
  return 'do' in fault && fault.do.kind === 'refused'
}

/** Carries out a fault. Returns the status that was sent; null if none was. */
export async function misbehave(
  response: ServerResponse,
  fault: GitHubFault,
  carryOut: () => Promise<Reply>,
): Promise<number | null> {
  if ('status' in fault) {
    if (fault.process) await carryOut()
    return send(response, { ...problem(fault.status, fault.message), headers: fault.headers ?? {} })
  }
  const action = fault.do
  switch (action.kind) {
    case 'reset':
      if (action.when === 'after') await carryOut()
      response.socket?.resetAndDestroy()
      return null
    case 'hang':
      if (action.when === 'after') await carryOut()
      return null
    case 'cut': {
      const { status, body } = await carryOut()
      const bytes = Buffer.from(JSON.stringify(body ?? {}))
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
      return status
    }
    case 'slow':
      await sleep(action.ms, undefined, { ref: false })
      return send(response, await carryOut())
    case 'raw': {
      const { status } = await carryOut()
      const sent = action.status ?? status
      response.writeHead(sent, { 'content-type': 'application/json', ...action.headers })
      response.end(action.body)
      return sent
    }
    case 'huge': {
      const { status, body } = await carryOut()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.write(JSON.stringify(body ?? {}))
      response.end(Buffer.alloc(action.bytes, ' '))
      return status
    }
    case 'refused':
      throw new Error('A call that has arrived cannot be rejected')
  }
}

/** Sends a response, and returns its status. */
export function send(response: ServerResponse, { status, headers, body }: Reply): number {
  const content = body === undefined ? undefined : JSON.stringify(body)
  response.writeHead(status, {
    ...(content !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
    'x-github-media-type': 'github.v3; format=json',
    ...headers,
  })
  response.end(content)
  return status
}
