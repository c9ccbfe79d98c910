import type { Reply } from '../wire.ts'

/** An error in the platform's format, `{"error": string}` (openapi.yaml). */
export function problem(status: number, error: string): Reply {
  return { status, body: { error } }
}
