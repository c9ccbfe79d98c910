// Replaces `undici` in the bundle with only the parts that are used. undici's own entry also loads fetch, WebSocket,
// caches and mocks, which takes a quarter of the time from a step's start to its first request (`npm run bench`).
// @actions/core would load that entry for an OIDC client that is not used here.

// The bundle does not contain undici's experimental parser (scripts/bundle.ts), so the environment must not select it.
delete process.env.UNDICI_USE_MILO

const buildConnector = require('undici/lib/core/connect.js')
const Agent = require('undici/lib/dispatcher/agent.js')
const Client = require('undici/lib/dispatcher/client.js')
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')
const apiConnect = require('undici/lib/api/api-connect.js')
const apiRequest = require('undici/lib/api/api-request.js')

// undici's own entry does the same. ProxyAgent opens its tunnels with `connect`.
Dispatcher.prototype.connect = apiConnect

/** Like undici's own `request` with a dispatcher. */
function request(url, { dispatcher, ...options }) {
  const { origin, pathname, search } = new URL(url)
  return apiRequest.call(dispatcher, { ...options, origin, path: `${pathname}${search}` })
}

module.exports = {
  Agent,
  buildConnector,
  Client,
  // Most steps have no proxy, so it only loads if there is one.
  get ProxyAgent() {
    return require('undici/lib/dispatcher/proxy-agent.js')
  },
  request,
}
