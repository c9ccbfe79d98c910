/** Finds a Chromium on this machine, for the tests that look at a page as readers do. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser's path: the value of CHROMIUM, Debian's, or the first on the PATH; undefined if there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const candidates = env.CHROMIUM ? [env.CHROMIUM] : ['/usr/bin/chromium', ...onPath]
  return candidates.find(isExecutable)
}

/** Whether there is no browser. If so, prints what is skipped, so that no one overlooks it. */
export function withoutChromium(what: string): boolean {
  if (findChromium() !== undefined) return false
  process.stdout.write(`skipped: no Chromium for ${what}; install one, or name it in CHROMIUM\n`)
  return true
}

/** Starts the browser without a window or sound. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine.')
  // Loaded here because it loads slowly, and most test files need no browser.
  const { chromium } = await import('playwright-core')
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
    ],
  })
}
