/** The faults of the matrix: what goes wrong with an operation. */
import type { FaultAction } from '../sandbox/faults.ts'
import type { ConnectionFault } from './front.ts'

export type Target = 'create' | 'read' | 'message' | 'visitors'

export const targets: readonly Target[] = ['create', 'read', 'message', 'visitors']

export interface Case {
  name: string
  /** What the platform does to the operation. */
  action?: FaultAction
  /** What the network does to the operation's connection. */
  connection?: ConnectionFault
  /** How often the fault happens; every time by default. */
  times?: number
  /** Whether the fault can hide that the platform carried out the operation, so that a send ends unconfirmed. */
  hides: boolean
}

const status = (code: number, headers?: Record<string, string>): FaultAction => ({
  kind: 'status',
  status: code,
  body: { error: `made to answer ${code}` },
  ...(headers && { headers }),
})
const raw = (body: string, headers?: Record<string, string>): FaultAction => ({
  kind: 'raw',
  body,
  ...(headers && { headers }),
})

const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString()

export function cases(): Case[] {
  const connections: ConnectionFault[] = [
    'refused',
    'reset',
    'no-tls-answer',
    'expired-certificate',
    'proxy-down',
  ]
  const tooMany: [string, Record<string, string>?][] = [
    ['429'],
    ['429, in 1 s', { 'retry-after': '1' }],
    ['429, in an hour by date', { 'retry-after': inAnHour() }],
  ]
  return [
    ...connections.map((connection) => ({ name: connection, connection, hides: connection === 'reset' })),
    { name: 'reset before processing', action: { kind: 'reset', when: 'before' }, hides: true },
    { name: 'reset after processing', action: { kind: 'reset', when: 'after' }, hides: true },
    { name: 'hang at headers', action: { kind: 'hang', at: 'headers' }, hides: true },
    { name: 'hang at body', action: { kind: 'hang', at: 'body' }, hides: true },
    { name: 'slow body', action: { kind: 'slow-body', bytesPerSecond: 10 }, hides: true },
    { name: 'truncated', action: { kind: 'cut' }, hides: true },
    { name: 'not JSON', action: raw('<html>Welcome</html>'), hides: true },
    { name: 'wrong shape', action: raw('{"jobs":[]}'), hides: true },
    { name: 'empty', action: raw(''), hides: true },
    { name: '21 MB', action: raw(`{}${' '.repeat(21_000_000)}`), hides: true },
    { name: 'redirect elsewhere', action: status(301, { location: 'http://127.0.0.1:9/' }), hides: false },
    { name: 'key echoed', action: { kind: 'echo-key' }, hides: false },
    ...[401, 403, 404].map((code) => ({ name: `${code}`, action: status(code), hides: false })),
    { name: '408', action: status(408), hides: true },
    ...tooMany.map(([name, headers]) => ({ name, action: status(429, headers), hides: false })),
    { name: '429 once', action: status(429), times: 1, hides: false },
    ...[500, 502, 503].flatMap((code) =>
      [1, 3, undefined].map((times) => ({
        name: `${code} ${times === undefined ? 'for ever' : `${times}×`}`,
        action: status(code),
        hides: true,
        ...(times !== undefined && { times }),
      })),
    ),
  ] satisfies Case[]
}
