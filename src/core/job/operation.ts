/** The calls that the platform takes (openapi.yaml), as values. */
import type { Period } from '../visitors/period.ts'

export type Operation =
  | { name: 'create'; projectId: string; prompt: string }
  | { name: 'read'; projectId: string; jobId: string }
  | { name: 'message'; projectId: string; jobId: string; prompt: string }
  | { name: 'visitors'; projectId: string; period: Period; limit: number; offset: number }

export type OperationName = Operation['name']

/** An operation that changes something at the platform, so that doing it twice does harm. */
export type SendName = 'create' | 'message'

/** A request as it goes out; `body` is sent as JSON. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  /** Path below the base URL, beginning with a slash. */
  path: string
  body?: Record<string, unknown>
}

/** The request for an operation. Ids were checked to be path segments; they are encoded all the same. */
export function toRequest(operation: Operation): HttpRequest {
  const jobs = `/v2/agent/${encodeURIComponent(operation.projectId)}/job`
  switch (operation.name) {
    case 'create':
      return { method: 'POST', path: jobs, body: { prompt: operation.prompt } }
    case 'read':
      return { method: 'GET', path: `${jobs}/${encodeURIComponent(operation.jobId)}` }
    case 'message':
      return {
        method: 'POST',
        path: `${jobs}/${encodeURIComponent(operation.jobId)}/message`,
        body: { prompt: operation.prompt },
      }
    case 'visitors': {
      const { projectId, period, limit, offset } = operation
      const query = `dateFrom=${period.from}&dateTo=${period.to}&limit=${limit}&offset=${offset}`
      return { method: 'GET', path: `/v1/analytics/${encodeURIComponent(projectId)}/visitors?${query}` }
    }
  }
}

/** Whether an operation is a send. */
export function isSend(name: OperationName): name is SendName {
  return name === 'create' || name === 'message'
}
