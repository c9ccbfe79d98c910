/** The shipped client of Mintlify, connected to a platform in memory. */
import type { Exchange, RequestTimeout } from '../../src/core/http.ts'
import { createMintlify, type MintlifyPorts } from '../../src/mintlify/mintlify.ts'
import type { AgentPorts } from '../../src/ports.ts'
import { say } from '../../src/say/messages.ts'

export const key = 'mint_0123456789'

/** A request as the platform reads it. `path` includes the query. */
export interface PlatformRequest {
  method: string
  path: string
  body: { prompt?: string } | undefined
}

/** The platform: responds to a request. */
export type Platform = (request: PlatformRequest, timeout: RequestTimeout) => Promise<Exchange>

/** What the client needs besides the platform. */
type Around = Pick<AgentPorts, 'clock' | 'deadline' | 'random' | 'cancelled' | 'log' | 'serverUrl'>

/** Calls to the platform. */
export function mintlifyOn(platform: Platform, ports: Around, projectId = 'docs'): MintlifyPorts {
  const baseUrl = 'https://api.mintlify.com'
  return createMintlify({
    ...ports,
    wire: ({ method, url, body }, timeout) => {
      const path = url.slice(baseUrl.length)
      return platform({ method, path, body: body ? JSON.parse(body) : undefined }, timeout)
    },
    baseUrl,
    apiKey: key,
    projectId,
    onFailure: (failure, wait) => ports.log(say.failing(failure, wait)),
  })
}
