import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Exchange, type Failure, mayHaveArrived, toReply } from '../../../src/core/job/response.ts'
import { hostileText, runs } from '../samples.ts'

const answer = (status: number, text = '', headers = {}): Exchange => {
  return { type: 'response', status, headers, text }
}
const silence = (sent: boolean, code: string, viaProxy = false): Exchange => {
  return { type: 'silence', sent, code, viaProxy }
}
const cutOff = (status: number, headers = {}): Exchange => {
  return { type: 'cut-off', status, headers, problem: 'it broke off' }
}
const parse = (json: unknown) => (json === 'good' ? 'parsed' : undefined)

const unreadable = (status: number, problem: string): Failure => ({ kind: 'unreadable', status, problem })
const notJson = 'its body is not JSON'
const rejected = (detail: string, more = {}): Failure => ({ kind: 'rejected', status: 400, detail, ...more })
const broken = (status: number, detail = '', more = {}): Failure => {
  return { kind: 'broken', status, detail, ...more }
}

const table: [Exchange, Failure][] = [
  [answer(204), unreadable(204, notJson)],
  [answer(201, '{"id":'), unreadable(201, notJson)],
  [answer(200, 'null'), unreadable(200, 'its JSON lacks required fields')],
  [cutOff(201), unreadable(201, 'it broke off')],
  [answer(301, '', { location: '//e' }), { kind: 'redirected', status: 301, location: '//e' }],
  [cutOff(399), { kind: 'redirected', status: 399, location: '' }],
  [answer(400, 'plain words'), rejected('plain words')],
  [cutOff(403), rejected('', { status: 403 })],
  [cutOff(429, { 'retry-after': '7' }), rejected('', { status: 429, retryAfter: '7' })],
  [answer(499), rejected('', { status: 499 })],
  [answer(503, 'oops', { 'retry-after': 'soon' }), broken(503, 'oops', { retryAfter: 'soon' })],
  [answer(199, '"good"'), broken(199, '"good"')],
  [answer(999), broken(999)],
  [silence(true, 'ECONNRESET', true), { kind: 'no-response', code: 'ECONNRESET' }],
  // The message of a rejection.
  [answer(400, '{"error":"bad","details":[{"message":"a"},{"message":"b"}]}'), rejected('bad; a; b')],
  [answer(400, '{"message":"x","errors":[{"message":"a"},null,7,"x",{"message":5}]}'), rejected('x; a')],
  [answer(400, '{"error":{"message":"x"}}'), rejected('{"error":{"message":"x"}}')],
  [answer(400, '[]'), rejected('[]')],
  [answer(400, 'null'), rejected('null')],
]

describe('an exchange', () => {
  it.each([200, 201, 299])('an exchange with status %i and a correct body has a value', (status) => {
    expect(toReply(answer(status, '"good"'), parse)).toEqual({ ok: true, value: 'parsed' })
  })

  it.each(table)('the exchange %j counts as the failure %j', (exchange, failure) => {
    expect(toReply(exchange, parse)).toEqual({ ok: false, failure })
  })

  it.each([
    ['connection', ['ECONNREFUSED', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT', '']],
    ['name', ['ENOTFOUND', 'EAI_AGAIN']],
    ['certificate', ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN']],
    ['certificate', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']],
    ['tls', ['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO']],
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
        expect('detail' in failure ? failure.detail.length : 0).toBeLessThanOrEqual(1000)
        // Without a response, only a request that was not sent is certain not to have arrived.
        if (seen.type === 'silence') expect(mayHaveArrived(failure)).toBe(seen.sent)
        else if (seen.status < 300 || seen.status > 499) expect(mayHaveArrived(failure)).toBe(true)
      }),
      runs(200),
    )
  })
})
