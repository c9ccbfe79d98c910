import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Exchange,
  type Failure,
  isWorthwhile,
  mayHaveArrived,
  pageTitle,
  toReply,
} from '../../src/core/http.ts'
import { hostileText, runs } from './samples.ts'

const answer = (status: number, text = '', headers = {}): Exchange => {
  return { type: 'response', status, headers, text }
}
const silence = (sent: boolean, code: string, viaProxy = false): Exchange => {
  return { type: 'silence', sent, code, viaProxy }
}
const cutOff = (status: number, headers = {}): Exchange => {
  return { type: 'cut-off', status, headers, code: 'E_CODE' }
}
const parse = (json: unknown) => (json === 'good' ? 'parsed' : undefined)

const exchanges: Exchange[] = [
  ...[answer(204), answer(201, '{"id":'), answer(200, 'null'), cutOff(201)],
  ...[answer(300, '', { location: '//e' }), cutOff(399)],
  ...[answer(400, 'plain words'), cutOff(403), cutOff(429, { 'retry-after': '7' }), answer(499)],
  ...[answer(503, 'oops', { 'retry-after': 'soon' }), answer(199, '"good"'), answer(999)],
  silence(true, 'ECONNRESET', true),
  // The message of a rejection.
  answer(400, '{"error":"bad","details":[{"message":"a"},{"message":"b"}]}'),
  answer(400, '{"message":"x","errors":[{"message":"a"},null,7,"x",{"message":5}]}'),
  ...[answer(400, '{"error":{"message":"x"}}'), answer(400, '[]'), answer(400, 'null')],
]

describe('an exchange', () => {
  it.each([200, 201, 299])('an exchange with status %i and a correct body has a value', (status) => {
    expect(toReply(answer(status, '"good"'), parse)).toEqual({ ok: true, value: 'parsed' })
  })

  it('each exchange without a value counts as the listed failure', () => {
    const shown = exchanges.map((exchange) => {
      const reply = toReply(exchange, parse)
      return `${JSON.stringify(exchange)} → ${JSON.stringify(reply.ok ? reply : reply.failure)}`
    })
    expect(shown.join('\n')).toMatchInlineSnapshot(`
      "{"type":"response","status":204,"headers":{},"text":""} → {"kind":"unreadable","status":204,"reason":"not-json","code":""}
      {"type":"response","status":201,"headers":{},"text":"{\\"id\\":"} → {"kind":"unreadable","status":201,"reason":"not-json","code":""}
      {"type":"response","status":200,"headers":{},"text":"null"} → {"kind":"unreadable","status":200,"reason":"incomplete","code":""}
      {"type":"cut-off","status":201,"headers":{},"code":"E_CODE"} → {"kind":"unreadable","status":201,"reason":"cut-off","code":"E_CODE"}
      {"type":"response","status":300,"headers":{"location":"//e"},"text":""} → {"kind":"redirected","status":300,"location":"//e"}
      {"type":"cut-off","status":399,"headers":{},"code":"E_CODE"} → {"kind":"redirected","status":399,"location":""}
      {"type":"response","status":400,"headers":{},"text":"plain words"} → {"kind":"rejected","status":400,"detail":"plain words"}
      {"type":"cut-off","status":403,"headers":{},"code":"E_CODE"} → {"kind":"rejected","status":403,"detail":""}
      {"type":"cut-off","status":429,"headers":{"retry-after":"7"},"code":"E_CODE"} → {"kind":"rejected","status":429,"detail":"","wait":7000}
      {"type":"response","status":499,"headers":{},"text":""} → {"kind":"rejected","status":499,"detail":""}
      {"type":"response","status":503,"headers":{"retry-after":"soon"},"text":"oops"} → {"kind":"broken","status":503,"detail":"oops"}
      {"type":"response","status":199,"headers":{},"text":"\\"good\\""} → {"kind":"broken","status":199,"detail":"\\"good\\""}
      {"type":"response","status":999,"headers":{},"text":""} → {"kind":"broken","status":999,"detail":""}
      {"type":"silence","sent":true,"code":"ECONNRESET","viaProxy":true} → {"kind":"no-response","code":"ECONNRESET"}
      {"type":"response","status":400,"headers":{},"text":"{\\"error\\":\\"bad\\",\\"details\\":[{\\"message\\":\\"a\\"},{\\"message\\":\\"b\\"}]}"} → {"kind":"rejected","status":400,"detail":"bad; a; b"}
      {"type":"response","status":400,"headers":{},"text":"{\\"message\\":\\"x\\",\\"errors\\":[{\\"message\\":\\"a\\"},null,7,\\"x\\",{\\"message\\":5}]}"} → {"kind":"rejected","status":400,"detail":"x; a"}
      {"type":"response","status":400,"headers":{},"text":"{\\"error\\":{\\"message\\":\\"x\\"}}"} → {"kind":"rejected","status":400,"detail":"x"}
      {"type":"response","status":400,"headers":{},"text":"[]"} → {"kind":"rejected","status":400,"detail":"[]"}
      {"type":"response","status":400,"headers":{},"text":"null"} → {"kind":"rejected","status":400,"detail":"null"}"
    `)
  })

  it.each<[title: string | null, status: number, text: string]>([
    ['502 Bad Gateway', 502, '<html>\r\n<head><title>502 Bad\n Gateway</title></head>'],
    [
      'Unicorn! · GitHub',
      503,
      '<!DOCTYPE html>\n<!--\nHello -->\n<html><TITLE dir="x">Unicorn! · GitHub</TITLE>',
    ],
    ['', 403, '<h1>Forbidden</h1>'],
    ['', 403, 'Forbidden<br>by <b>policy</b>'],
    ['Sign in', 200, '\n<!-- x --><html><title>Sign in</title>'],
    [`${'x'.repeat(79)}…`, 200, `<html><title>${'x'.repeat(200)}</title>`],
    [null, 200, '<p dir="auto">Rendered</p>'],
    [null, 200, '<h1>Rendered</h1>'],
    [null, 500, '{"message":"<html><title>x</title>"}'],
    [null, 500, ' ["<html>"]'],
    [null, 502, 'upstream connect error, 1 < 2'],
    [null, 204, ''],
  ])('a web page has the title %j: status %i, “%s”', (title, status, text) => {
    expect(pageTitle(status, text)).toBe(title)
  })

  it.each([200, 403, 502, 503])('a web page with the status %i is a failure without words', (status) => {
    const reply = toReply({ type: 'response', status, headers: {}, text: '', isPage: true }, parse)
    const failure = status === 200 ? { reason: 'page' } : { status, detail: null }
    expect(reply).toMatchObject({ ok: false, failure })
  })

  const date = 'Mon, 02 Nov 2026 10:00:00 GMT'
  const reset = `${Date.UTC(2026, 10, 2, 10, 50) / 1000}`
  const waitFor = (headers: Record<string, string>) => {
    const { failure } = toReply(answer(403, '', headers), parse) as { failure: Failure & { wait?: number } }
    return failure.wait
  }
  it.each<[wait: number, headers: Record<string, string>]>([
    [120_000, { 'retry-after': '120' }],
    [0, { 'retry-after': '0', date }],
    [300_000, { 'retry-after': 'Mon, 02 Nov 2026 10:05:00 GMT', date }],
    [0, { 'retry-after': 'Mon, 02 Nov 2026 09:00:00 GMT', date }],
    [3_000_000, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, date }],
    [7_000, { 'retry-after': '7', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, date }],
  ])('a service asks to wait %i ms with the headers %j', (wait, headers) => {
    expect(waitFor(headers)).toBe(wait)
  })

  const faulty = ['', '-120', '120.5', '1e3', '2030-01-01', 'Mon, 99 Foo 2026 GMT']
  it.each<Record<string, string>>([
    { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': reset, date },
    { 'x-ratelimit-remaining': '0', date },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    { 'retry-after': 'Mon, 02 Nov 2026 10:05:00 GMT' },
    ...faulty.map((text) => ({ 'retry-after': text, date })),
  ])('a service asks for no certain wait with the headers %j', (headers) => {
    expect(waitFor(headers)).toBeUndefined()
  })

  it.each([
    [300_000, 3_600_000],
    [250_000, 1_000_000],
    [0, 0],
  ])(
    'a step waits up to %i ms for a limit to reset if it has %i ms left, and for other reasons until the end',
    (wait, left) => {
      const isWaitedFor = [wait, wait + 1, left, left + 1].map((ms, at) => isWorthwhile(ms, left, at < 2))
      expect(isWaitedFor).toEqual([true, false, true, false])
    },
  )

  it.each([
    [
      'connection',
      ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'ERR_SSL_WRONG_VERSION_NUMBER', ''],
    ],
    ['certificate', ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN']],
    ['certificate', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']],
  ] as const)('a failed connection is classified as %s, or as the proxy’s: %j', (reason, codes) => {
    for (const code of codes) {
      const failureOf = (viaProxy: boolean) => toReply(silence(false, code, viaProxy), parse)
      const failure = { kind: 'unreachable', reason, code }
      expect(failureOf(false)).toEqual({ ok: false, failure })
      const proxied = { ...failure, reason: reason === 'certificate' ? reason : 'proxy' }
      expect(failureOf(true)).toEqual({ ok: false, failure: proxied })
    }
  })

  it('an exchange is a value, or a failure with a message of at most 1,000 characters', () => {
    const status = fc.integer({ min: 100, max: 999 })
    const exchange = fc.oneof(
      fc
        .tuple(status, fc.oneof(hostileText, fc.json()), fc.integer({ min: 1, max: 99 }))
        .map(([code, text, times]) => answer(code, text.repeat(times), { location: text })),
      status.map((code) => cutOff(code)),
      fc.tuple(fc.boolean(), hostileText, fc.boolean()).map((all) => silence(...all)),
    )
    fc.assert(
      fc.property(exchange, (seen) => {
        const reply = toReply(seen, parse)
        if (reply.ok) return
        const { failure } = reply
        expect('detail' in failure ? (failure.detail ?? '').length : 0).toBeLessThanOrEqual(1000)
        // Without a response, only a request that was not sent is certain not to have arrived.
        if (seen.type === 'silence') expect(mayHaveArrived(failure)).toBe(seen.sent)
        else if (seen.status < 300 || seen.status > 499) expect(mayHaveArrived(failure)).toBe(true)
      }),
      runs(200),
    )
  })
})
