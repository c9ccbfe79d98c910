// Replaces `@octokit/plugin-rest-endpoint-methods` in the bundle. @actions/github adds its hundreds of methods to every
// client, but src/github/ calls GitHub by path, so they would be a tenth of the bundle for nothing.
module.exports = {
  restEndpointMethods: () => ({}),
}
