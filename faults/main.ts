/**
 * `npm run faults`: runs the committed bundle over real sockets, with every fault in every operation (matrix.ts), with
 * signals at many moments, and with a slow or hanging GitHub (command.ts). Prints a line for each run, and fails if a run
 * breaks a rule.
 */
import { hanging, signalled, slowGitHub } from './command.ts'
import { matrix } from './matrix.ts'
import { runAll } from './verdict.ts'

// Each run adds a listener for the exit.
process.setMaxListeners(0)
// Most runs only wait, but a signal must arrive at its moment.
const runs = [
  ...(await runAll([...hanging(), ...slowGitHub(), ...(await matrix())], 16)),
  ...(await runAll(signalled(), 4)),
]
const failed = runs.filter(({ broken }) => broken.length > 0)
for (const { name, broken } of failed) console.error(`${name}: ${broken.join(', ')}`)
console.log(`${runs.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
