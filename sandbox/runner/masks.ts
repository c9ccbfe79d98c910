/** The secrets of a step, which the runner shows as `***`. */
export class Masks {
  readonly #secrets = new Set<string>()

  /** Adds a value, its encoded forms (see `encodings`), and each of its lines. */
  add(value: string): void {
    for (const secret of [value, ...value.split(/[\r\n]+/).map((line) => line.trim())]) {
      for (const form of [secret, ...encodings(secret)]) if (form !== '') this.#secrets.add(form)
    }
  }

  /** Replaces each secret with `***`. Secrets that overlap or adjoin become a single `***`. */
  apply(text: string): string {
    let masked = ''
    let shownUpTo = 0
    for (const { start, end } of merge(this.#find(text))) {
      masked += `${text.slice(shownUpTo, start)}***`
      shownUpTo = end
    }
    return masked + text.slice(shownUpTo)
  }

  #find(text: string): Stretch[] {
    return [...this.#secrets].flatMap((secret) => {
      const found: Stretch[] = []
      for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + 1)) {
        found.push({ start, end: start + secret.length })
      }
      return found
    })
  }
}

interface Stretch {
  start: number
  end: number
}

function merge(stretches: Stretch[]): Stretch[] {
  const merged: Stretch[] = []
  for (const stretch of stretches.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1)
    if (last && stretch.start <= last.end) last.end = Math.max(last.end, stretch.end)
    else merged.push(stretch)
  }
  return merged
}

/** The encoded forms of a value that the runner also masks (ValueEncoders.cs), except those for PowerShell. */
function encodings(value: string): string[] {
  const bytes = Buffer.from(value)
  return [
    ...[0, 1, 2].map((shift) => bytes.subarray(bytes.length > shift ? shift : 0).toString('base64')),
    value.replaceAll('"', '\\"'),
    value.replaceAll("'", "''"),
    JSON.stringify(value).slice(1, -1),
    uriEscape(value),
    value.replace(/[<>&"']/g, (character) => xmlEntities[character] ?? character),
    value.length > 8 && /^".*"$/s.test(value) ? value.slice(1, -1) : '',
  ]
}

const xmlEntities: Record<string, string> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Encodes a string according to RFC 3986, including the characters that encodeURIComponent leaves as they are. */
function uriEscape(value: string): string {
  const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(value.toWellFormed()).replace(/[!'()*]/g, percent)
}
