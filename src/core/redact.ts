/**
 * Finds secrets in text, to remove them or to reject the text. The runner masks the log, but neither the summary nor the
 * outputs, and a service may send a secret back encoded.
 */

/** Shorter secrets are ignored: they would match ordinary words. */
export const minSecretLength = 8
const replacement = '***'

/** HTML's names for characters that are commonly escaped. */
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A secret as it is, and in each encoding that is searched for. */
function formsOf(secret: string) {
  const url = encodeURIComponent(secret.toWellFormed())
  const bytes = unescape(url)
  return [
    secret,
    url,
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/[&<>"']/g, (character) => entities[character] ?? ''),
    ...[0, 1, 2].flatMap((shift) => base64Cores(bytes, shift)),
  ]
}

/**
 * The part of a text's Base64 that is the same, whatever surrounds the text: in the usual alphabet and in the one for URLs.
 * @param shift how many bytes precede the text in its first group of three bytes
 */
function base64Cores(bytes: string, shift: number) {
  const whole = Math.floor((shift + bytes.length) / 3) * 4
  const core = btoa(`${'\0'.repeat(shift)}${bytes}`).slice(shift === 0 ? 0 : 4, whole)
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Secrets that may be unknown or empty. */
type Secrets = readonly (string | null | undefined)[]

function allForms(secrets: Secrets) {
  return secrets.flatMap((secret) => {
    if (!secret || secret.length < minSecretLength) return []
    return formsOf(secret)
  })
}

/** A function that removes secrets from any text. Secrets under eight characters are ignored. */
export function redactor(secrets: Secrets) {
  // The longest form is replaced first, because one form may be part of another.
  const forms = allForms(secrets).sort((one, other) => other.length - one.length)
  return (text: string) => forms.reduce((rest, form) => rest.replaceAll(form, replacement), text)
}

/** Whether text contains one of the secrets, in any form that a redactor removes. */
export function containsSecret(text: string, secrets: Secrets) {
  return allForms(secrets).some((form) => text.includes(form))
}

/** The prefixes of tokens (docs.github.com, "GitHub's token formats") and of Mintlify's keys (openapi.yaml), with the characters that may follow. */
const candidate = /(?<![A-Za-z\d])(gh[oprsu]_|github_pat_|mint_(?:dsc_|us_)?)([\w.-]{11,}\w)/g

/** The text without its tokens, and their number. Names in code such as `mint_token_for_owner` stay. */
export function maskTokens(text: string) {
  let count = 0
  const mask = (whole: string, prefix: string, rest: string) => {
    if (!/[A-Z\d]/.test(rest)) return whole
    count++
    return `${prefix}${replacement}`
  }
  return { text: text.replace(candidate, mask), count }
}
