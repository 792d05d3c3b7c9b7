import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { it } from '@jest/globals'
import type { Browser } from 'puppeteer-core'
import { writeManual } from './author-command.ts'
import { findBrowser, startBrowser } from './browser.ts'

const program = findBrowser()
if (program === undefined)
  console.warn(
    'There is no Chromium (Debian: chromium; or set CHROMIUM): previews and exports were not opened in a browser',
  )

/** A test in the browser; without one it is skipped. */
export const inBrowser = program === undefined ? it.skip : it

/** Starts the browser, if there is one. */
export async function openBrowser(): Promise<Browser | undefined> {
  return program === undefined ? undefined : startBrowser(program)
}

/** A folder with a manual, and the browser. */
export interface ManualInBrowser {
  folder: string
  browser: Browser | undefined
  close(): Promise<void>
}

/** Writes a manual, and starts the browser. */
export async function openManual(): Promise<ManualInBrowser> {
  const { folder, remove } = writeManual()
  const browser = await openBrowser()
  return {
    folder,
    browser,
    async close() {
      await browser?.close()
      remove()
    },
  }
}

/** The files of a folder, by their paths in it. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return entries.map(entry => relative(folder, join(entry.parentPath, entry.name)))
}

/** The links of a page or sheet of an export that lead to no file of it. */
export function brokenLinks(out: string, name: string): string[] {
  const base = pathToFileURL(join(out, name))
  const links = readFileSync(join(out, name), 'utf8').matchAll(/(?:href|src)="([^"]*)"|url\("([^"]*)"\)/g)
  return [...links].flatMap(([, first, second]) => {
    const link = first ?? second ?? ''
    const url = new URL(link.replaceAll('&amp;', '&'), base)
    if (url.protocol !== 'file:') return []
    const path = fileURLToPath(`file://${url.pathname}`)
    return path.startsWith(out) && existsSync(path) ? [] : [`${name}: ${link}`]
  })
}
