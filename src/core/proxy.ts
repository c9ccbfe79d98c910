/** The proxy that the environment names, as curl reads it: either case, the lower one first, a scheme or none. */
import type { InputFault } from './inputs/inputs.ts'
import { oneLine } from './text.ts'

/** Addresses of proxies; empty where there is none. `noProxy` lists the hosts that are reached without one. */
export interface ProxySettings {
  httpProxy: string
  httpsProxy: string
  noProxy: string
}

export type ReadProxies = { ok: true; proxy: ProxySettings } | { ok: false; faults: InputFault[] }

/** Reads the proxy's variables out of an environment. */
export function readProxies(env: Readonly<Record<string, string | undefined>>): ReadProxies {
  const either = (name: string) => env[name] || env[name.toUpperCase()] || ''
  const httpProxy = readAddress(either('http_proxy'))
  const httpsProxy = readAddress(either('https_proxy'))
  if (httpProxy !== undefined && httpsProxy !== undefined)
    return { ok: true, proxy: { httpProxy, httpsProxy, noProxy: either('no_proxy') } }
  const faulty = [
    ...(httpProxy === undefined ? ['http_proxy'] : []),
    ...(httpsProxy === undefined ? ['https_proxy'] : []),
  ]
  return { ok: false, faults: faulty.map((input) => fault(input, either(input))) }
}

/** Whether a request to an address is passed on by a proxy (`no_proxy` as curl reads it: hosts, domains, or `*`). */
export function goesThroughProxy(url: string, { httpProxy, httpsProxy, noProxy }: ProxySettings): boolean {
  const { protocol, hostname, port } = new URL(url)
  if ((protocol === 'https:' ? httpsProxy : httpProxy) === '') return false
  return !noProxy.split(/[,\s]+/).some((entry) => {
    const [, host = '', onPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []
    if (entry === '*') return true
    if (host === '' || (onPort !== undefined && onPort !== port)) return false
    return hostname === host.toLowerCase() || hostname.endsWith(`.${host.toLowerCase()}`)
  })
}

function readAddress(text: string): string | undefined {
  if (text === '') return ''
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '') ? address : undefined
}

/** A proxy's address may hold a password: only what stands behind it is shown. */
function fault(input: string, value: string): InputFault {
  return {
    input,
    got: `"${oneLine(value.replace(/^.*@/s, '…@'), 80)}"`,
    expected: 'the address of an http proxy, such as http://proxy:8080',
  }
}
