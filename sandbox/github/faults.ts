/** Faults of the GitHub double: which calls go wrong, and how. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallName } from './operations.ts'
import { problem, type Reply } from './reply.ts'

/** A scripted fault. */
export type GitHubFault = {
  /** The operation that goes wrong; any call if left out. */
  on?: CallName
  /** How many calls go wrong, from the first that is not skipped; for ever if left out. */
  times?: number
  /** How many calls (of the operation, if one is named) are skipped first; 0 if left out. */
  after?: number
} & (StatusFault | { do: GitHubFaultAction })

/** A status instead of the reply. */
interface StatusFault {
  status: number
  /** The `message` of the reply; GitHub's own for the status if left out. */
  message?: string
  headers?: Record<string, string>
  /** Carried out nevertheless, as when a gateway gives up on a comment that was made; false if left out. */
  process?: boolean
}

/** Whether a request is carried out before it goes wrong, or not at all. */
type When = 'before' | 'after'

/** What goes wrong, other than by a status. `when` is relative to the effect: `after`: the request is carried out. */
export type GitHubFaultAction =
  /**
   * Connections are refused from the end of the call before on, until `GitHub.accept()` is called or so many milliseconds are
   * over. Not with `on`: what a call is for is not known before it is there.
   */
  | { kind: 'refused'; ms?: number }
  /** The connection is reset (RST) once the request was read. */
  | { kind: 'reset'; when: When }
  /** Silence. */
  | { kind: 'hang'; when: When }
  /** Carried out; the connection closes in the middle of the reply's body. */
  | { kind: 'cut' }
  /** Carried out after so many milliseconds. */
  | { kind: 'slow'; ms: number }
  /** Carried out; these bytes as JSON instead of the reply's body, under its status unless another is given. */
  | { kind: 'raw'; body: string; status?: number; headers?: Record<string, string> }
  /** Carried out; the reply is JSON and then so many bytes of white space. */
  | { kind: 'huge'; bytes: number }
  /** Nothing goes wrong here, but meanwhile something happens elsewhere: a signal, a second run. It is waited for. */
  | { kind: 'meanwhile'; when: When; run: () => unknown }

/** Counts calls, and says what is to go wrong with each. The first fault that applies counts. */
export class FaultScript {
  readonly #faults: readonly GitHubFault[]
  readonly #counts = new Map<CallName | undefined, number>()

  constructor(faults: readonly GitHubFault[]) {
    const wrong = faults.find(
      (fault) => fault.on !== undefined && 'do' in fault && fault.do.kind === 'refused',
    )
    if (wrong !== undefined) throw new Error('A refused connection is not for one operation alone')
    this.#faults = faults
  }

  /** What is to go wrong with a call that is there. */
  next(name: CallName | undefined): GitHubFault | undefined {
    const [ofName, ofAll] = [this.#count(name), this.#count(undefined)]
    return this.#faults.find((fault) => {
      if (fault.on !== undefined) return fault.on === name && isDue(fault, ofName)
      return !isRefused(fault) && isDue(fault, ofAll)
    })
  }

  /** Whether connections are to be refused before the next call. */
  refusal(): { ms?: number } | undefined {
    const count = this.#counts.get(undefined) ?? 0
    const found = this.#faults.find((fault) => isRefused(fault) && (fault.after ?? 0) === count)
    return found !== undefined && 'do' in found && found.do.kind === 'refused' ? found.do : undefined
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

/** Sends something else than the reply there should be, or sends it otherwise, and gives the status that was sent. */
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
    case 'meanwhile':
      return send(response, await around(carryOut, action))
    case 'refused':
      throw new Error('A call cannot be refused once it is there')
  }
}

async function around(
  carryOut: () => Promise<Reply>,
  { when, run }: Extract<GitHubFaultAction, { kind: 'meanwhile' }>,
): Promise<Reply> {
  if (when === 'before') await run()
  const reply = await carryOut()
  if (when === 'after') await run()
  return reply
}

/** Sends a reply as it should be, and gives its status. */
export function send(response: ServerResponse, { status, headers, body, raw }: Reply): number {
  const content = raw?.content ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = raw === undefined ? 'application/json' : `application/vnd.github.${raw.format}`
  response.writeHead(status, {
    ...(content !== undefined && { 'content-type': `${type}; charset=utf-8` }),
    'x-github-media-type': `github.v3; format=${raw?.format ?? 'json'}`,
    ...headers,
  })
  response.end(content)
  return status
}
