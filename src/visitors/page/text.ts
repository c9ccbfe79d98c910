/** Prepares the report's strings for display. Does not use the DOM. */
import { visiblePath } from '../core/page-link.ts'

/** Text of the report on one line, with hidden characters visible. */
export function shown(text: string): string {
  return text === '' ? '' : visiblePath(text)
}

/** The start and end of a long text. Never cuts a character in half. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const tail = Math.floor(limit / 3)
  const head = text.slice(0, limit - tail).replace(/[\uD800-\uDBFF]$/, '')
  return `${head}…${text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')}`
}
