// What `undici` stands for in the bundle: the parts that are used. undici's own entry loads fetch, WebSocket, caches and
// mocks as well, a quarter of the time from the start of a step to its first request (`npm run bench`), and
// @actions/core loads that entry for an OIDC client that is not used here.
const buildConnector = require('undici/lib/core/connect.js')
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')
const EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js')
const ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js')
const apiConnect = require('undici/lib/api/api-connect.js')
const apiRequest = require('undici/lib/api/api-request.js')

// As undici's own entry does: a tunnel through a proxy is a `connect`.
Dispatcher.prototype.connect = apiConnect

/** As undici's own `request`, for a dispatcher that is given. */
function request(url, { dispatcher, ...options }) {
  const { origin, pathname, search } = new URL(url)
  return apiRequest.call(dispatcher, { ...options, origin, path: `${pathname}${search}` })
}

module.exports = { buildConnector, EnvHttpProxyAgent, ProxyAgent, request }
