/** All calls to Mintlify together. */
import { analyticsCalls } from './analytics.ts'
import type { MintlifyOptions } from './client.ts'
import { jobCalls } from './jobs.ts'

/** All calls to Mintlify. They never throw. */
export type MintlifyPorts = ReturnType<typeof createMintlify>

/** Makes all calls to Mintlify. */
export function createMintlify(options: MintlifyOptions) {
  return {
    ...jobCalls(options),
    ...analyticsCalls(options),
  }
}
