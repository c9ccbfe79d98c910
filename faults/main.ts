/**
 * `npm run faults`: runs the committed bundle over real sockets, with every fault in every operation (matrix.ts), with
 * signals at many moments, and with a slow or hanging GitHub (command.ts). Prints a line for each run, and fails if a run
 * breaks a rule.
 */
import { signalled, slowGitHub } from './command.ts'
import { matrix } from './matrix.ts'
import { runAll } from './verdict.ts'

// The runs of the matrix and those with a slow GitHub mostly wait. A signal must arrive at its moment.
const verdicts = [
  ...(await runAll(await matrix(), 10)),
  ...(await runAll(signalled(), 4)),
  ...(await runAll(slowGitHub(), 16)),
]
const failed = verdicts.filter(({ broken }) => broken.length > 0)
for (const { name, broken } of failed) console.error(`${name}: ${broken.join(', ')}`)
console.log(`${verdicts.length - failed.length} passed, ${failed.length} failed`)
if (failed.length > 0) process.exitCode = 1
