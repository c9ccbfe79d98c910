/** How single inputs are read from their texts; every reader gives undefined for what it does not take. */
import * as z from 'zod/mini'
import { type Failable, failable } from '../outcome.ts'
import { parseDuration } from '../units.ts'

/** Keys: shorter ones could not be masked without blackening ordinary words. */
export const leastKeyLength = 8
export const longestKey = 512

/** A field that reads a text, or its default where the text is empty; `read` gives undefined for what it does not take. */
export function field<T>(expected: string, read: (text: string) => T | undefined, fallback = '') {
  return z.pipe(
    z.optional(z.string()),
    z.transform((text, context): T => {
      const value = read(text || fallback)
      if (value !== undefined) return value
      context.issues.push({ code: 'custom', message: expected, input: text })
      return z.NEVER
    }),
  )
}

export const text = (expected: string) => field(expected, (value) => value)
export const boolean = (fallback: string) => field('true or false', readBoolean, fallback)

/** Keys travel in a header, so they are visible ASCII; the two other kinds of key are a common mix-up (openapi.yaml). */
export function readKey(key: string): string | undefined {
  const usable = /^[\x21-\x7E]+$/.test(key) && key.length >= leastKeyLength && key.length <= longestKey
  return usable && !/^mint_(dsc|us)_/.test(key) ? key : undefined
}

export function readBaseUrl(value: string): string | undefined {
  const url = URL.parse(value)
  if (url === null || url.username !== '' || url.password !== '' || /[?#]/.test(value)) return undefined
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return safe ? url.href.replace(/\/+$/, '') : undefined
}

/** Whether a host is this machine: 127.0.0.0/8 (RFC 1122), ::1 (RFC 4291) or localhost (RFC 6761). */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === '[::1]' || /^(.+\.)?localhost\.?$/.test(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

/** YAML's core schema: true, True, TRUE and their opposites. */
export function readBoolean(value: string): boolean | undefined {
  if (/^(true|True|TRUE)$/.test(value)) return true
  return /^(false|False|FALSE)$/.test(value) ? false : undefined
}

/** The lines of an input that takes several values, trimmed, without the empty ones. */
function lines(value: string): string[] {
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function readGlobs(value: string): string[] | undefined {
  const globs = lines(value)
  const escapes = (glob: string) =>
    /^!?([/\\]|[A-Za-z]:)/.test(glob) || glob.split(/[/\\]/).some((part) => /^!?\.\.$/.test(part))
  return globs.some((glob) => escapes(glob) || branches(glob)) ? undefined : globs
}

/** Matching blocks the process: a glob that branches without end would outlast every deadline. */
function branches(glob: string): boolean {
  return glob.length > 500 || (glob.match(/\{/g)?.length ?? 0) > 4 || /(\*[^*/]+){8}/.test(glob)
}

/** Globs that are matched with paths of pages: `!` is no negation there, as `exclude` is. */
export function readPathGlobs(value: string): string[] | undefined {
  const globs = lines(value)
  return globs.some((glob) => glob.startsWith('!') || branches(glob)) ? undefined : globs
}

export function readLogins(value: string): string[] | undefined {
  const logins = value
    .split(/[,\n]/)
    .map((login) => login.trim())
    .filter((login) => login !== '')
  return logins.every((login) => readLogin(login) !== undefined) ? logins : undefined
}

export function readLogin(value: string): string | undefined {
  return /^[A-Za-z0-9-]+(\[bot\])?$/.test(value) ? value : undefined
}

export function durationWithin(value: string, least: number, most: number): number | undefined {
  const duration = parseDuration(value)
  return duration !== undefined && duration >= least && duration <= most ? duration : undefined
}

export function readFailOn(value: string): ReadonlySet<Failable> | undefined {
  const names = value
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 1 && names[0] === 'none') return new Set()
  const known = names.filter((name): name is Failable => (failable as readonly string[]).includes(name))
  return known.length === names.length && names.length > 0 ? new Set(known) : undefined
}

/** An address that links can begin with: without a query, and without a slash at its end. */
export function readSiteUrl(value: string): string | undefined {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || url.username !== '' || url.password !== '' || /[?#]/.test(value)) return undefined
  return /^https?:$/.test(url.protocol) ? url.href.replace(/\/+$/, '') : undefined
}

/** A percentage over 0 and up to 100, as a fraction; null where empty. */
export function readPercentage(value: string): number | null | undefined {
  if (value === '') return null
  const [, digits] = /^(\d{1,3}(?:\.\d{1,2})?)\s?%$/.exec(value) ?? []
  const percent = Number(digits)
  return percent > 0 && percent <= 100 ? percent / 100 : undefined
}

export function integerWithin(value: string, least: number, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  return number >= least && number <= most ? number : undefined
}
