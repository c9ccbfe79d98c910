/** Signatures of marks: an HMAC whose key is derived from the API key, which no one on a thread has. */
import { createHash, createHmac, createSecretKey } from 'node:crypto'
import type { Sign } from '../core/mark.ts'

export function signWith(apiKey: string): Sign {
  const key = createSecretKey(createHmac('sha256', apiKey).update('docs-agent mark 2').digest())
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}

/** A text that the post step takes only if the main step of the same key wrote it: other steps can set its environment. */
export function seal(text: string, sign: Sign): string {
  return `${sign(`state\n${text}`)} ${text}`
}

/** The sealed text; undefined if anyone else wrote it. */
export function unseal(sealed: string, sign: Sign): string | undefined {
  const text = sealed.slice(sealed.indexOf(' ') + 1)
  return sealed === seal(text, sign) ? text : undefined
}

/** The hex digest of a text. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
