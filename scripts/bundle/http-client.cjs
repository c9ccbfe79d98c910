// Replaces `@actions/http-client` in the bundle, and cannot send requests. @actions/core imports it for an OIDC client
// that is not used here, and @actions/github for a default transport that src/adapters/github/client.ts replaces.

class HttpClient {
  getAgent() {}
  getAgentDispatcher() {}
}

module.exports = { HttpClient }
