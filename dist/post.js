// The post step runs the same bundle as the main step, with the argument `post`. Loading the bundle takes a tenth of a
// second, so it is only loaded if the main step left something to do (src/adapters/runner.ts).
const { STATE_finished: finished, STATE_checkpoint: checkpoint } = process.env
if (!finished || checkpoint) {
  process.argv.push('post')
  await import('./index.js')
}
