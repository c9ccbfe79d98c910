import { describe, expect, it } from 'vitest'
import { proxyFor, readProxies } from '../../src/core/proxy.ts'

const httpProxy = 'http://plain:8080'
const httpsProxy = 'http://secure:8080'
const proxyOf = (url: string, noProxy = '') => proxyFor(url, { httpProxy, httpsProxy, noProxy })

describe('the proxy for a request', () => {
  it.each([
    ['https://api.example', httpsProxy],
    ['http://api.example', httpProxy],
    ['http://localhost:8080', ''],
    ['https://localhost', ''],
    ['https://docs.localhost', httpsProxy],
    ['http://127.0.0.1:8080', ''],
    ['http://127.1', ''],
    ['https://[::1]:8443', ''],
    ['https://localhost.example', httpsProxy],
    ['https://127.0.0.1.example', httpsProxy],
    ['https://128.0.0.1', httpsProxy],
  ])('the proxy for a request to %s is %j', (url, proxy) => {
    expect(proxyOf(url)).toBe(proxy)
  })

  it.each([
    ['*', true],
    ['api.example', true],
    ['API.example', true],
    ['.api.example', true],
    ['example', true],
    ['.example', true],
    ['*.example', true],
    ['other.example, api.example', true],
    ['other.example api.example', true],
    ['api.example.', true],
    ['api.example:443', true],
    ['api.example:8443', false],
    ['pi.example', false],
    ['www.api.example', false],
    ['', false],
    [' , ', false],
    ['.', false],
  ])('https://api.example bypasses the proxy with no_proxy %j: %s', (noProxy, isDirect) => {
    expect(proxyOf('https://api.example/v2', noProxy)).toBe(isDirect ? '' : httpsProxy)
  })

  it.each([
    ['fd00::1', true],
    ['[fd00::1]', true],
    ['[fd00::1]:8443', true],
    ['[fd00::1]:443', false],
    ['fd00::2', false],
  ])('an IPv6 address bypasses the proxy with no_proxy %j: %s', (noProxy, isDirect) => {
    expect(proxyOf('https://[fd00::1]:8443', noProxy)).toBe(isDirect ? '' : httpsProxy)
  })
})

it('lower-case proxy variables take precedence, and the scheme is optional', () => {
  const env = { https_proxy: 'lower:1', HTTPS_PROXY: 'upper:1', HTTP_PROXY: 'https://upper:2', NO_PROXY: '*' }
  expect(readProxies(env)).toEqual({
    proxyFaults: [],
    proxy: { httpsProxy: 'http://lower:1', httpProxy: 'https://upper:2', noProxy: '*' },
  })
})
