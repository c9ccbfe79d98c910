import { expect, it } from 'vitest'
import { readProxies } from '../../src/core/proxy.ts'

it('lower-case proxy variables take precedence, and the scheme is optional', () => {
  const env = { https_proxy: 'lower:1', HTTPS_PROXY: 'upper:1', HTTP_PROXY: 'HTTPS://upper:2', NO_PROXY: '*' }
  expect(readProxies(env)).toEqual({
    proxyFaults: [],
    proxy: { httpsProxy: 'http://lower:1', httpProxy: 'HTTPS://upper:2', noProxy: '*' },
  })
})
