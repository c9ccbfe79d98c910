import { expect, it } from 'vitest'
import { readProxies } from '../../src/core/proxy.ts'

it('lower-case proxy variables take precedence, and the scheme is optional', () => {
  const env = { https_proxy: 'lower:1', HTTPS_PROXY: 'upper:1', HTTP_PROXY: 'HTTPS://upper:2', NO_PROXY: '*' }
  expect(readProxies(env)).toEqual({
    proxyFaults: [],
    proxy: { httpsProxy: 'http://lower:1', httpProxy: 'HTTPS://upper:2', noProxy: '*' },
  })
})

it('the user and the password are decoded separately', () => {
  const env = { http_proxy: 'http://a%4:1b@proxy:1', https_proxy: 'http://a:1%@proxy:1' }
  expect(readProxies(env).proxyFaults.map(({ input }) => input)).toEqual(['http_proxy', 'https_proxy'])
})
