/** Days, durations and sizes, as people write them in a workflow and read them in a log. */

const second = 1000
export const minuteMs = 60 * second
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
const unitMs = { s: second, m: minuteMs, h: hourMs }

/** Reads `90s`, `15m`, `2h` or a combination such as `1h30m` into milliseconds; undefined if it is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?[smh])+$/.test(text)) return undefined
  return [...text.matchAll(/([\d.]+)([smh])/g)]
    .map(([, amount, unit]) => Math.round(Number(amount) * unitMs[unit as keyof typeof unitMs]))
    .reduce((total, part) => total + part, 0)
}

/** Writes milliseconds as `45 s`, `4 min 12 s` or `1 h 2 min`: at most two units, rounded to whole seconds. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / second))
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ]
  const shown = parts
    .slice(parts.findIndex(([amount]) => amount > 0))
    .slice(0, 2)
    .filter(([amount]) => amount > 0)
  return shown.map(([amount, unit]) => `${amount} ${unit}`).join(' ') || '0 s'
}

/** Writes bytes as `512 B`, `12 KiB` or `4.8 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kib = Math.round(bytes / 1024)
  if (kib < 1024) return `${kib} KiB`
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

/** Writes a time, in milliseconds since the epoch, as `Nov 21, 14:05 UTC`. */
export function formatTime(time: number): string {
  return new Date(time).toUTCString().replace(/^\w+, 0?(\d+) (\w+) \d+ (\d+:\d+).*/, '$2 $1, $3 UTC')
}

/** The UTC day at `time`, in milliseconds since the epoch, as `YYYY-MM-DD`. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The size of text in UTF-8, in bytes. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Writes a number in American English, with at most two decimals: `1,203`, `−12.5`. Intl takes milliseconds to load. */
export function countText(value: number): string {
  const digits = String(Number(Math.abs(value).toFixed(2))).replace(/\B(?=(\d{3})+(?:\.|$))/g, ',')
  return value < 0 && digits !== '0' ? `−${digits}` : digits
}

/** Writes a number with its noun: `1 page`, `2,000 pages`. */
export function counted(value: number, one: string, more = `${one}s`): string {
  const text = countText(value)
  return `${text} ${text === '1' ? one : more}`
}
