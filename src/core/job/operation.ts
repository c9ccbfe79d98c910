/** The platform's operations (openapi.yaml), as values. */

/** A period. Each end is a day or an ISO 8601 date-time; `to` is excluded. */
interface Days {
  from: string
  to: string
}

/** An operation with its arguments. */
export type Operation =
  | { name: 'create'; projectId: string; prompt: string }
  | { name: 'read'; projectId: string; jobId: string }
  | { name: 'message'; projectId: string; jobId: string; prompt: string }
  | { name: 'visitors'; projectId: string; period: Days; limit: number; offset: number }
  | { name: ListName; projectId: string; period: Days; query?: ListQuery }

/** Selects rows of a list: comments from one source. */
export interface ListQuery {
  source?: 'contextual' | 'code_snippet' | 'agent'
}

/** Maximum number of rows in one request, by the name of the list. */
export const listLimits = {
  'feedback-by-page': 100,
  feedback: 100,
  searches: 100,
  // The platform allows 1,000. But each row contains the assistant's whole response, and the action rejects HTTP
  // responses over 20 MiB.
  assistant: 500,
} as const

/** A list of what readers said or searched for. */
export type ListName = keyof typeof listLimits

export type OperationName = Operation['name']

/** An operation that changes something on the platform, so repeating it does harm. */
export type SendName = 'create' | 'message'

/** An HTTP request; `body` is sent as JSON. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  /** Path below the base URL, beginning with a slash. */
  path: string
  body?: Record<string, unknown>
}

/** The request for an operation. Ids are already checked to be path segments, but are encoded anyway. */
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
    case 'visitors':
      return analytics(operation, 'visitors', `limit=${operation.limit}&offset=${operation.offset}`)
    default: {
      const endpoint = operation.name === 'feedback-by-page' ? 'feedback/by-page' : operation.name
      const query = new URLSearchParams({ limit: String(listLimits[operation.name]), ...operation.query })
      return analytics(operation, endpoint, String(query))
    }
  }
}

function analytics(
  { projectId, period }: { projectId: string; period: Days },
  endpoint: string,
  paging: string,
): HttpRequest {
  const [from, to] = [period.from, period.to].map(encodeURIComponent)
  const query = `dateFrom=${from}&dateTo=${to}&${paging}`
  return { method: 'GET', path: `/v1/analytics/${encodeURIComponent(projectId)}/${endpoint}?${query}` }
}

/** Whether an operation changes something on the platform, and so must never be repeated blindly. */
export function isSend(name: OperationName): name is SendName {
  return name === 'create' || name === 'message'
}

/** Whether an operation counts against the hourly limit that an organization's tools share. */
export function isAnalytics(name: OperationName): boolean {
  return !isSend(name) && name !== 'read'
}
