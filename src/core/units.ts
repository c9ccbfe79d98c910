/** Days, durations and sizes, as people write them in a workflow and read them in a log. */
import { joinTexts } from './text.ts'

const second = 1000
export const minuteMs = 60 * second
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
const unitMs = { s: second, m: minuteMs, h: hourMs }

/** Reads `90s`, `15m`, `2h` or a combination such as `1h30m` into milliseconds; undefined if it is not a duration. */
export function parseDuration(text: string) {
  if (!/^(\d+(\.\d+)?[smh])+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/([\d.]+)([smh])/g))
    total += Math.round(Number(amount) * unitMs[unit as keyof typeof unitMs])
  return total
}

/** Writes milliseconds as `45 s`, `4 min 12 s` or `1 h 2 min`: rounded to whole seconds, and without seconds from 1 h on. */
export function formatDuration(ms: number) {
  const total = Math.max(0, Math.round(ms / second))
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor(total / 60) % 60
  const seconds = total % 60
  const parts = [
    hours > 0 && `${hours} h`,
    minutes > 0 && `${minutes} min`,
    seconds > 0 && hours === 0 && `${seconds} s`,
  ]
  return joinTexts(parts, ' ') || '0 s'
}

/** Writes bytes as `512 B`, `12 KiB` or `4.8 MiB`. */
export function formatSize(bytes: number) {
  if (bytes < 1024) return `${bytes} B`
  const kib = Math.round(bytes / 1024)
  if (kib < 1024) return `${kib} KiB`
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

/** The UTC day at `time`, in milliseconds since the epoch, as `YYYY-MM-DD`. */
export function toDay(time: number) {
  return new Date(time).toISOString().slice(0, 10)
}

/** The size of text in UTF-8, in bytes. */
export function byteLength(text: string) {
  return new TextEncoder().encode(text).length
}

/** Writes a number in American English, with at most two decimals: `1,203`, `−12.5`. Intl would take milliseconds to load. */
export function countText(value: number) {
  const amount = Number(Math.abs(value).toFixed(2))
  const digits = String(amount).replace(/\B(?=(\d{3})+(?:\.|$))/g, ',')
  if (value < 0 && amount > 0) return `−${digits}`
  return digits
}

/** Writes a number with its noun: `1 page`, `2,000 pages`. */
export function counted(value: number, one: string, more = `${one}s`) {
  const text = countText(value)
  const noun = text === '1' ? one : more
  return `${text} ${noun}`
}
