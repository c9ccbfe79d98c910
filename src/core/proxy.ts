/** The proxies that the environment names, read as curl does: lower-case names take precedence; the scheme is optional. */
import type { InputFault } from './problems.ts'

/** URLs of proxies; empty for none. `noProxy` lists the hosts that need no proxy. */
export interface ProxySettings {
  httpProxy: string
  httpsProxy: string
  noProxy: string
}

const expected =
  'the address of an http proxy, such as http://proxy:8080; in a password, a % is written as %25'

/** Reads the proxy variables of an environment, and what is wrong with them. */
export function readProxies(env: Readonly<Record<string, string | undefined>>) {
  const proxyFaults: InputFault[] = []
  const textOf = (name: string) => env[name] || env[name.toUpperCase()] || ''
  const addressOf = (input: string) => {
    const text = textOf(input)
    const address = readAddress(text)
    if (address !== undefined) return address
    // A proxy's URL may contain a password, so it is not shown.
    proxyFaults.push({ input, got: `${text.length} characters`, expected })
    return ''
  }
  const proxy: ProxySettings = {
    httpProxy: addressOf('http_proxy'),
    httpsProxy: addressOf('https_proxy'),
    noProxy: textOf('no_proxy'),
  }
  return { proxy, proxyFaults }
}

/** The URL of a proxy; undefined if the text cannot be read as one. */
function readAddress(text: string) {
  if (text === '') return ''
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const address = hasScheme ? text : `http://${text}`
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (!isDecodable(`${url.username}:${url.password}`)) return undefined
  return address
}

/** Whether a user and a password can be decoded. Otherwise, undici would throw. */
function isDecodable(text: string) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
