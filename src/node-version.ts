/**
 * GitHub's runner brings the Node.js that action.yml names. Someone who runs dist/index.js directly may have an older one,
 * which lacks functions that the action calls. Imported first: ending the process here is safe, because nothing has run.
 */
import { writeSync } from 'node:fs'

const required = 24

if (Number.parseInt(process.versions.node, 10) < required) {
  writeSync(1, `::error::This action needs Node.js ${required} or newer. This is ${process.versions.node}.\n`)
  process.exit(1)
}
