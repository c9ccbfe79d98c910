/** `npm run pictures`: takes the README's pictures in a browser, from runs against the embedded platform. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { projectDir } from '../sandbox/runner/action.ts'
import { launchChromium } from '../test/browser.ts'

interface Picture {
  name: string
  /** The arguments of `npm start`; null if nothing runs. */
  run: string[] | null
  /** The page to show, relative to the project. */
  page: string
  width: number
  /** Maximum height; the picture of a shorter page is shorter. */
  height: number
  schemes: readonly ('light' | 'dark')[]
}

const both = ['light', 'dark'] as const

const pictures: Picture[] = [
  {
    name: 'reply',
    run: ['--comment'],
    page: 'out/thread.html',
    width: 760,
    height: 692,
    schemes: both,
  },
  {
    name: 'report',
    page: 'out/summary.html',
    width: 1100,
    height: 1300,
    schemes: both,
    run: ['--mode', 'visitors', '--sections', 'feedback, searches, questions', '--command', '/docs'],
  },
  // Shown when someone shares a link to the repository. GitHub recommends 1280 × 640.
  {
    name: 'social-preview',
    run: null,
    page: 'scripts/social-preview.html',
    width: 1280,
    height: 640,
    schemes: ['light'],
  },
]

const folder = join(projectDir, 'docs/images')
mkdirSync(folder, { recursive: true })
const browser = await launchChromium()
for (const picture of pictures) await take(browser, picture)
await browser.close()

async function take(
  browser: Browser,
  { name, run, page: file, width, height, schemes }: Picture,
): Promise<void> {
  if (run !== null)
    execFileSync(process.execPath, [join(projectDir, 'sandbox/start.ts'), ...run], { cwd: projectDir })
  for (const colorScheme of schemes) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme })
    await page.goto(pathToFileURL(join(projectDir, file)).href)
    const shown = Number(await page.evaluate('document.documentElement.getBoundingClientRect().height'))
    const clip = { x: 0, y: 0, width, height: Math.min(height, Math.ceil(shown) || height) }
    const suffix = schemes.length === 1 ? '' : `-${colorScheme}`
    await page.screenshot({ path: join(folder, `${name}${suffix}.png`), clip })
    await page.close()
  }
}
