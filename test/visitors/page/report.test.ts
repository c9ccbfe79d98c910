/** report.html as readers see it: opened from a file, in a real browser. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildPage } from '../../../scripts/page.ts'
import type { VisitorsReport } from '../../../src/visitors/page/visitors-report.ts'
import { launchChromium, withoutChromium } from '../../browser.ts'
import { contrast, type Rgb, rgbOf } from './contrast.ts'
import {
  fillPage,
  hostilePaths,
  makeEmpty,
  makeFirst,
  makeHostile,
  makeIncomplete,
  makeReport,
  makeUncompared,
  withReaders,
} from './sample.ts'

describe.skipIf(withoutChromium('the visitors report as a page'))('report.html', () => {
  let template: string
  let folder: string
  let browser: Browser
  /** Most tests share one page, one after another, because opening a page takes longer than a test. */
  let shared: Page
  /** The page that `read` opened; undefined before its first call. */
  let full: Page | undefined
  /** Unexpected requests and errors; must be empty after every test. */
  let troubles: string[] = []

  beforeAll(async () => {
    template = await buildPage()
    folder = mkdtempSync(join(tmpdir(), 'report-'))
    browser = await launchChromium()
    shared = await newPage()
  })

  afterEach(() => {
    const seen = troubles
    troubles = []
    expect(seen).toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const urlOfReport = () => pathToFileURL(join(folder, 'report.html')).href

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options)
    page.on('request', (request) => {
      if (request.url() !== urlOfReport()) troubles.push(`asked for ${request.url()}`)
    })
    page.on('console', (message) => troubles.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => troubles.push(error.message))
    page.on('dialog', (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return page
  }

  /** A reader's device and system. */
  interface Reader {
    viewport?: { width: number; height: number }
    colorScheme?: 'light' | 'dark'
  }

  async function showTo(reader: Reader, page: Page): Promise<void> {
    const { viewport = { width: 1280, height: 900 }, colorScheme = 'light' } = reader
    await page.setViewportSize(viewport)
    await page.emulateMedia({ media: 'screen', colorScheme })
  }

  async function openHtml(html: string, reader: Reader = {}, page = shared): Promise<Page> {
    writeFileSync(join(folder, 'report.html'), html)
    await showTo(reader, page)
    await page.goto(urlOfReport())
    return page
  }

  /** The page of `makeReport()`, opened once and shared by the tests that do not change it. */
  async function read(reader: Reader = {}): Promise<Page> {
    full ??= await open(makeReport(), {}, await newPage())
    await showTo(reader, full)
    return full
  }

  async function open(report: VisitorsReport, reader: Reader = {}, tab = shared): Promise<Page> {
    const page = await openHtml(fillPage(template, report), reader, tab)
    await page.getByRole('heading', { name: 'About these figures' }).waitFor()
    // Charts are drawn once their width is known. Playwright's `waitForFunction` violates the page's CSP.
    const charts = await page.locator('figure').count()
    if (charts > 0)
      await page
        .locator('.axis')
        .nth(charts - 1)
        .waitFor({ state: 'attached' })
    return page
  }

  const all = (page: Page) => page.getByRole('table', { name: /^All pages/ })
  const columnOf = (page: Page, column: string) =>
    page.locator(`.all tbody :is(th, td).${column}`).allInnerTexts()
  const headerOf = (page: Page, name: string) => all(page).getByRole('columnheader', { name, exact: true })
  const sortBy = (page: Page, name: string) => headerOf(page, name).getByRole('button').click()
  const textOf = async (locator: Locator) => (await locator.innerText()).replace(/\s+/g, ' ')
  const overflowOf = (page: Page) =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  describe('what the page says', () => {
    it('the page has the headline, the periods in words, and the totals with their changes', async () => {
      const page = await read()
      const opening = await textOf(page.locator('.opening'))
      expect(opening).toContain('Docs visitors: acme-docs')
      expect(opening).toContain('/changelog/install lost 595; visitors rose by 10.8% to 23,118.')
      expect(await page.locator('.verdict a').getAttribute('href')).toBe(
        'https://docs.example.com/changelog/install',
      )
      expect(opening).toContain('Nov 9–15, 2026 compared with Nov 2–8, 2026')
      expect(await page.title()).toBe('Docs visitors: acme-docs, Nov 9–15, 2026')
      const figures = await page.locator('.total').allInnerTexts()
      expect(figures.map((text) => text.replace(/\s+/g, ' '))).toEqual([
        'Visitors 23,118 ▲ up +10.8% from 20,866',
        'Human visitors 18,432 ▲ up +7.1% from 17,204',
        'AI readers 5,210 ▲ up +26.5% from 4,118 22.5% of visitors',
      ])
      // Two weeks were not read, so each line has two parts.
      expect(await page.locator('.spark polyline').count()).toBe(3 * 2)
      expect(await page.locator('.notice').count()).toBe(0)
    })

    it('the page shows only the AI share, because human visitors and AI readers overlap and do not add up', async () => {
      const report = makeReport()
      report.period.totals = { human: 90, ai: 30, total: 100 }
      const page = await open(report)
      const whole = await textOf(page.locator('main'))
      expect(whole.match(/30\.0%/g)).toHaveLength(1)
      expect(whole).toContain('pages do not add up to the totals')
      expect(whole).not.toMatch(/70\.0%|\bothers?\b|deleted|removed/i)
    })

    it('the page has an alert as its headline, and says what was not read', async () => {
      const page = await open(makeIncomplete())
      expect(await textOf(page.locator('.verdict.alert'))).toMatch(/^Human visitors fell by 27\.9%/)
      const notes = page.getByRole('note')
      expect(await textOf(notes.nth(0))).toContain(
        'This period was not read completely. The limit of 1,000 requests was reached.',
      )
      await page.getByRole('searchbox').fill('not-read-this-time')
      expect(await textOf(page.locator('.all tbody tr'))).toBe(
        '/not-read-this-time – not read – not read – not read – not read in both periods',
      )
      expect(await textOf(page.locator('#moved'))).toContain(
        'Shown only if all pages of both periods were read.',
      )
      expect(await textOf(page.locator('footer'))).toContain(
        'incomplete: the limit of 1,000 requests was reached',
      )
    })

    it('the page says if the compared period was not read completely', async () => {
      const report = makeReport()
      const gap = { complete: false, whyIncomplete: 'the timeout was reached' }
      if (report.compared !== null) Object.assign(report.compared, gap)
      const page = await open(report)
      expect(await textOf(page.getByRole('note'))).toContain('The previous period was not read completely.')
    })

    it('the page shows no changes if there is no compared period', async () => {
      const page = await open(makeUncompared())
      expect(await textOf(page.locator('.periods'))).toContain('not compared')
      expect(await page.locator('.change, .against').count()).toBe(0)
      expect(await page.locator('#trend').count()).toBe(0)
      expect(await all(page).getByRole('columnheader').count()).toBe(4)
      expect(await textOf(page.locator('footer'))).toContain('Compared with nothing')
    })

    it('the page shows a site without readers', async () => {
      const page = await open(makeEmpty())
      expect(await textOf(page.locator('.total.visitors'))).toBe('Visitors 0 – from 0')
      expect(await textOf(page.locator('.total.ai'))).toBe('AI readers 0 – from 0')
      expect(await textOf(page.locator('#moved'))).toBe('What moved No single page stands out.')
      expect(await textOf(page.locator('#pages'))).toContain('No page had a visitor.')
      expect(await all(page).count()).toBe(0)
    })

    it('the page has no chart if there is only one period', async () => {
      const report = makeReport()
      const page = await open({ ...report, trend: report.trend.slice(-1) })
      expect(await page.locator('#trend, .spark').count()).toBe(0)
    })

    it('the page calls a change from zero “new”, without a percentage', async () => {
      const page = await open(makeFirst())
      expect(await textOf(page.locator('.total.human'))).toBe('Human visitors 18,432 ▲ up new from 0')
      const changes = await columnOf(page, 'change')
      expect(changes.length).toBe(12)
      expect(changes.filter((text) => !/^▲ up \+[\d,]+ new$/.test(text.replace(/\s+/g, ' ')))).toEqual([])
    })

    it('the page lists what moved, and leaves out empty lists', async () => {
      const page = await open(makeReport())
      const sections = await page.locator('main > section').evaluateAll((list) => list.map(({ id }) => id))
      expect(sections).toEqual(['', 'moved', 'pages', 'trend'])
      const rises = page.locator('.movers > div').filter({ hasText: 'Up' })
      expect(await rises.getByRole('listitem').count()).toBe(6)
      expect(await textOf(rises.getByRole('listitem').first())).toBe(
        '/guides/webhooks 634 → 1,249 ▲ up +97.0%',
      )
      await rises.getByRole('button', { name: 'Show 2 more' }).press('Enter')
      expect(await rises.getByRole('listitem').count()).toBe(8)
      // The focus moves to the first new page, for people who use a keyboard.
      expect(await page.evaluate('document.activeElement.textContent')).toContain('/concepts/pagination')
      expect(await rises.getByRole('button').count()).toBe(0)
      expect(await textOf(page.locator('#moved'))).not.toContain('No visitors now')
    })

    it('the page shows what to do next, whether fixes helped, what moved, and what readers say', async () => {
      const page = await open(withReaders(makeReport(), 'How do I retry?'))
      const sections = await page.locator('main > section').evaluateAll((list) => list.map(({ id }) => id))
      expect(sections).toEqual([
        '',
        'fixes',
        'helped',
        'moved',
        'questions',
        'searches',
        'feedback',
        'pages',
        'trend',
      ])
      const fixes = page.locator('#fixes').getByRole('listitem')
      expect(await fixes.count()).toBe(2 + 2)
      expect(await textOf(fixes.first())).toContain('9 of 10 votes negative, 1,249 visitors')
      expect(await fixes.first().locator('pre').innerText()).toBe('/docs fix s-1f3a9c')
      expect(await textOf(fixes.nth(1))).toContain('no page, since Oct 26')
      expect(await textOf(fixes.nth(3))).toBe('/guides/install pull request 101 is open, requested by mona')
      const helped = await textOf(page.locator('#helped'))
      expect(helped).toContain('pull request 97 was merged on Nov 2; measured after Nov 30')
      expect(helped).toContain('Relative to the rest of the site (+4%): down 75% (−94% to −21%)')
      expect(helped).toContain("The agent's pull requests: 1 opened, 2 merged.")
      expect(await page.locator('#helped a').first().getAttribute('href')).toMatch(/^https:/)
      const feedback = page.locator('#feedback')
      expect(await textOf(feedback.locator('tbody'))).toBe('/guides/webhooks 9 of 10 1,249')
      expect(await textOf(feedback)).toContain('Only the first 100 were read.')
      await feedback.getByText('Comments by AI readers (1)').click()
      expect(await textOf(feedback.getByRole('listitem').last())).toContain('How do I retry?')
      expect(await textOf(page.locator('#searches tbody'))).toContain('(no page) 47 2.1%')
      expect(await page.locator('#searches tbody tr').count()).toBe(1)
      const questions = await textOf(page.locator('#questions'))
      expect(questions).toContain('4 of 11 questions went unanswered (6 of 10 in the previous period).')
      expect(questions).toContain('/guides/webhooks: 3 of 9')
      expect(questions).toContain('Not on a page: 1 of 2')
    })

    it('the page says that a section has nothing to show only if the section was read', async () => {
      const report = withReaders(makeReport(), 'x')
      const { feedback, searches, questions } = report.sections
      if (feedback === null || searches === null || questions === null) throw new Error('no sections')
      const unread = { complete: false, whyIncomplete: 'Not read.', rows: [] }
      Object.assign(report.sections, {
        feedback: { ...feedback, votes: unread },
        searches: unread,
        questions: unread,
      })
      const nothing = /^(Not read\.|Only the first 100 were read\.)$/
      const missing = (await open(report)).locator(':is(#feedback, #searches, #questions) p.nothing')
      expect((await missing.allInnerTexts()).filter((text) => !nothing.test(text))).toEqual([])
      const empty = { complete: true, whyIncomplete: null, rows: [] }
      Object.assign(report.sections, {
        feedback: { ...feedback, votes: empty },
        searches: empty,
        questions: empty,
      })
      const read = (await open(report)).locator(':is(#feedback, #searches, #questions) p.nothing')
      expect((await read.allInnerTexts()).filter((text) => !nothing.test(text))).toHaveLength(3)
    })

    it('the page groups questions by category if there are any', async () => {
      const report = withReaders(makeReport(), 'How do I retry?')
      report.sections.categories = [
        { name: 'Webhooks', questions: ['How?', 'How?'], asked: 7 },
        { name: null, questions: ['Why?'], asked: 1 },
      ]
      const page = await open(report)
      expect(await textOf(page.locator('#questions ul').first())).toBe(
        'Webhooks: 2 of 7 How? Other: 1 of 1 Why?',
      )
    })

    it('a button copies a command, or selects it if copying is not allowed', async () => {
      const tab = await newPage()
      onTestFinished(() => tab.close())
      const page = await open(withReaders(makeReport(), 'x'), {}, tab)
      await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text }')
      const [first, second] = [page.locator('.copy').nth(0), page.locator('.copy').nth(1)]
      await first.click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('window.copied')).toBe('/docs fix s-1f3a9c')
      await page.evaluate('navigator.clipboard.writeText = async () => { throw new Error() }')
      await second.click()
      await page.getByRole('button', { name: 'Selected' }).waitFor()
      expect(await page.evaluate('String(getSelection())')).toBe('/docs fix s-77aa01')
    })

    it('files that machines read are in one folded row, and not in the table', async () => {
      const report = makeReport()
      const counts = { human: 1, ai: 90, total: 91 }
      report.pages.push({ path: '/llms.txt', current: counts, previous: counts })
      const page = await open(report)
      expect(await textOf(page.locator('.status').first())).toContain('40 pages')
      await page.getByText('Files that machines read (1)').click()
      expect(await textOf(page.locator('.files li'))).toBe('/llms.txt: 91 visitors')
    })

    it('the page names globs that match nothing', async () => {
      const page = await open({ ...makeReport(), unmatched: { include: ['/nope/**'], exclude: [] } })
      expect(await textOf(page.getByRole('note'))).toBe('! include: /nope/** matches no page.')
    })

    it('the page marks small numbers instead of giving them a direction', async () => {
      const report = makeReport()
      report.period.totals = { human: 75, ai: 5, total: 80 }
      if (report.compared) report.compared.totals = { human: 100, ai: 5, total: 105 }
      const page = await open(report)
      expect(await textOf(page.locator('.total.human'))).toBe(
        'Human visitors 75 −25.0% small numbers from 100',
      )
      expect(await page.locator('.total :is(.up, .down)').count()).toBe(0)
    })

    it('the page also works on a web server', async () => {
      const html = fillPage(template, makeReport())
      const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/artifact`)
      expect(await page.locator('.all tbody tr').count()).toBe(20)
      await page.close()
      server.close()
    })

    it('the page shows the sources of the figures', async () => {
      const page = await open({ ...makeReport(), filter: { include: ['/guides/**'], exclude: ['/x/**'] } })
      const foot = await textOf(page.locator('footer'))
      for (const text of ['acme-docs', '40 pages read, complete', 'Europe/Berlin', '214 of at most 1,000']) {
        expect(foot).toContain(text)
      }
      expect(foot).toContain('AI means crawlers and assistants that name themselves.')
      expect(foot).toContain('Nov 16, 2026, 06:12 UTC')
      const intro = await textOf(page.locator('#pages'))
      expect(intro).toContain('Only paths matching /guides/**. Paths matching /x/** are left out.')
    })

    it('the page says where the figures are if scripts are disabled', async () => {
      const without = await newPage({ javaScriptEnabled: false })
      onTestFinished(() => without.close())
      const page = await openHtml(fillPage(template, makeReport()), {}, without)
      expect(await textOf(page.locator('main'))).toContain('The same figures are in report.json')
    })
  })

  describe('the charts', () => {
    it('the charts have a name, a legend, and a gap for what was not read', async () => {
      const page = await read()
      const charts = page.getByRole('img')
      expect(await charts.nth(0).getAttribute('aria-label')).toMatch(
        /^Line chart of visitors: 12 periods, .*; 2 of them not read\. Human visitors from [\d,]+ to 18,432, AI readers from [\d,]+ to 5,210\.$/,
      )
      expect(await charts.count()).toBe(1)
      expect(await page.locator('.series.human polyline.stroke').count()).toBe(2 + 1)
      expect(await page.locator('figure > svg .gap').count()).toBe(2)
      expect(await textOf(page.locator('.legend').first())).toMatch(
        /Human visitors 18,432 AI readers 5,210 not read/,
      )
    })

    it('the charts distinguish human visitors from AI readers without color', async () => {
      const page = await read()
      const dashes = (series: string) =>
        page
          .locator(`figure > svg .series.${series} .stroke`)
          .first()
          .evaluate((line) => line.ownerDocument.defaultView?.getComputedStyle(line).strokeDasharray)
      expect(await dashes('human')).toBe('none')
      expect(await dashes('ai')).not.toBe('none')
      expect(await page.locator('figure > svg .series.human circle').count()).toBe(10)
      expect(await page.locator('figure > svg .series.ai rect').count()).toBe(10)
    })

    it('the charts show the figures of the period at the pointer', async () => {
      const page = await open(makeReport())
      const first = page.locator('figure').first()
      await first.locator('.pointer').nth(10).hover()
      expect(await textOf(first.locator('.legend'))).toMatch(
        /^Nov 2–8 Human visitors 17,204 AI readers 4,118/,
      )
      await first.locator('.pointer').nth(4).hover()
      expect(await textOf(first.locator('.legend'))).toMatch(/, not read Human visitors – AI readers –/)
      await page.getByRole('heading', { level: 1 }).hover()
      expect(await textOf(first.locator('.legend'))).toMatch(
        /^Nov 9–15 Human visitors 18,432 AI readers 5,210/,
      )
    })

    it("the charts' figures are also in a table", async () => {
      const page = await open(makeReport())
      await page.getByText('The figures behind the chart').press('Enter')
      const rows = page.locator('.figures tbody tr')
      expect(await rows.count()).toBe(12)
      expect(await textOf(rows.first())).toMatch(/^Nov 9–15, 2026 23,118 18,432 5,210$/)
      expect(await textOf(rows.nth(7))).toMatch(/, not read – – –$/)
    })
  })

  describe('the table of all pages', () => {
    it('the table of all pages can be sorted by any column, and announces the order', async () => {
      const page = await open(makeReport(1_200))
      const sorts = () =>
        all(page)
          .getByRole('columnheader')
          .evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-sort')))
      expect(await sorts()).toEqual(['none', 'descending', 'none', 'none', 'none'])
      await sortBy(page, 'Page')
      expect(await sorts()).toEqual(['ascending', 'none', 'none', 'none', 'none'])
      const paths = await columnOf(page, 'path')
      expect(paths).toEqual(paths.toSorted())
      for (const [name, column] of [
        ['Visitors', 'visitors'],
        ['Human visitors', 'human'],
        ['AI readers', 'ai'],
      ] as const) {
        await sortBy(page, name)
        const falling = (await columnOf(page, column)).map((text) =>
          Number.parseFloat(text.replace(/,/g, '')),
        )
        expect(falling).toEqual(falling.toSorted((a, b) => b - a))
        await sortBy(page, name)
        const rising = (await columnOf(page, column)).map((text) => Number.parseFloat(text.replace(/,/g, '')))
        expect(rising).toEqual(rising.toSorted((a, b) => a - b))
        expect(rising[0]).toBeLessThan(falling[0] ?? 0)
      }
      await sortBy(page, 'Change')
      expect(await sorts()).toEqual(['none', 'none', 'none', 'none', 'descending'])
    })

    it('the table of all pages can be searched, and the number of results is announced', async () => {
      const page = await open(makeReport(1_200))
      const status = page.locator('.status[aria-live=polite]')
      expect(await textOf(status)).toBe('1,200 pages sorted by Visitors, descending')
      await page.getByLabel('Search pages').fill('WebHooks/v17')
      expect(await textOf(status)).toMatch(/^\d+ of 1,200 pages match “WebHooks\/v17” sorted by/)
      const paths = await columnOf(page, 'path')
      expect(paths.length).toBeGreaterThan(1)
      expect(paths.filter((path) => !path.includes('/webhooks/v17'))).toEqual([])
      expect(await all(page).getAttribute('aria-rowcount')).toBe(String(paths.length + 1))
      await page.getByLabel('Search pages').fill('<nothing>')
      expect(await textOf(status)).toContain('0 of 1,200 pages match “<nothing>”')
      expect(await page.getByText('No page matches the search.').isVisible()).toBe(true)
      expect(await page.getByRole('navigation').isVisible()).toBe(false)
    })

    it('the table works with the keyboard alone, and keeps the focus', async () => {
      const page = await open(makeReport(1_200))
      await page.keyboard.press('Tab')
      expect(await textOf(page.locator(':focus'))).toBe('Skip to all pages')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.type('install')
      expect(await textOf(page.locator('.status').first())).toContain('match “install”')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      expect(await headerOf(page, 'Page').getAttribute('aria-sort')).toBe('ascending')
      await page.keyboard.press('Space')
      expect(await headerOf(page, 'Page').getAttribute('aria-sort')).toBe('descending')
      const next = page.getByRole('button', { name: 'Next' })
      await next.press('Enter')
      expect(await textOf(page.locator('.range'))).toMatch(/^Rows 21–40 of 1\d\d$/)
      for (let presses = 0; presses < 9; presses++) await page.keyboard.press('Enter')
      // On the last rows, the button does nothing, but keeps the focus.
      expect(await next.getAttribute('aria-disabled')).toBe('true')
      expect(await textOf(page.locator(':focus'))).toBe('Next')
    })

    it('the table shows 20 of 25,000 pages at a time, each with its row number', async () => {
      const page = await open(makeReport(25_000))
      const rows = page.locator('.all tbody tr')
      const numbers = () =>
        rows.evaluateAll((list) => list.map((row) => Number(row.getAttribute('aria-rowindex'))))
      expect(await all(page).getAttribute('aria-rowcount')).toBe('25001')
      expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, at) => at + 2))
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1_500)
      await page.getByRole('button', { name: 'Last' }).click()
      expect(await textOf(page.locator('.range'))).toBe('Rows 24,981–25,000 of 25,000')
      expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, at) => 24_980 + at + 2))
      await sortBy(page, 'AI readers')
      expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, at) => at + 2))
      await page.getByRole('searchbox').fill('/v9')
      expect(await rows.count()).toBe(20)
    })

    it('the page scrolls back to the first row when other rows are shown', async () => {
      const page = await open(makeReport(1_200))
      await page.locator('.all tbody tr').last().scrollIntoViewIfNeeded()
      expect(await all(page).evaluate((table) => table.getBoundingClientRect().top)).toBeLessThan(0)
      await page.getByRole('button', { name: 'Next' }).click()
      expect(await all(page).evaluate((table) => table.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
    })

    it('the table keeps its roles on a phone, where the rows are a grid', async () => {
      const page = await read({ viewport: { width: 390, height: 844 } })
      expect(await all(page).getByRole('row').count()).toBe(21)
      expect(await all(page).getByRole('columnheader').count()).toBe(5)
      expect(await all(page).getByRole('row').nth(1).getByRole('cell').count()).toBe(4)
      expect(await all(page).getByRole('row').nth(1).getByRole('rowheader').count()).toBe(1)
    })

    it("links to the site's pages open in a new tab without access to the report", async () => {
      const page = await read()
      const links = page.locator('.all tbody a')
      expect(await links.count()).toBe(20)
      expect(await links.first().getAttribute('href')).toBe('https://docs.example.com/')
      const others = await page
        .locator('main a')
        .evaluateAll((list) =>
          list
            .map((link) => `${link.getAttribute('target')} ${link.getAttribute('rel')}`)
            .filter((text) => text !== '_blank noopener noreferrer'),
        )
      expect(others).toEqual([])
    })

    it('the page has no links if its site is unknown', async () => {
      const page = await open({ ...makeReport(), site: null })
      expect(await page.locator('main a').count()).toBe(0)
      expect(await page.locator('.all tbody tr').count()).toBe(20)
    })
  })

  describe('report.html with hostile text', () => {
    it.each(['https://docs.example.com/docs', 'javascript:alert(1)//', '//evil.example'])(
      'hostile text creates no element, and no link outside the site %s',
      async (site) => {
        const page = await open(makeHostile(site))
        for (const more of await page.locator('.more').all()) await more.click()
        expect(
          await page.locator('img:not([role]), main script, main b:not(.legend b), iframe').count(),
        ).toBe(0)
        const addresses = await page
          .locator('main a')
          .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))
        const ofSite = addresses.filter((address) => !address.startsWith('https://github.com/'))
        expect(ofSite.length > 0).toBe(site.startsWith('https'))
        const outside = addresses.filter((address) => !address.startsWith(`${site}/`) && address !== site)
        expect(
          outside.filter((address) => !address.startsWith('https://github.com/acme/docs/pull/')),
        ).toEqual([])
        const paths = await columnOf(page, 'path')
        expect(paths.length).toBe(hostilePaths.length)
        expect(paths).toContain('<img src=x onerror=alert(1)>')
        expect(paths).toContain('/abc\\u{202E}gnp.exe')
        expect(paths).toContain('/bell\\u{7}\\u{A}/second-line')
        expect(paths).toContain('/')
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not appear
        const hidden = /[\u0000-\u0009\u000B-\u001F\u200B\u202E]/
        expect(await page.locator('main').textContent()).not.toMatch(hidden)
      },
    )

    it('a long path is shortened, and can be shown in full', async () => {
      const page = await open(makeHostile())
      const long = hostilePaths.find((path) => path.startsWith('/long/')) ?? ''
      const cell = page.locator('.all tbody th').filter({ hasText: '/long/very' })
      expect((await cell.getByRole('link').innerText()).length).toBeLessThan(130)
      expect(await cell.getByRole('link').getAttribute('href')).toBe(`https://docs.example.com/docs${long}`)
      await cell.getByText('Full path').click()
      expect(await cell.locator('.whole').innerText()).toBe(long)
      expect(await overflowOf(page)).toBe(0)
    })
  })

  describe('how the page looks', () => {
    const samples: [string, VisitorsReport][] = [
      ['full', makeReport(1_200)],
      ['hostile', makeHostile()],
      ['with sections', withReaders(makeReport(), 'unbroken'.repeat(25))],
      ['incomplete', makeIncomplete()],
      ['empty', makeEmpty()],
      ['in the millions', inMillions()],
    ]

    function inMillions(): VisitorsReport {
      const report = makeReport(60)
      const large = { human: 104_432_118, ai: 25_210_444, total: 123_118_902 }
      report.period.totals = large
      report.pages = report.pages.map(({ path }) => ({
        path,
        current: large,
        previous: { ...large, total: 3 },
      }))
      return report
    }

    it.each(samples)('the page fits any width: %s', async (_, report) => {
      const page = await open(report)
      const figures = page.getByText('The figures behind the chart')
      if ((await figures.count()) > 0) await figures.click()
      for (const width of [320, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expect(`${width}: ${await overflowOf(page)}`).toBe(`${width}: 0`)
        // An element can also extend past the edge without making the page scroll.
        const outside = await page
          .locator('main *:not(.spoken, .spoken *)')
          .evaluateAll(
            (list, right) =>
              list
                .filter((element) => element.getBoundingClientRect().right > right + 1)
                .map((element) => `${element.tagName} ${element.getAttribute('class')}`),
            width,
          )
        expect(outside).toEqual([])
      }
    })

    const screens = [
      [1280, 800],
      [390, 844],
    ] as const
    const busy = () => withReaders(makeReport(1_200), 'How do I verify the signature of a webhook?')
    const withoutKeys = () => {
      const report = busy()
      const command = `/docs ${'Add answers to the questions that readers ask. '.repeat(12)}`
      return { ...report, suggestions: report.suggestions.map((each) => ({ ...each, command })) }
    }
    const longest = () => {
      const report = busy()
      // The longest possible headline.
      const text = 'Human visitors fell by 99.99% (alert at 99.99%); visitors fell by 99.9% to 12,345.'
      return { ...report, headline: [text], alerts: makeIncomplete().alerts }
    }

    it.each([
      ['a busy week', busy()],
      ['the longest headline', longest()],
      ['commands without a key', withoutKeys()],
    ])('the verdict, the totals and the first suggestion are on the first screen: %s', async (_, report) => {
      const page = await open(report)
      expect((await textOf(page.locator('.verdict'))).length).toBeLessThanOrEqual(90)
      for (const [width, height] of screens) {
        await page.setViewportSize({ width, height })
        for (const part of ['.verdict', '.totals', '.command >> nth=0']) {
          const box = await page.locator(part).boundingBox()
          expect(
            box && box.y >= 0 && box.y + box.height <= height,
            `${part} ends at ${box && box.y + box.height} of ${width} × ${height}`,
          ).toBe(true)
        }
        expect(await page.locator('.fixes > ul > li').first().locator('.copy').isVisible()).toBe(true)
      }
    })

    it('no word of a table header is broken on a phone', async () => {
      const page = await open(busy(), { viewport: { width: 390, height: 844 } })
      await page.getByText('The figures behind the chart').click()
      const broken = await page.locator('thead th').evaluateAll((heads) =>
        heads.flatMap((head) => {
          const range = head.ownerDocument.createRange()
          const texts = [head, ...head.querySelectorAll('*')].flatMap((each) => [...each.childNodes])
          return texts.flatMap((node) =>
            [...(node.nodeType === 3 ? (node.textContent ?? '').matchAll(/\S+/g) : [])].flatMap(
              ({ 0: word, index }) => {
                range.setStart(node, index)
                range.setEnd(node, index + word.length)
                // A word on two lines has two rectangles.
                return range.getClientRects().length > 1 ? [word] : []
              },
            ),
          )
        }),
      )
      expect(broken).toEqual([])
    })

    /** An element's text color and background, as the browser computes them. */
    const colorsOf = (page: Page, selector: string) =>
      page.locator(selector).evaluateAll((list) =>
        list.map((element) => {
          const styleOf = (one: typeof element) => one.ownerDocument.defaultView?.getComputedStyle(one)
          let behind: typeof element | null = element
          while (behind?.parentElement && styleOf(behind)?.backgroundColor === 'rgba(0, 0, 0, 0)') {
            behind = behind.parentElement
          }
          const style = styleOf(element)
          return {
            what: `${element.tagName} ${element.getAttribute('class')}`,
            /** Whether the element itself has text, not only its children. */
            text: [...element.childNodes].some(
              ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim() !== '',
            ),
            svg: element.namespaceURI?.endsWith('svg') ?? false,
            color: style?.color ?? '',
            fill: style?.fill ?? '',
            stroke: style?.stroke ?? '',
            background: (behind && styleOf(behind)?.backgroundColor) ?? '',
          }
        }),
      )

    it.each([
      ['a full report', makeReport(60)],
      ['an incomplete report', makeIncomplete()],
    ])('text is readable in light and dark themes: %s', async (_, report) => {
      const page = await open(report)
      for (const colorScheme of ['light', 'dark'] as const) {
        await showTo({ colorScheme }, page)
        const texts = (await colorsOf(page, 'main *:not(.spoken)')).filter(({ text }) => text)
        expect(texts.length).toBeGreaterThan(100)
        const faint = texts.filter(({ svg, color, fill, background }) => {
          return contrast(rgbOf(svg ? fill : color), rgbOf(background)) < 4.5
        })
        expect(faint).toEqual([])
      }
    })

    describe.each(['light', 'dark'] as const)('how the page looks in the %s theme', (colorScheme) => {
      it(`lines, bars and fields are visible in the ${colorScheme} theme`, async () => {
        const page = await read({ colorScheme })
        const strokes = await colorsOf(page, 'figure > svg .stroke')
        const fills = await colorsOf(page, 'figure > svg .marker')
        const paper = rgbOf(strokes[0]?.background ?? '')
        const drawn = [...strokes.map(({ stroke }) => stroke), ...fills.map(({ fill }) => fill)]
        expect(drawn.length).toBeGreaterThan(20)
        expect(drawn.filter((color) => contrast(rgbOf(color), paper) < 3)).toEqual([])
        const border = await page
          .getByRole('searchbox')
          .evaluate((field) => field.ownerDocument.defaultView?.getComputedStyle(field).borderTopColor)
        expect(contrast(rgbOf(border ?? ''), paper)).toBeGreaterThanOrEqual(3)
      })
    })

    it("the page is dark if the reader's system is, and light on paper", async () => {
      const lightness = (color: Rgb) => color.reduce((sum, part) => sum + part, 0)
      const paperOf = async (page: Page) => rgbOf((await colorsOf(page, 'body'))[0]?.background ?? '')
      const light = await paperOf(await read({ colorScheme: 'light' }))
      const page = await read({ colorScheme: 'dark' })
      const dark = await paperOf(page)
      expect(lightness(light)).toBeGreaterThan(700)
      expect(lightness(dark)).toBeLessThan(100)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      expect(await paperOf(page)).toEqual([255, 255, 255])
      expect(await page.getByRole('searchbox').isVisible()).toBe(false)
    })
  })
})
