/** `npm run pictures`: takes the README's pictures in a browser, from runs against the embedded platform. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lastFolder } from '../sandbox/demo.ts'
import { projectDir } from '../sandbox/runner/action.ts'
import { launchChromium } from '../test/browser.ts'

/** The arguments of `npm start`, if anything runs; the page to show; the width; the height of its picture, at most. */
type Picture = [name: string, run: string[] | null, page: string, width: number, height: number]

const sections = ['--sections', 'feedback, searches, questions', '--command', '/docs']
const pictures: Picture[] = [
  ['reply', ['--comment'], 'thread.html', 760, 692],
  ['report', ['--mode', 'visitors', ...sections], 'report/report.html', 1100, 1300],
  // Shown when someone shares a link to the repository. GitHub recommends 1280 × 640.
  ['social-preview', null, 'social-preview.html', 1280, 640],
]

const folder = join(projectDir, 'docs/images')
mkdirSync(folder, { recursive: true })
const browser = await launchChromium()
for (const [name, run, file, width, height] of pictures) {
  if (run !== null)
    execFileSync(process.execPath, [join(projectDir, 'sandbox/start.ts'), ...run], { cwd: projectDir })
  for (const colorScheme of run === null ? (['light'] as const) : (['light', 'dark'] as const)) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme })
    const pages = run === null ? join(projectDir, 'scripts') : lastFolder()
    await page.goto(pathToFileURL(join(pages, file)).href)
    const shown = Number(await page.evaluate('document.documentElement.getBoundingClientRect().height'))
    const clip = { x: 0, y: 0, width, height: Math.min(height, Math.ceil(shown) || height) }
    const suffix = run === null ? '' : `-${colorScheme}`
    await page.screenshot({ path: join(folder, `${name}${suffix}.png`), clip })
    await page.close()
  }
}
await browser.close()
