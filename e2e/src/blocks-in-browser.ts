import { expect, it } from '@jest/globals'
import type { Page } from 'puppeteer-core'

interface BrowserContext {
  page: Page
  /** The faults that the browser has reported. */
  faults: string[]
  /** The address of the site of the tests, and of the reader. */
  address: string
  reader: string
}

const none = (some: string[]) => expect(some.splice(0)).toEqual([])

function visibleTextsOf(page: Page, selector: string): Promise<(string | undefined)[]> {
  return page.$$eval(selector, elements =>
    elements.filter(each => each.checkVisibility()).map(each => each.textContent?.trim()),
  )
}

/** Tests blocks that a reader changes without a script. */
export function blocksWithoutScripts(context: () => BrowserContext): void {
  const visibleTexts = (selector: string) => visibleTextsOf(context().page, selector)

  it('opens and closes long code without a script, and prints all of it', async () => {
    const { page } = context()
    await page.setJavaScriptEnabled(false)
    await page.goto(`${context().address}/reference/options`)
    const lines = () => visibleTexts('.code:has(> .code-switch) .line')
    expect([await lines(), await visibleTexts('.code-switch span')]).toEqual([['first', 'second'], ['Show more']])
    await page.emulateMediaType('print')
    expect([await lines(), await visibleTexts('.code-switch span')]).toEqual([
      ['first', 'second', 'third', 'fourth'],
      [],
    ])
    await page.emulateMediaType()
    await page.click('.code-switch > summary')
    expect([(await lines()).length, await visibleTexts('.code-switch span')]).toEqual([4, ['Show less']])
    await page.setJavaScriptEnabled(true)
    none(context().faults)
  })
}

/** Tests what scripts add to blocks and to pages. */
export function blocksInBrowser(context: () => BrowserContext): void {
  const visibleTexts = (selector: string) => visibleTextsOf(context().page, selector)

  it('copies a page as Markdown', async () => {
    const { page } = context()
    await page
      .browserContext()
      .overridePermissions(context().reader, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'])
    await page.goto(`${context().address}/installation`)
    await page.bringToFront()
    const button = await page.waitForSelector('[data-copy-page]:not([hidden])')
    const label = await button?.evaluate(({ textContent }) => textContent)
    await button?.click()
    await page.waitForSelector('[data-copy-page].is-copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^# Installation\n\n> Source: </)
    expect(label).toBe('Copy page')
    none(context().faults)
  })

  it('draws diagrams where they reach nothing, in the colours of the page, and leaves what is none as text', async () => {
    const { page } = context()
    await page.goto(`${context().address}/reference/options`)
    const drawn = await page.waitForSelector('figure[data-drawn] iframe')
    const frame = await drawn?.contentFrame()
    await page.waitForFunction(() => !document.querySelector('figure[data-diagram]:not([data-drawn]) iframe'))
    expect(await visibleTexts('figure[data-diagram] pre')).toEqual(['no diagram <b>'])
    const insideOf = () =>
      frame?.evaluate(async () => {
        const reached = await fetch('/').then(String, () => 'nothing')
        return [self.origin, reached, getComputedStyle(document.documentElement).colorScheme]
      })
    expect(await insideOf()).toEqual(['null', 'nothing', 'light'])
    expect(await frame?.$eval('svg', svg => svg.textContent)).toContain('port')
    context().faults.splice(0)
    await page.click('[data-theme-switch]')
    await frame?.waitForFunction(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
    await page.click('[data-theme-switch]')
    none(context().faults)
  })

  it('filters updates by their tags', async () => {
    const { page } = context()
    await page.goto(`${context().address}/reference/options`)
    const both = ['Older tokens end', 'Two ports']
    // Diagrams above move the page while they are drawn, and a click at a place could miss.
    const filter = (tag: string) =>
      page.$eval(`[data-update-filter="${tag}"]`, button => (button as HTMLElement).click())
    expect(await visibleTexts('.update h2')).toEqual(both)
    await filter('beta')
    expect(await visibleTexts('.update h2')).toEqual(['Two ports'])
    await filter('security')
    expect(await visibleTexts('.update h2')).toEqual(both)
    await filter('beta')
    await filter('security')
    expect(await visibleTexts('.update h2')).toEqual(both)
    none(context().faults)
  })
}
