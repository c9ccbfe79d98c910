/** A response of the embedded platform. */
export interface Reply {
  status: number
  /** Sent as JSON. */
  body: unknown
  headers?: Record<string, string>
}

/** An error in the platform's format, `{"error": string}` (openapi.yaml). */
export function problem(status: number, error: string): Reply {
  return { status, body: { error } }
}
