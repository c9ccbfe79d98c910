import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Exchange, mayHaveArrived, toReply } from '../../../src/core/job/response.ts'
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

const exchanges: Exchange[] = [
  ...[answer(204), answer(201, '{"id":'), answer(200, 'null'), cutOff(201)],
  ...[answer(301, '', { location: '//e' }), cutOff(399)],
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
      const { type, ...seen } = exchange
      const reply = toReply(exchange, parse)
      return `${type} ${Object.values(seen).map(String).join(' ')}: ${JSON.stringify(reply.ok ? reply : reply.failure)}`
    })
    expect(shown.join('\n')).toMatchInlineSnapshot(`
      "response 204 [object Object] : {"kind":"unreadable","status":204,"problem":"its body is not JSON"}
      response 201 [object Object] {"id":: {"kind":"unreadable","status":201,"problem":"its body is not JSON"}
      response 200 [object Object] null: {"kind":"unreadable","status":200,"problem":"its JSON lacks required fields"}
      cut-off 201 [object Object] it broke off: {"kind":"unreadable","status":201,"problem":"it broke off"}
      response 301 [object Object] : {"kind":"redirected","status":301,"location":"//e"}
      cut-off 399 [object Object] it broke off: {"kind":"redirected","status":399,"location":""}
      response 400 [object Object] plain words: {"kind":"rejected","status":400,"detail":"plain words"}
      cut-off 403 [object Object] it broke off: {"kind":"rejected","status":403,"detail":""}
      cut-off 429 [object Object] it broke off: {"kind":"rejected","status":429,"detail":"","retryAfter":"7"}
      response 499 [object Object] : {"kind":"rejected","status":499,"detail":""}
      response 503 [object Object] oops: {"kind":"broken","status":503,"detail":"oops","retryAfter":"soon"}
      response 199 [object Object] "good": {"kind":"broken","status":199,"detail":"\\"good\\""}
      response 999 [object Object] : {"kind":"broken","status":999,"detail":""}
      silence true ECONNRESET true: {"kind":"no-response","code":"ECONNRESET"}
      response 400 [object Object] {"error":"bad","details":[{"message":"a"},{"message":"b"}]}: {"kind":"rejected","status":400,"detail":"bad; a; b"}
      response 400 [object Object] {"message":"x","errors":[{"message":"a"},null,7,"x",{"message":5}]}: {"kind":"rejected","status":400,"detail":"x; a"}
      response 400 [object Object] {"error":{"message":"x"}}: {"kind":"rejected","status":400,"detail":"{\\"error\\":{\\"message\\":\\"x\\"}}"}
      response 400 [object Object] []: {"kind":"rejected","status":400,"detail":"[]"}
      response 400 [object Object] null: {"kind":"rejected","status":400,"detail":"null"}"
    `)
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
