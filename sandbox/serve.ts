/**
 * `npm run serve`: runs the embedded platform and the GitHub double until it is stopped. CI runs the action against
 * them, and so can you. Prints their URLs and, if `GITHUB_OUTPUT` is set, writes them as outputs.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays, daysSinceMonday } from '../src/visitors/core/calendar.ts'
import { sandboxGitHubToken, startGitHub } from './github/server.ts'
import { demoReaders } from './platform/demo-readers.ts'
import { sandboxKey, startPlatform } from './platform/server.ts'
import { seededTraffic } from './platform/traffic.ts'
import { commented } from './scene.ts'

/** The command in the comment that triggers the event file. */
const asked = '/docs fix the install page'

const ended = new Promise<void>((resolve) => {
  process.once('SIGINT', resolve)
  process.once('SIGTERM', resolve)
})

const today = new Date().toISOString().slice(0, 10)
// The events of the seeded traffic are in the week that the report shows by default.
const visitors = seededTraffic({ today: addDays(today, -daysSinceMonday(today)) })
const platform = await startPlatform({ visitors, readers: demoReaders(today) })
const scene = commented(asked)
const github = await startGitHub(scene.github)
const folder = mkdtempSync(join(tmpdir(), 'serve-'))
const event = join(folder, 'event.json')
writeFileSync(event, JSON.stringify(scene.event.payload))

const places = {
  'platform-url': platform.url,
  'project-id': 'sandbox-docs',
  'api-key': sandboxKey,
  'github-url': github.url,
  'github-token': sandboxGitHubToken,
  'comment-event': event,
  pid: String(process.pid),
}
const lines = Object.entries(places).map(([name, value]) => `${name}=${value}\n`)
const { GITHUB_OUTPUT: output } = process.env
if (output) appendFileSync(output, lines.join(''))
console.log(`${lines.join('')}ready`)

await ended
rmSync(folder, { recursive: true })
try {
  // Each rejects if a response did not conform to its OpenAPI description.
  await platform.close()
  await github.close()
  console.log(
    `ended: ${platform.requests.length} requests to the platform, ${github.requests.length} to GitHub, no mistake`,
  )
} catch (error) {
  console.error(String(error))
  process.exitCode = 1
}
