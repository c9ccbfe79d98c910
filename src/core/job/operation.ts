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
  /** The first rows of a list of what readers say. `path` is below the project's analytics. */
  | { name: 'list'; projectId: string; period: Days; path: string; query: { limit: number; source?: string } }

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
      return analytics(operation, 'visitors', { limit: operation.limit, offset: operation.offset })
    case 'list':
      return analytics(operation, operation.path, operation.query)
  }
}

function analytics(
  { projectId, period: { from, to } }: { projectId: string; period: Days },
  endpoint: string,
  paging: Record<string, string | number>,
): HttpRequest {
  const query = Object.entries({ dateFrom: from, dateTo: to, ...paging })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return { method: 'GET', path: `/v1/analytics/${encodeURIComponent(projectId)}/${endpoint}?${query}` }
}

/** Whether an operation changes something on the platform, and so must never be repeated blindly. */
export function isSend(name: OperationName): name is SendName {
  return name === 'create' || name === 'message'
}

/** Whether an operation counts against the hourly limit that an organization's tools share. */
export function isAnalytics(name: OperationName): boolean {
  return name === 'visitors' || name === 'list'
}
