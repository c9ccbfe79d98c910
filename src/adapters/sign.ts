/** Signatures for markers: an HMAC whose key comes from the API key, which nobody on a thread has. */
import { createHmac } from 'node:crypto'
import type { Sign } from '../core/marker.ts'

export function signWith(apiKey: string): Sign {
  const key = createHmac('sha256', apiKey).update('docs-agent marker 1').digest()
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}
