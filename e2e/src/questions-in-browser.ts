import { expect, it } from '@jest/globals'
import { eventually, type ChatEngine } from '@recto/testing'
import type { Page } from 'puppeteer-core'

interface Place {
  page: Page
  faults: string[]
  /** The address of a site that answers questions, about a zebracorn. */
  address: string
  engine: ChatEngine
}

const question = 'How is the zebracorn removed?'
const heading = '.ask-answer h2'

/** Types a question into the field of its page, and waits for the end of the answer. */
export async function askInPage(page: Page, text = question): Promise<void> {
  await page.type('main input[name="q"]', text)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.ask-answer .hits a')
}

/** Keeps the engine from going on after its first words, until what is done meanwhile is done. */
async function whileWriting(engine: ChatEngine, work: () => Promise<void>): Promise<void> {
  let release = (): void => undefined
  engine.hold = new Promise(resolve => (release = resolve))
  try {
    await work()
  } finally {
    engine.hold = undefined
    release()
  }
}

/** Reads a page as a test sees it. */
function viewOf(placeOf: () => Place) {
  return {
    textOf: (selector: string) => placeOf().page.$eval(selector, element => element.textContent?.trim()),
    waitForText: (selector: string, text: string) =>
      placeOf().page.waitForFunction(
        (where, expected) => document.querySelector(where)?.textContent?.includes(expected),
        {},
        selector,
        text,
      ),
    isInAnswer: () =>
      placeOf().page.evaluate(() => document.querySelector('.ask-answer')?.contains(document.activeElement)),
  }
}

/** Questions of visitors with a browser. */
export function questionsInBrowser(placeOf: () => Place): void {
  answersInBrowser(placeOf)
  waysToAsk(placeOf)
}

function answersInBrowser(placeOf: () => Place): void {
  const { textOf, waitForText, isInAnswer } = viewOf(placeOf)

  it('shows an answer while it is written, with its sources at its end, and asks on', async () => {
    const { page, faults, address, engine } = placeOf()
    await page.goto(`${address}/installation`)
    await page.click('.ask-link')
    await waitForText('h1', 'Ask')
    await whileWriting(engine, async () => {
      await page.type('main input[name="q"]', question)
      await page.keyboard.press('Enter')
      await waitForText('.ask-answer', 'It is so')
      expect([await textOf('.ask-status'), await page.$('.ask-answer .hits')]).toEqual([
        'The answer is being written…',
        null,
      ])
      expect(await page.$eval('.ask-answer', area => area.getAttribute('aria-busy'))).toBe('true')
    })
    await page.waitForSelector('.ask-answer .hits a[href$="/installation"]')
    await page.waitForSelector('.ask-answer[aria-busy="false"]')
    expect([await textOf('.ask-status'), await textOf(heading)]).toEqual(['', question])
    await page.focus('.ask-answer .question')
    await page.keyboard.press('Enter')
    await waitForText(heading, 'And then?')
    expect([await isInAnswer(), page.url()]).toEqual([true, `${address}/~recto/ask`])
    expect(faults.splice(0)).toEqual([])
  })

  it('stops an answer, and ends it by going on to another page', async () => {
    const { page, faults, address, engine } = placeOf()
    await page.goto(`${address}/~recto/ask`)
    // The exchanges of other tests have ended.
    await eventually(() => expect(engine.open).toBe(0))
    const { aborted } = engine
    await whileWriting(engine, async () => {
      await page.type('main input[name="q"]', question)
      await page.keyboard.press('Enter')
      await waitForText('.ask-answer', 'It is so')
      await page.click('[data-ask-stop]')
      await waitForText('.ask-answer', 'The answer was stopped here.')
      expect([await isInAnswer(), await textOf('.ask-status')]).toEqual([true, ''])
      await eventually(() => expect(engine.aborted).toBe(aborted + 1))
      await page.click('main button[type="submit"]')
      await waitForText('.ask-answer', 'It is so')
      await page.click('#recto-navigation a[href$="/installation"]')
      await waitForText('h1', 'Installation')
      await eventually(() => expect(engine.aborted).toBe(aborted + 2))
    })
    expect(faults.splice(0)).toEqual([])
  })
}

function waysToAsk(placeOf: () => Place): void {
  const { textOf, waitForText } = viewOf(placeOf)

  it('asks from the search what was typed there, and not again on the way back', async () => {
    const { page, faults, address, engine } = placeOf()
    await page.goto(`${address}/`)
    await page.keyboard.press('/')
    await page.keyboard.type('zebracorn')
    await page.waitForSelector('#recto-search-ask')
    expect(await textOf('#recto-search-ask')).toBe('Ask “zebracorn”')
    await page.keyboard.press('ArrowUp')
    await page.waitForSelector('#recto-search-ask[aria-selected="true"]')
    await page.keyboard.press('Enter')
    await waitForText(heading, 'zebracorn')
    await page.waitForSelector('.ask-answer .hits a')
    const requests = engine.requests.length
    await page.goBack()
    await waitForText('h1', 'Welcome')
    await page.goForward()
    await page.waitForSelector('main input[name="q"][value="zebracorn"]')
    await page.goto(`${address}/~recto/search?q=zebracorn`)
    expect(engine.requests.length).toBe(requests)
    await page.click('main .question')
    await page.waitForSelector('.ask-answer .hits a')
    expect([await textOf(heading), engine.requests.length]).toEqual(['zebracorn', requests + 1])
    expect(faults.splice(0)).toEqual([])
  })

  it('asks without scripts', async () => {
    const { page, faults, address } = placeOf()
    await page.setJavaScriptEnabled(false)
    await page.goto(`${address}/`)
    await Promise.all([page.waitForNavigation(), page.click('.ask-link')])
    await page.type('main input[name="q"]', question)
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(await textOf(heading)).toBe(question)
    await Promise.all([page.waitForNavigation(), page.click('.ask-answer .question')])
    expect(await textOf(heading)).toBe('And then?')
    await page.setJavaScriptEnabled(true)
    expect(faults.splice(0)).toEqual([])
  })
}
