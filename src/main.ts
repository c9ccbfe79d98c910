/** The composition root: reads the environment and passes it to the main step or the post step. */
import './node-version.ts'
// Before all else: while the rest is loaded, a signal must not kill the step.
import './signals.ts'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { clock } from './adapters/clock.ts'
import { createRunner, readInputs } from './adapters/runner.ts'
import { inputNames } from './core/inputs/inputs.ts'
import { cancelled } from './signals.ts'
import { contextOf } from './steps/environment.ts'
import { runMain } from './steps/main.ts'

const { env } = process

const isTlsUnchecked = env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
// Node would warn that it does not check certificates.
delete env.NODE_TLS_REJECT_UNAUTHORIZED

const raw = readInputs(inputNames)
const step = contextOf(env, raw, {
  runner: createRunner([raw['api-key'], raw['github-token']]),
  payload: readPayload(env.GITHUB_EVENT_PATH),
  dist: dirname(process.argv[1] ?? ''),
  currentFolder: () => process.cwd(),
  clock,
  cancelled,
})

// dist/post.js adds this argument and loads the same bundle. The runner itself passes no arguments.
if (process.argv.includes('post')) {
  const { runPost } = await import('./steps/post.ts')
  await runPost(raw, step)
} else {
  if (isTlsUnchecked)
    step.runner.log({
      level: 'warning',
      title: 'NODE_TLS_REJECT_UNAUTHORIZED is ignored',
      text: 'This action always checks certificates. To trust your own authority, set NODE_EXTRA_CA_CERTS to its certificate.',
    })
  await runMain(raw, step)
}

/** The event's payload is a file. Returns undefined if it cannot be read: then there is no event. */
function readPayload(path = ''): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
