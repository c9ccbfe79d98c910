/**
 * `npm run serve`: runs the embedded platform and the GitHub mock until it is stopped. CI runs the action against
 * them, and so can you. Prints their URLs and a command that uses them. If `GITHUB_OUTPUT` is set, the URLs are outputs.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDemo } from './demo.ts'
import { sandboxGitHubToken } from './github/server.ts'
import { sandboxKey } from './platform/server.ts'

const ended = new Promise<void>((resolve) => {
  process.once('SIGINT', resolve)
  process.once('SIGTERM', resolve)
})

const { platform, hub: github, event: scene } = await startDemo('/docs fix the install page')
const folder = mkdtempSync(join(tmpdir(), 'serve-'))
const event = join(folder, 'event.json')
writeFileSync(event, JSON.stringify(scene.payload))
/** Without these files, the action would print its outputs, and could not write its summary. */
const commandFiles = ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'].map((name) => {
  const path = join(folder, name)
  writeFileSync(path, '')
  return `${name}=${path}`
})

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
console.log(`${lines.join('')}
To run the action for the comment, in another terminal:

  env 'INPUT_PROJECT-ID=sandbox-docs' 'INPUT_API-KEY=${sandboxKey}' 'INPUT_BASE-URL=${platform.url}' \\
    'INPUT_GITHUB-TOKEN=${sandboxGitHubToken}' INPUT_COMMAND=/docs INPUT_POLL-INTERVAL=1s \\
    GITHUB_API_URL=${github.url} GITHUB_REPOSITORY=acme/docs \\
    GITHUB_ACTOR=mona GITHUB_EVENT_NAME=issue_comment GITHUB_EVENT_PATH=${event} \\
    ${commandFiles.join(' ')} \\
    '${process.execPath}' dist/index.js

Press Ctrl-C to stop.
ready`)

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
