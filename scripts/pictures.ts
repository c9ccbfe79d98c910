/** Takes the README's pictures in a real browser, from real runs against the embedded platform. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { projectDir } from '../sandbox/runner/action.ts'
import { launchChromium } from '../test/browser.ts'

interface Picture {
  name: string
  /** The arguments of `npm start`. */
  run: string[]
  /** The file that the run writes. */
  page: string
  width: number
  height: number
}

const pictures: Picture[] = [
  {
    name: 'reply',
    run: ['--comment', '/docs fix the install page'],
    page: 'out/thread.html',
    ...{ width: 760, height: 560 },
  },
  { name: 'pull-request', run: ['--push'], page: 'out/thread.html', ...{ width: 760, height: 380 } },
  { name: 'summary', run: ['--mode', 'visitors'], page: 'out/summary.html', ...{ width: 760, height: 1240 } },
  {
    name: 'report',
    run: ['--mode', 'visitors'],
    page: 'out/report/report.html',
    ...{ width: 1100, height: 1300 },
  },
]

const folder = join(projectDir, 'docs/images')
mkdirSync(folder, { recursive: true })
const browser = await launchChromium()
for (const picture of pictures) await take(browser, picture)
await browser.close()

async function take(browser: Browser, { name, run, page: file, width, height }: Picture): Promise<void> {
  execFileSync(process.execPath, [join(projectDir, 'sandbox/start.ts'), ...run], { cwd: projectDir })
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme })
    await page.goto(pathToFileURL(join(projectDir, file)).href)
    // Mermaid draws after the page has loaded.
    await page.locator('code.language-mermaid').waitFor({ state: 'detached' })
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
    await page.close()
  }
}
