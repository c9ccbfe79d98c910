// Replaces `undici` and `@actions/http-client` in the bundle with only the parts that are used. @actions/core imports
// both for an OIDC client, and @actions/github for a transport that src/github/client.ts replaces. undici's own
// entry also loads fetch, WebSocket, caches and mocks, which takes longer than everything else (`npm run bench`).
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')

// undici's own entry does the same. ProxyAgent opens its tunnels with `connect`.
Dispatcher.prototype.connect = require('undici/lib/api/api-connect.js')

module.exports = {
  Client: require('undici/lib/dispatcher/client.js'),
  EnvHttpProxyAgent: require('undici/lib/dispatcher/env-http-proxy-agent.js'),
  // Imported, but never called.
  fetch() {},
  HttpClient: class {
    getAgent() {}
    getAgentDispatcher() {}
  },
}
