/** The composition root: reads the environment and passes it to the main step or the post step. */
import './node-version.ts'
// Imported before the other modules, so that no signal kills the step while they load.
import './signals.ts'
import { readFileSync } from 'node:fs'
import { createClock } from './adapters/clock.ts'
import { createRunner, readInputs } from './adapters/runner.ts'
import { cancelled } from './signals.ts'
import { contextOf } from './steps/context.ts'
import { runMain } from './steps/main.ts'

const { env } = process

const isTlsUnchecked = env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
// Otherwise, Node would warn that certificates are not checked.
delete env.NODE_TLS_REJECT_UNAUTHORIZED

const raw = readInputs()
const step = contextOf(env, raw, readPayload(env.GITHUB_EVENT_PATH), {
  runner: createRunner([raw['api-key'], raw['github-token']]),
  clock: createClock(),
  cancelled,
})

// dist/post.js adds this argument before it loads the bundle. The runner passes no arguments.
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

/** Reads the event's payload from its file; undefined if it cannot be read, which counts as no event. */
function readPayload(path = ''): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
