import type { ListName } from './readers.ts'

/** The operation ids of openapi.yaml. */
export type OperationName = 'create' | 'read' | 'message' | 'visitors' | ListName

/** A scripted fault: which calls of an operation fail, and how. */
export interface Fault {
  on: OperationName
  /** How many calls fail, starting with the first that is not skipped; all by default. */
  times?: number
  /** How many calls of the operation succeed first; 0 by default. */
  after?: number
  do: FaultAction
}

/**
 * What happens. Each kind says whether the request is carried out anyway: the job is created, the message accepted, the
 * read counted.
 */
export type FaultAction =
  /**
   * Another status. `process`: whether it is carried out; by default, only for 2xx and 5xx. The body is JSON,
   * `{"error"}` by default.
   */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown; process?: boolean }
  /** The connection is reset (RST) after the request was read; `when` says whether it was carried out. */
  | { kind: 'reset'; when: 'before-processing' | 'after-processing' }
  /** Carried out, then silence: before the reply's headers, or in the middle of its body. */
  | { kind: 'hang'; at: 'headers' | 'body' }
  /** Carried out; the reply comes slowly. */
  | { kind: 'slow-body'; bytesPerSecond: number }
  /** Carried out; the connection closes in the middle of the reply's body. */
  | { kind: 'truncated' }
  /** Carried out; these bytes replace the reply's body, and the status if one is given. */
  | { kind: 'raw'; body: string | Buffer; headers?: Record<string, string>; status?: number }
  /** Carried out; the reply is correct JSON, padded to that many bytes. */
  | { kind: 'huge'; bytes: number }
  /** Not carried out; redirects. */
  | { kind: 'redirect'; location: string; status: number }
  /** Not carried out; a 400 whose message contains the request's key plain, URL-encoded, JSON-escaped and in base64. */
  | { kind: 'echo-key' }
  /** No fault, but something else happens before the request is carried out, such as a signal. The call waits for it. */
  | { kind: 'meanwhile'; run: () => unknown }

/** The fault of an operation's nth call, from 0. If several apply, the first one in the list counts. */
export function faultAt(
  faults: readonly Fault[],
  operation: OperationName,
  call: number,
): FaultAction | undefined {
  return faults.find(({ on, times = Number.POSITIVE_INFINITY, after = 0 }) => {
    return on === operation && call >= after && call < after + times
  })?.do
}
