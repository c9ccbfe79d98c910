/**
 * Removes secrets from text. The runner masks the log, but neither the summary nor the outputs, and a platform may
 * print a key back in any dress: plain, URL-encoded, as JSON or HTML escapes, in base64.
 */

/** Shorter secrets are left alone: taking them out would blacken ordinary words. */
const leastLength = 8
const longestPattern = 1_000
const replacement = '***'

/** HTML's names for the characters that its writers escape. */
const entityNames: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** One character in every dress in which it may come back. */
function dresses(character: string): string {
  const code = character.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const caseless = [...hex].map((digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`).join('')
  const named = character in entityNames ? `|&${entityNames[character]};` : ''
  // The repetitions are bounded, so that a text of nothing but backslashes is read once and not again from each of them.
  return `(?:${plain}|%(?:25){0,3}${caseless}|\\\\{1,4}(?:u00${caseless}|x${caseless}|${plain})|&#0{0,6}${code};?|&#[xX]0{0,6}${caseless};?${named})`
}

/** The parts of a text's base64 that do not depend on what stands before and after it, for its three alignments. */
function base64Cores(secret: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = btoa(`${'\0'.repeat(shift)}${secret}`)
    const whole = Math.floor((shift + secret.length) / 3) * 4
    return encoded.slice(shift === 0 ? 0 : 4, whole)
  })
}

/** A function that takes the given secrets out of any text. Secrets under eight characters are not looked for. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  // The longest first: a secret that begins with another one is to go whole.
  // Of a secret that is too long for a pattern (and for a key) the plain form is looked for alone.
  const long = secrets.filter((secret) => secret.length > longestPattern)
  const withoutLong = (text: string) =>
    long.reduce((rest, secret) => rest.replaceAll(secret, replacement), text)
  const looked = secrets
    .filter((secret) => secret.length >= leastLength && secret.length <= longestPattern)
    .sort((a, b) => b.length - a.length)
  if (looked.length === 0) return withoutLong
  const patterns = looked.flatMap((secret) => [
    [...secret].map(dresses).join(''),
    ...base64Cores(unescape(encodeURIComponent(secret))).map((core) =>
      core.replace(/[+/]/g, (sign) => (sign === '+' ? '[+-]' : '[/_]')),
    ),
  ])
  const secretForms = new RegExp(patterns.join('|'), 'g')
  return (text) => withoutLong(text).replace(secretForms, replacement)
}
