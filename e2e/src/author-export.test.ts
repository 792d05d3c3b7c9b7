import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'puppeteer-core'
import { recto, writeManual } from './author-command.ts'
import { brokenLinks, filesIn, inBrowser, openManual, type ManualInBrowser } from './author-browser.ts'
import { openPage } from './browser.ts'

let manualInBrowser: ManualInBrowser
let folder: string
beforeAll(async () => {
  manualInBrowser = await openManual()
  folder = manualInBrowser.folder
})
afterAll(() => manualInBrowser.close())

describe('recto export', () => {
  let out: string
  beforeAll(async () => {
    out = join(mkdtempSync(join(tmpdir(), 'recto-export-')), 'site')
    const { code, stderr } = await recto('export', folder, out)
    expect([code, stderr]).toEqual([0, ''])
  })
  afterAll(() => rmSync(dirname(out), { recursive: true, force: true }))

  it('writes what everybody may see, and nothing else', () => {
    const names = filesIn(out)
    expect(names).toEqual(expect.arrayContaining(['index.html', 'guide.html', 'guide/set-up.html', 'two.html']))
    for (const name of names) {
      const text = readFileSync(join(out, name), 'latin1')
      expect([name, /only-for-beta|127\.0\.0\.1/.test(text)]).toEqual([name, false])
    }
    expect(readFileSync(join(out, 'index.html'), 'utf8')).not.toContain('<script>alert(1)</script>')
  })

  it('Every link of every page leads to a file of the export', () => {
    const pages = filesIn(out).filter(name => /\.(?:html|css)$/.test(name))
    expect(pages.flatMap(name => brokenLinks(out, name))).toEqual([])
    expect(pages.length).toBeGreaterThan(0)
  })

  it.each([
    ['old/setup.html', '../guide/set-up.html'],
    ['older.html', 'guide.html'],
    ['two/old page.html', '../two.html'],
  ])('%s leads to the page that took its place', (name, target) => {
    const page = readFileSync(join(out, name), 'utf8')
    expect(page).toContain(`content="0; url=${target}"`)
    expect(page).toContain(`<link rel="canonical" href="${target}">`)
  })

  it('The search finds what authors wrote, and nothing of the page around it', () => {
    const index = readFileSync(join(out, '_recto/search-index.js'), 'utf8')
    const pages = JSON.parse(index.replace('globalThis.rectoSearchIndex = ', '')) as {
      path: string
      sections: object[]
    }[]
    expect(pages.find(({ path }) => path === 'guide/set-up.html')?.sections).toEqual([
      { title: '', text: '' },
      { title: 'Setup', anchor: 'setup', text: '' },
      { title: 'Install', anchor: 'install', text: 'Turn the brass needle. Home A Text' },
    ])
  })

  it('A folder that is not empty is not written to', async () =>
    expect(await recto('export', folder, out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not empty'),
    }))

  it('A large file is exported, and one above the limit is a fault that names it', async () => {
    const { folder: own, remove: removeOwn } = writeManual({
      'README.md': '# A\n\n{% file src="large.bin" %}\n\n{% file src="img/too-large.bin" %}\n',
      'large.bin': '',
      'img/too-large.bin': '',
    })
    const target = join(dirname(out), 'large')
    const limit = 100 * 1024 * 1024
    try {
      truncateSync(join(own, 'large.bin'), limit)
      truncateSync(join(own, 'img/too-large.bin'), limit + 1)
      const { code, stdout, stderr } = await recto('export', own, target)
      expect(stdout).toMatch(/^1 page and \d+ files are in /)
      expect([code, stderr]).toEqual([1, 'recto: img/too-large.bin has more than 100 MB, the limit of a file\n'])
      const sizes = filesIn(target).map(name => statSync(join(target, name)).size)
      expect(Math.max(...sizes)).toBe(limit)
    } finally {
      removeOwn()
    }
  })

  it('Symbolic links and paths out of a folder are not exported', async () => {
    const { folder: hostile, remove: removeHostile } = writeManual({
      'README.md': '# A\n\n[s](../secret.md) ![l](link.png)\n',
    })
    const target = join(dirname(out), 'hostile')
    try {
      symlinkSync(join(folder, 'one/secret.md'), join(hostile, 'link.png'))
      expect((await recto('export', hostile, target)).code).toBe(0)
      for (const name of filesIn(target))
        expect(readFileSync(join(target, name), 'latin1')).not.toContain('only-for-beta')
    } finally {
      removeHostile()
    }
  })

  inBrowser('Pages and the search work from files', async () => {
    const faults: string[] = []
    const page = await openPage(manualInBrowser.browser as Browser, faults)
    await page.goto(pathToFileURL(join(out, 'index.html')).href)
    await page.type('input[data-exported-search]', 'needle')
    await page.waitForSelector('.search-results a')
    await Promise.all([page.waitForNavigation(), page.click('.search-results a')])
    expect(page.url()).toBe(`${pathToFileURL(join(out, 'guide/set-up.html')).href}#install`)
    expect(await page.$eval('h1', heading => heading.textContent?.trim())).toContain('Setup')
    await page.close()
    expect(faults).toEqual([])
  })
})
