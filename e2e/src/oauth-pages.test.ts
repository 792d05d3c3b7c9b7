import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { HtmlValidate } from 'html-validate'
import type { Browser, Page } from 'puppeteer-core'
import { aWebServer, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findBrowser, openPage, startBrowser } from './browser.ts'
import { aProgram, type Program } from './oauth.ts'
import { anOrganization, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

const axeSource = readFileSync(createRequire(import.meta.filename).resolve('axe-core/axe.min.js'), 'utf8')
const program = findBrowser()
const describeInBrowser = program === undefined ? describe.skip : describe
const validator = new HtmlValidate({ extends: ['html-validate:standard'] })

describeInBrowser('The authorization pages in a browser', () => {
  let stack: Installation
  let organization: { id: string; admin: Person }
  let wiki: Program
  let site: WebServer
  let browser: Browser
  let page: Page
  const faults: string[] = []
  beforeAll(async () => {
    stack = await sharedStack()
    organization = await anOrganization(stack)
    site = await aWebServer()
    site.set({ '/favicon.ico': '', '/callback': '<!doctype html><title>Back</title><h1>Back</h1>' })
    wiki = await aProgram(stack, organization, `${site.url}/callback`)
    browser = await startBrowser(program ?? '')
  })
  afterAll(async () => {
    await browser.close()
    await site.stop()
  })

  const title = () => page.$eval('h1', heading => heading.textContent)
  const press = (selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)])
  const open = async (theme: string, width: number) => {
    page = await openPage(browser, faults)
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
    await page.setViewport({ width, height: 740 })
  }
  const signIn = async () => {
    await page.type('#token', organization.admin.token)
    await press('form[action$="/sign-in"] button')
  }
  /** Obstacles for who needs help, faults of the markup, and whether the page is wider than the window. */
  const obstacles = async () => {
    await page.evaluate(axeSource)
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
      return (await axe.run()).violations.map(({ id }) => id)
    })
    const { results } = await validator.validateString(await page.content())
    const markup = results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))
    const scripts = await page.$$eval('script', elements => elements.length)
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    return [
      ...violations,
      ...markup,
      ...(scripts > 0 ? ['has scripts'] : []),
      ...(isWide ? ['is wider than the window'] : []),
    ]
  }

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ])('lead a person to the program, without obstacles (%s, %d pixels)', async (theme, width) => {
    await open(theme, width)
    const { url, exchange } = await wiki.begin()
    await page.goto(url)
    expect([await title(), await obstacles()]).toEqual(['Sign in', []])
    await signIn()
    expect([await title(), await obstacles()]).toEqual(['Allow Wiki search?', []])
    await press('button[value="allow"]')
    expect(await title()).toBe('Back')
    expect(await exchange(new URL(page.url()))).toMatchObject({ scope: 'read write' })
    expect(faults.splice(0)).toEqual([])
  })

  it('let a person deny', async () => {
    await open('light', 360)
    await page.goto((await wiki.begin()).url)
    await signIn()
    await press('button[value="deny"]')
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    expect(faults.splice(0)).toEqual([])
  })

  it('show the code of a device, and have no obstacles there', async () => {
    await open('dark', 360)
    const reply = await fetch(`${stack.url}/oauth/device-authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'recto-cli', scope: 'read' }),
    })
    const device = (await reply.json()) as { verification_uri_complete: string; user_code: string }
    await page.goto(device.verification_uri_complete)
    expect([await title(), await obstacles()]).toEqual(['Connect a program', []])
    await press('button.strong')
    expect(await page.$eval('#code', code => code.textContent)).toBe(device.user_code)
    expect(await obstacles()).toEqual([])
    await press('button[name="confirm"]')
    await signIn()
    await press('button[value="allow"]')
    expect([await title(), await obstacles()]).toEqual(['Connected', []])
    expect(faults.splice(0)).toEqual([])
  })
})
