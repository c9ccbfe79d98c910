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
 * What happens. Each kind says whether the request is still carried out: the job is created, the follow-up accepted, or
 * the read counted.
 */
export type FaultAction =
  /**
   * Another status. The request is only carried out for 2xx and 5xx. The body is JSON, `{"error"}` by default.
   */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  /** The connection is reset (RST) after the request was read; `when` says whether it was carried out. */
  | { kind: 'reset'; when: 'before-processing' | 'after-processing' }
  /** Carried out, but the response stops: before its headers, or in the middle of its body. */
  | { kind: 'hang'; at: 'headers' | 'body' }
  /** Carried out; the response comes slowly. */
  | { kind: 'slow-body'; bytesPerSecond: number }
  /** Carried out, but the connection closes in the middle of the response's body. */
  | { kind: 'truncated' }
  /** Carried out, but the response has this body. Its status is the usual one by default. */
  | { kind: 'raw'; body: string | Buffer; headers?: Record<string, string>; status?: number }
  /** Carried out; the response is correct JSON, padded to this many bytes. */
  | { kind: 'huge'; bytes: number }
  /** Not carried out; a redirect. */
  | { kind: 'redirect'; location: string; status: number }
  /** Not carried out; a 400 whose message contains the request's key: plain, URL-encoded, JSON-escaped, and in base64. */
  | { kind: 'echo-key' }
  /** The call succeeds, but first waits while something else happens, such as a signal. */
  | { kind: 'meanwhile'; run: () => unknown }

/** The fault for an operation's nth call, counted from 0. If several apply, the first in the list wins. */
export function faultAt(
  faults: readonly Fault[],
  operation: OperationName,
  call: number,
): FaultAction | undefined {
  return faults.find(({ on, times = Number.POSITIVE_INFINITY, after = 0 }) => {
    return on === operation && call >= after && call < after + times
  })?.do
}
