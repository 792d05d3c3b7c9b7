import { existsSync } from 'node:fs'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { waitLimit } from '@recto/testing'
import { browserPath } from './config.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const macPlaces = ['Google Chrome', 'Chromium'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`)

/** The program of a browser on this machine: of the variable CHROMIUM, or where packages put it; undefined without one. */
export function findBrowser(): string | undefined {
  return [browserPath(), ...places, ...macPlaces].find(path => path !== undefined && existsSync(path))
}

/** Starts a browser without a window, which reaches nothing but this machine. */
export async function startBrowser(executablePath: string): Promise<Browser> {
  return launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
    ],
  })
}

/** Opens a page, and fails with what the browser reports: errors of scripts, refusals of the policy, and files that are missing. */
export async function openPage(browser: Browser, faults: string[]): Promise<Page> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(waitLimit)
  page.on('pageerror', error => faults.push(String(error)))
  page.on('console', message => message.type() === 'error' && faults.push(message.text()))
  page.on('requestfailed', request => {
    const reason = request.failure()?.errorText ?? ''
    // A request that the page no longer needs is aborted.
    if (reason !== 'net::ERR_ABORTED') faults.push(`${request.url()} ${reason}`)
  })
  return page
}
