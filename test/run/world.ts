/** The platform's responses, for tests of use cases. */
import type { Exchange } from '../../src/core/http.ts'

export const start = Date.UTC(2026, 10, 2, 10, 0, 0)

export function answer(status: number, json: unknown = { error: 'no' }, headers = {}): Exchange {
  return { type: 'response', status, headers, text: JSON.stringify(json) }
}

/** A response with the job in this state. */
export function job(status: string, more: Record<string, unknown> = {}): Exchange {
  return answer(200, { id: 'job_1', status, prLink: null, archivedAt: null, ...more })
}

export const reset = { type: 'silence', sent: true, code: 'ECONNRESET', viaProxy: false } as const
export const unsent = { type: 'silence', sent: false, code: 'ECONNREFUSED', viaProxy: false } as const
export const halfway: Exchange = { type: 'cut-off', status: 201, headers: {}, code: 'E_CODE' }
