// The post step: the same bundle as the main step, with an argument that tells it apart.
process.argv.push('post')
await import('./index.js')
