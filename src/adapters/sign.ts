/** Signatures: an HMAC with a key derived from the API key. Commenters do not have that key. */
import { createHmac, hash } from 'node:crypto'
import type { Sign } from '../core/mark.ts'

/** Makes the function that signs with an API key. */
export function signWith(apiKey: string): Sign {
  const key = createHmac('sha256', apiKey).update('docs-agent mark 2').digest()
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}

/**
 * Seals text for the post step. The post step only accepts text that the main step sealed with the same key, because
 * other steps can change the post step's environment.
 */
export function seal(text: string, sign: Sign) {
  return `${sign(`state\n${text}`)} ${text}`
}

/** The sealed text; undefined if something else wrote it. */
export function unseal(sealed: string, sign: Sign) {
  const text = sealed.slice(sealed.indexOf(' ') + 1)
  return sealed === seal(text, sign) ? text : undefined
}

/** The SHA-256 digest of a string, in hex. */
export function sha256(text: string) {
  return hash('sha256', text)
}
