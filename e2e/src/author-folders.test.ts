import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'puppeteer-core'
import { removeFolder, sharedBundle } from '@recto/testing'
import { aFolder, hostileFolders, secret } from '@recto/testing/hostile-folders'
import { recto, startPreview } from './author-command.ts'
import { brokenLinks, filesIn, openBrowser } from './author-browser.ts'
import { openPage } from './browser.ts'

const manuals = [
  { name: 'fluentd-docs.bundle', pages: 100 },
  { name: 'block-normalization.bundle', pages: 2 },
].flatMap(manual => {
  const bundle = sharedBundle(manual.name)
  if (bundle === undefined) console.warn(`${manual.name} is absent: it was not checked, previewed and exported`)
  return bundle === undefined ? [] : [{ ...manual, bundle }]
})

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'recto-folders-'))
})
afterAll(() => removeFolder(root))

/** Addresses of the host in the links of a page. */
const linksOf = (page: string): string[] =>
  [...page.matchAll(/<a [^>]*href="(\/[^"#?]*)"/g)].map(([, path = '']) => path)

const describeManual = ({ bundle, name, pages }: (typeof manuals)[number]) => {
  const folder = () => join(root, name)
  const out = () => join(root, `${name}-out`)
  let browser: Browser | undefined
  beforeAll(async () => {
    execFileSync('git', ['clone', '--quiet', bundle, folder()])
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it('is checked', async () => {
    const { code, stdout } = await recto('check', folder(), '--json')
    const { errors, findings } = JSON.parse(stdout) as { errors: number; findings: { rule: string }[] }
    expect([code, findings.length > 0 || errors === 0]).toEqual([errors > 0 ? 1 : 0, true])
    expect(findings.filter(({ rule }) => rule === 'unknown-block')).toEqual([])
  })

  it('is previewed: every page that its first page leads to is there', async () => {
    const { url, stop } = await startPreview(folder())
    try {
      const first = await fetch(url ?? '')
      expect(first.status).toBe(200)
      const links = new Set(linksOf(await first.text()))
      expect(links.size).toBeGreaterThanOrEqual(pages)
      for (const path of links) expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 200])
    } finally {
      expect(await stop()).toBe(0)
    }
  })

  it('is exported: every link leads to a file, and pages open without a server', async () => {
    expect((await recto('export', folder(), out())).code).toBe(0)
    const exported = filesIn(out()).filter(file => file.endsWith('.html'))
    expect(exported.length).toBeGreaterThanOrEqual(pages)
    expect(exported.flatMap(file => brokenLinks(out(), file))).toEqual([])
    if (!browser) return
    const faults: string[] = []
    const page = await openPage(browser, faults)
    for (const file of exported.slice(0, 10)) {
      await page.goto(pathToFileURL(join(out(), file)).href)
      expect([file, await page.$eval('main', main => (main.textContent ?? '').length > 0)]).toEqual([file, true])
    }
    await page.close()
    expect(faults).toEqual([])
  })
}
// A table without rows is a fault of Jest.
for (const manual of manuals) describe(manual.name, () => describeManual(manual))

const hasStack = (text: string) => /\n\s+at /.test(text)

describe('A hostile folder with', () => {
  it.each(hostileFolders)('%s harms neither a check, a preview nor an export', async (_title, prepare) => {
    const { path, outside, remove } = aFolder()
    const out = join(dirname(path), 'out')
    try {
      prepare(path, outside)
      const beside = readdirSync(dirname(path))
      const [check, exported, running] = await Promise.all([
        recto('check', path),
        recto('export', path, out),
        startPreview(path),
      ])
      const page = running.url === undefined ? '' : await (await fetch(running.url)).text()
      const stopped = await running.stop()
      const said =
        [check, exported].map(run => run.stdout + run.stderr).join('\n') + running.stdout() + running.stderr()
      expect({ said: hasStack(said), secret: `${said}${page}`.includes(secret) }).toEqual({
        said: false,
        secret: false,
      })
      expect([0, 1, 2]).toEqual(expect.arrayContaining([check.code, exported.code, stopped]))
      for (const file of existsSync(out) ? filesIn(out) : [])
        expect(readFileSync(join(out, file), 'latin1')).not.toContain(secret)
      expect(readdirSync(dirname(path)).filter(name => name !== 'out')).toEqual(beside)
    } finally {
      remove()
    }
  })
})
