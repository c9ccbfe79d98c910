// The post step: the same bundle as the main step, told by a word that it is the post step.
process.argv.push('post')
await import('./index.js')
