import type { ListName } from './readers.ts'

/** The operations of openapi.yaml, by its names for them. */
export type OperationName = 'create' | 'read' | 'message' | 'visitors' | ListName

/** A scripted fault: which calls of an operation go wrong, and how. */
export interface Fault {
  on: OperationName
  /** How many calls go wrong, from the first that is not skipped; for ever if left out. */
  times?: number
  /** How many calls of the operation are skipped first; 0 if left out. */
  after?: number
  do: FaultAction
}

/**
 * What goes wrong. Each kind says whether the request is carried out nevertheless: whether the job is created, the
 * message taken, the read counted.
 */
export type FaultAction =
  /** A status of its own. `process`: carried out; if left out, for 2xx and 5xx. The body is JSON, `{"error"}` if left out. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown; process?: boolean }
  /** The connection is reset (RST) once the request was read; carried out as `when` says. */
  | { kind: 'reset'; when: 'before-processing' | 'after-processing' }
  /** Carried out, then silence: before the reply's headers, or in the middle of its body. */
  | { kind: 'hang'; at: 'headers' | 'body' }
  /** Carried out; the reply comes as a trickle. */
  | { kind: 'slow-body'; bytesPerSecond: number }
  /** Carried out; the connection closes in the middle of the reply's body. */
  | { kind: 'truncated' }
  /** Carried out; these bytes instead of the reply's body, under its status unless another is given. */
  | { kind: 'raw'; body: string | Buffer; headers?: Record<string, string>; status?: number }
  /** Carried out; the reply is JSON of the right shape, padded to so many bytes. */
  | { kind: 'huge'; bytes: number }
  /** Not carried out; points elsewhere. */
  | { kind: 'redirect'; location: string; status: number }
  /** Not carried out; a 400 whose message holds the request's key plain, URL-encoded, JSON-escaped and in base64. */
  | { kind: 'echo-key' }

/** What is to go wrong with the call of that number (from 0) of an operation. Of several faults the first listed counts. */
export function faultAt(
  faults: readonly Fault[],
  operation: OperationName,
  call: number,
): FaultAction | undefined {
  return faults.find(({ on, times = Number.POSITIVE_INFINITY, after = 0 }) => {
    return on === operation && call >= after && call < after + times
  })?.do
}
