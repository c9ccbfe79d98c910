/** The proxies that the environment names, read as curl does: lower-case names take precedence; the scheme is optional. */
import type { InputFault } from './problems.ts'

/** URLs of proxies; empty for none. `noProxy` lists the hosts that need no proxy. */
export interface ProxySettings {
  httpProxy: string
  httpsProxy: string
  noProxy: string
}

/** Reads the proxy variables of an environment, and what is wrong with them. */
export function readProxies(env: Readonly<Record<string, string | undefined>>): {
  proxy: ProxySettings
  proxyFaults: InputFault[]
} {
  const either = (name: string) => env[name] || env[name.toUpperCase()] || ''
  const inputs = ['http_proxy', 'https_proxy']
  const [httpProxy = '', httpsProxy = ''] = inputs.map((input) => readAddress(either(input)))
  return {
    proxy: { httpProxy, httpsProxy, noProxy: either('no_proxy') },
    proxyFaults: inputs
      .filter((input) => readAddress(either(input)) === undefined)
      .map((input) => fault(input, either(input))),
  }
}

function readAddress(text: string): string | undefined {
  if (text === '') return ''
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const { protocol = '', username = '', password = '' } = URL.parse(address) ?? {}
  return /^https?:$/.test(protocol) && isEncoded(`${username}:${password}`) ? address : undefined
}

/** Whether a user and a password can be decoded. Otherwise, undici would throw. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A proxy's URL may contain a password, so it is not shown. */
function fault(input: string, value: string): InputFault {
  const expected =
    'the address of an http proxy, such as http://proxy:8080; in a password, a % is written as %25'
  return { input, got: `${value.length} characters`, expected }
}
