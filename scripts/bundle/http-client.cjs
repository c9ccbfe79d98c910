// Stands for `@actions/http-client` in the bundle, without its requests: @actions/core has it for an OIDC client that is not
// used here, and @actions/github for a default transport that src/adapters/github/client.ts replaces.

class HttpClient {
  getAgent() {}
  getAgentDispatcher() {}
}

module.exports = { HttpClient }
