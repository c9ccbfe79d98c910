/**
 * Ends with an error if Node.js is too old. GitHub's runner uses the version in action.yml, but dist/index.js can be
 * run directly. This module is imported first, because ending the process is only safe before anything has run.
 */
import { appendFileSync, writeSync } from 'node:fs'

const required = 24

if (Number.parseInt(process.versions.node, 10) < required) {
  const { GITHUB_OUTPUT: output } = process.env
  if (output) appendFileSync(output, 'outcome=error\n')
  writeSync(1, `::error::This action needs Node.js ${required} or newer. This is ${process.versions.node}.\n`)
  process.exit(1)
}
