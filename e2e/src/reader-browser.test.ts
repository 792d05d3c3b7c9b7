import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'puppeteer-core'
import { aChatEngine, type ChatEngine } from '@recto/testing'
import { blocksInBrowser, blocksWithoutScripts } from './blocks-in-browser.ts'
import { findBrowser, openPage, startBrowser } from './browser.ts'
import { sendOk } from './people.ts'
import { askInPage, questionsInBrowser } from './questions-in-browser.ts'
import { setAskMode } from './questions-to-sites.ts'
import { readerSites, type ReaderSites } from './reader-sites.ts'

const program = findBrowser()
if (program === undefined)
  console.warn('There is no Chromium (Debian: chromium; or set CHROMIUM): the reader was not walked in a browser')
const describeInBrowser = program === undefined ? describe.skip : describe

const axeSource = readFileSync(createRequire(import.meta.filename).resolve('axe-core/axe.min.js'), 'utf8')

describeInBrowser('a visitor with a browser', () => {
  let sites: ReaderSites
  let engine: ChatEngine
  let browser: Browser
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    engine = await aChatEngine()
    sites = await readerSites({ ASK_ENGINE_URL: engine.url, ASK_ENGINE_MODEL: 'a-model', READER_ASK_RATE: '1000' })
    await setAskMode(sites, sites.docs.siteId, { mode: 'search', suggestions: ['How does one begin?'] })
    browser = await startBrowser(program ?? '')
    page = await openPage(browser, faults)
    await page.setViewport({ width: 1280, height: 800 })
  })

  afterAll(async () => {
    await browser.close()
    await sites.stop()
    await engine.stop()
  })

  const at = (path: string) => `${sites.reader}/${path}`
  const title = () => page.$eval('h1', heading => heading.textContent?.trim())
  const waitForTitle = (text: string) =>
    page.waitForFunction(expected => document.querySelector('h1')?.textContent?.trim() === expected, {}, text)
  const visibleTexts = (selector: string) =>
    page.$$eval(selector, elements =>
      elements.filter(each => each.checkVisibility()).map(each => each.textContent?.trim()),
    )
  /** Marks the window, so that a load of the whole page is noticed. */
  const mark = () => page.evaluate(() => void Object.assign(window, { isSame: true }))
  const isMarked = () => page.evaluate(() => 'isSame' in window)
  const none = (some: string[]) => expect(some.splice(0)).toEqual([])

  it('opens the home of a site, and goes on by its navigation without loading the page again', async () => {
    await page.goto(at(`${sites.docs.name}/`))
    expect(await title()).toBe('Welcome')
    await mark()
    await page.click('#recto-navigation a[href$="/installation"]')
    await waitForTitle('Installation')
    expect([page.url(), await page.title(), await isMarked()]).toEqual([
      at(`${sites.docs.name}/installation`),
      'Installation | Docs of tests',
      true,
    ])
    expect(await page.$eval('#recto-navigation [aria-current="page"]', link => link.textContent?.trim())).toBe(
      'Installation',
    )
    await page.goBack()
    await waitForTitle('Welcome')
    await page.goForward()
    await waitForTitle('Installation')
    none(faults)
  })

  it('works at a fragment that cannot be decoded', async () => {
    await page.goto(at(`${sites.docs.name}/installation#%E0%A4%A`))
    await page.waitForSelector('[role="tablist"]:not([hidden])')
    none(faults)
  })

  it('follows what is read in the outline', async () => {
    await page.goto(at(`${sites.docs.name}/installation`))
    await page.click('.outline a[href="#remove-it"]')
    await page.waitForFunction(() => location.hash === '#remove-it')
    await page.waitForSelector('.outline a[href="#remove-it"][aria-current]')
    none(faults)
  })

  it('searches with the keyboard alone', async () => {
    await page.goto(at(`${sites.docs.name}/`))
    await page.keyboard.press('/')
    await page.keyboard.type('zebracorn')
    await page.waitForSelector('#recto-search-results [role="option"]')
    await page.keyboard.press('ArrowDown')
    await page.waitForSelector('#recto-search-results [aria-selected="true"]')
    await page.keyboard.press('Enter')
    await waitForTitle('Installation')
    await page.keyboard.press('/')
    await page.keyboard.type('nothinglikethis')
    await page.waitForFunction(() =>
      document.querySelector('#recto-search-results p')?.textContent?.includes('nothinglikethis'),
    )
    await page.keyboard.press('Escape')
    expect(await page.$eval('#recto-search-results', list => (list as HTMLElement).hidden)).toBe(true)
    none(faults)
  })

  it('chooses a tab, which chooses those of the same title and is remembered', async () => {
    await page.goto(at(`${sites.docs.name}/installation`))
    expect(await visibleTexts('[role="tabpanel"]')).toEqual([
      expect.stringContaining('apt'),
      expect.stringContaining('journalctl'),
    ])
    await page.click('[role="tab"][data-tab-title="macOS"]')
    expect(await visibleTexts('[role="tabpanel"]')).toEqual([
      expect.stringContaining('brew'),
      expect.stringContaining('console'),
    ])
    await page.keyboard.press('ArrowLeft')
    expect(await visibleTexts('[role="tabpanel"]')).toEqual([
      expect.stringContaining('apt'),
      expect.stringContaining('journalctl'),
    ])
    await page.click('[role="tab"][data-tab-title="macOS"]')
    await page.reload()
    await page.waitForSelector('[role="tablist"]:not([hidden])')
    expect(await visibleTexts('[role="tabpanel"]')).toEqual([
      expect.stringContaining('brew'),
      expect.stringContaining('console'),
    ])
    none(faults)
  })

  questionsInBrowser(() => ({ page, faults, address: at(sites.docs.name), engine }))
  blocksInBrowser(() => ({ page, faults, address: at(sites.docs.name), reader: sites.reader }))
  blocksWithoutScripts(() => ({ page, faults, address: at(sites.docs.name), reader: sites.reader }))

  it('switches to the dark theme, which stays', async () => {
    await page.goto(at(`${sites.docs.name}/`))
    const background = () => page.$eval('html', html => getComputedStyle(html).backgroundColor)
    const light = await background()
    await page.click('[data-theme-switch]')
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    expect(await background()).toBe(dark)
    await page.click('[data-theme-switch]')
    none(faults)
  })

  it('opens a secret link, and none that is wrong', async () => {
    const { name, key } = sites.shared
    await page.goto(at(`${name}/${key}`))
    expect(await title()).toBe('Draft')
    await page.click('#recto-navigation a[href$="/next"]')
    await waitForTitle('Next')
    expect(page.url()).toBe(at(`${name}/${key}/next`))
    none(faults)
    const refused = await page.goto(at(`${name}/wrong`))
    expect([refused?.status(), await title()]).toEqual([404, 'Page not found'])
    faults.splice(0)
  })

  it('logs in, and stays logged in', async () => {
    sites.closed.login.claims = { beta: true }
    await page.goto(at(`${sites.closed.name}/`))
    expect([await title(), page.url()]).toEqual(['Secret', at(`${sites.closed.name}/`)])
    expect(await page.$eval('.page-body', body => body.textContent)).toContain('The beta is open')
    await page.click('#recto-navigation a[href$="/second"]')
    await waitForTitle('Second')
    await page.reload()
    expect(await title()).toBe('Second')
    expect(await page.evaluate(() => document.cookie)).toBe('')
    none(faults)
  })

  it('sees what is not there, and searches for it', async () => {
    await page.goto(at(`${sites.docs.name}/zebracorn`))
    expect(await title()).toBe('Page not found')
    await page.click('.search-form button')
    await page.waitForSelector('.hits a')
    expect(await visibleTexts('.hits strong')).toEqual(['Installation'])
    faults.splice(0)
  })

  it('is sent on by a redirect', async () => {
    const { admin, organizationId, docs } = sites
    const { items } = (await admin.client.orgs.listSiteSpaces(organizationId, docs.siteId)).data
    const destination = { kind: 'site-space', siteSpaceId: items.find(({ space }) => space.id === docs.api)?.id }
    await admin.client.orgs.createSiteRedirect(organizationId, docs.siteId, {
      source: '/interface',
      destination: destination as never,
    })
    await page.goto(at(`${docs.name}/interface`))
    expect([await title(), page.url()]).toEqual(['Overview', at(`${docs.name}/api`)])
    none(faults)
  })

  it('previews a change request', async () => {
    const { admin, docs, stack, organizationId } = sites
    const { id } = (await admin.client.spaces.createChangeRequest(docs.manual, { subject: 'News' } as never)).data
    const changes = [
      { operation: 'insert_page', title: 'Proposal', document: { markdown: '# Proposal\n\nNot yet.\n' } },
    ]
    const path = `/spaces/${docs.manual}/change-requests/${id}/content`
    await sendOk(stack, admin, { method: 'POST', path, body: { changes } })
    const { url } = (await admin.client.orgs.getSitePublishingPreviewById(organizationId, docs.siteId)).data
    await page.goto(url)
    expect([await title(), await visibleTexts('.notice')]).toEqual(['Welcome', ['You see a preview of this site']])
    await page.goto(`${sites.reader}/url/preview/${docs.siteId}/~/changes/${id}`)
    await page.click('#recto-navigation a[href$="/proposal"]')
    await waitForTitle('Proposal')
    expect(await visibleTexts('.notice')).toEqual(['You see a change request that is not published See what changes'])
    none(faults)
  })

  it('reads on a phone: nothing is wider than the screen, and the navigation opens over the page', async () => {
    await page.setViewport({ width: 360, height: 740, isMobile: true, hasTouch: true })
    for (const path of ['', 'installation', 'reference/options', '~recto/search?q=install', '~recto/ask']) {
      await page.goto(at(`${sites.docs.name}/${path}`))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    }
    expect(await visibleTexts('#recto-navigation a')).toEqual([])
    await page.click('.menu-button')
    await page.waitForSelector('#recto-navigation a[href$="/installation"]', { visible: true })
    await page.click('#recto-navigation a[href$="/installation"]')
    await waitForTitle('Installation')
    await page.setViewport({ width: 1280, height: 800 })
    none(faults)
  })

  it('reads and searches without scripts', async () => {
    await page.setJavaScriptEnabled(false)
    await page.goto(at(`${sites.docs.name}/installation`))
    expect(await visibleTexts('[role="tabpanel"]')).toHaveLength(4)
    expect(await visibleTexts('[data-copy], [data-theme-switch], .feedback, .updates-filter')).toEqual([])
    await page.type('input[type="search"]', 'penguins')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(await page.$$eval('.hits strong', elements => elements.map(each => each.textContent))).toEqual(['On Linux'])
    await page.setJavaScriptEnabled(true)
    none(faults)
  })

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ])('who needs help meets no obstacle (WCAG 2.2 AA, %s theme, %d pixels)', async (theme, width) => {
    await page.setViewport({ width, height: 800 })
    await page.setBypassCSP(true)
    const search = '~recto/search?q=install'
    for (const path of ['', 'installation', 'reference/options', 'no-such-page', search, '~recto/ask']) {
      await page.goto(at(`${sites.docs.name}/${path}`))
      if (path === '~recto/ask') await askInPage(page)
      await page.evaluate(value => void (document.documentElement.dataset['theme'] = value), theme)
      await page.evaluate(axeSource)
      const violations = await page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: { run(context: Document, options: object): Promise<{ violations: Violation[] }> }
        }
        type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
        const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: tags } })
        return violations.map(
          ({ id, nodes }) =>
            `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
        )
      })
      expect([path, violations]).toEqual([path, []])
    }
    faults.splice(0)
  })
})
