import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Exchange, type Failure, mayHaveArrived, toReply } from '../../../src/core/job/response.ts'
import {
  broken,
  hostileText,
  noResponse,
  reasons,
  redirected,
  rejected,
  runs,
  unreachable,
  unreadable,
} from '../samples.ts'

const answer = (status: number, text = '', headers = {}): Exchange => ({
  type: 'response',
  status,
  headers,
  text,
})
const silence = (sent: boolean, code: string, viaProxy = false): Exchange => ({
  type: 'silence',
  sent,
  code,
  viaProxy,
})
const cutOff = (status: number, headers = {}): Exchange => ({
  type: 'cut-off',
  status,
  headers,
  problem: 'it broke off',
})

const parse = (json: unknown) => (json === 'good' ? 'parsed' : undefined)

describe('a response', () => {
  it.each([200, 201, 202, 299])(
    'a response with status %i and a correct body is read as a value',
    (status) => {
      expect(toReply(answer(status, '"good"'), parse)).toEqual({ ok: true, value: 'parsed' })
    },
  )

  const table: [name: string, exchange: Exchange, failure: Failure][] = [
    ['an empty body', answer(200), { kind: 'unreadable', status: 200, problem: 'its body is not JSON' }],
    [
      'an empty body and status 204',
      answer(204),
      { kind: 'unreadable', status: 204, problem: 'its body is not JSON' },
    ],
    ['HTML', answer(200, '<html>'), { kind: 'unreadable', status: 200, problem: 'its body is not JSON' }],
    [
      'half of its JSON',
      answer(201, '{"id":'),
      { kind: 'unreadable', status: 201, problem: 'its body is not JSON' },
    ],
    [
      'other JSON',
      answer(201, '{}'),
      { kind: 'unreadable', status: 201, problem: 'its JSON lacks required fields' },
    ],
    [
      'null',
      answer(200, 'null'),
      { kind: 'unreadable', status: 200, problem: 'its JSON lacks required fields' },
    ],
    ['a success that breaks off', cutOff(201), { kind: 'unreadable', status: 201, problem: 'it broke off' }],
    [
      'a redirect',
      answer(301, '', { location: '//e' }),
      { kind: 'redirected', status: 301, location: '//e' },
    ],
    ['a redirect without a location', answer(304), { kind: 'redirected', status: 304, location: '' }],
    [
      'a redirect that breaks off',
      cutOff(302, { location: '/' }),
      { kind: 'redirected', status: 302, location: '/' },
    ],
    ['a rejection', answer(400, '{"error":"bad"}'), { kind: 'rejected', status: 400, detail: 'bad' }],
    ['a rejection that breaks off', cutOff(403), { kind: 'rejected', status: 403, detail: '' }],
    [
      'a rate limit',
      answer(429, '{"error":"slow"}', { 'retry-after': '7' }),
      { kind: 'rejected', status: 429, detail: 'slow', retryAfter: '7' },
    ],
    [
      'a rate limit that breaks off',
      cutOff(429, { 'retry-after': '7' }),
      { kind: 'rejected', status: 429, detail: '', retryAfter: '7' },
    ],
    ['the highest status of a rejection', answer(499, ''), { kind: 'rejected', status: 499, detail: '' }],
    ['a server error', answer(500, 'oops'), { kind: 'broken', status: 500, detail: 'oops' }],
    [
      'a server error with Retry-After',
      answer(503, '', { 'retry-after': 'soon' }),
      { kind: 'broken', status: 503, detail: '', retryAfter: 'soon' },
    ],
    ['a status below 200', answer(199, '"good"'), { kind: 'broken', status: 199, detail: '"good"' }],
    ['a status above 599', answer(999), { kind: 'broken', status: 999, detail: '' }],
    ['no response after sending', silence(true, 'ECONNRESET'), { kind: 'no-response', code: 'ECONNRESET' }],
    [
      'no response through a proxy after sending',
      silence(true, 'UND', true),
      { kind: 'no-response', code: 'UND' },
    ],
  ]
  it.each(table)('an exchange counts as a failure: %s', (_, exchange, failure) => {
    expect(toReply(exchange, parse)).toEqual({ ok: false, failure })
  })

  it.each([
    ['ECONNREFUSED', false, 'connection'],
    ['EHOSTUNREACH', false, 'connection'],
    ['UND_ERR_CONNECT_TIMEOUT', false, 'connection'],
    ['', false, 'connection'],
    ['ENOTFOUND', false, 'name'],
    ['EAI_AGAIN', false, 'name'],
    ['CERT_HAS_EXPIRED', false, 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false, 'certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false, 'certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', false, 'certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false, 'certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', false, 'certificate'],
    ['CERT_HAS_EXPIRED', true, 'certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', false, 'tls'],
    ['EPROTO', false, 'tls'],
    ['ECONNREFUSED', true, 'proxy'],
    ['ENOTFOUND', true, 'proxy'],
    ['UND_ERR_ABORTED', true, 'proxy'],
  ] as const)('a failed connection with %j (proxy: %s) is classified as %s', (code, viaProxy, reason) => {
    const failure = { kind: 'unreachable', reason, code }
    expect(toReply(silence(false, code, viaProxy), parse)).toEqual({ ok: false, failure })
  })

  it.each([
    ['{"error":"bad"}', 'bad'],
    ['{"error":"bad","details":[{"message":"a"},{"message":"b"}]}', 'bad; a; b'],
    ['{"details":[{"message":"a"},null,7,"x",{"message":5}]}', 'a'],
    ['{"error":{"message":"x"}}', '{"error":{"message":"x"}}'],
    ['{"error":"bad","details":{"message":"x"}}', 'bad; x'],
    ['[]', '[]'],
    ['null', 'null'],
    ['plain words', 'plain words'],
    ['', ''],
  ])('a response with the body “%s” has the message “%s”', (text, detail) => {
    expect(toReply(answer(400, text), parse)).toEqual({
      ok: false,
      failure: { kind: 'rejected', status: 400, detail },
    })
  })

  it('a response with any status, body and headers is a value, or a failure with a message of at most 1,000 characters', () => {
    const exchange = fc.oneof(
      fc
        .tuple(
          fc.integer({ min: 100, max: 999 }),
          fc.oneof(hostileText, fc.json()),
          fc.integer({ min: 1, max: 99 }),
        )
        .map(([status, text, times]) =>
          answer(status, text.repeat(times), { retryAfter: text, location: text }),
        ),
      fc.integer({ min: 100, max: 999 }).map((status) => cutOff(status)),
      fc
        .tuple(fc.boolean(), hostileText, fc.boolean())
        .map(([sent, code, proxy]) => silence(sent, code, proxy)),
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

describe('a request', () => {
  const rows: [seen: string, failure: Failure, may: boolean][] = [
    ...reasons.map((reason): [string, Failure, boolean] => [
      `a failed connection (${reason})`,
      unreachable(reason),
      false,
    ]),
    ['no response', noResponse, true],
    ['an unreadable response', unreadable, true],
    ['a redirect', redirected, false],
    ['a rejection with 400', rejected(400), false],
    ['a rejection with 401', rejected(401), false],
    ['a rejection with 403', rejected(403), false],
    ['a rejection with 404', rejected(404), false],
    ['a rejection with 408', rejected(408), true],
    ['a rejection with 429', rejected(429), false],
    ['a server error with 500', broken(500), true],
    ['a server error with 502', broken(502), true],
    ['a server error with 503', broken(503), true],
    ['a server error with 504', broken(504), true],
  ]
  const outcomes = rows.map(([seen, failure, may]) => ({ seen, failure, may, can: may ? 'may' : 'cannot' }))
  it.each(outcomes)('a request $can have arrived after $seen', ({ failure, may }) => {
    expect(mayHaveArrived(failure)).toBe(may)
  })

  // RFC 9110, 15.4.4: a server can respond with 303 after it has acted on the request.
  it('a request redirected with 303 may have arrived', () => {
    expect(mayHaveArrived({ ...redirected, status: 303 } as Failure)).toBe(true)
  })
})
