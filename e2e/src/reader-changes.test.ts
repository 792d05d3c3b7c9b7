import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'puppeteer-core'
import { findBrowser, openPage, startBrowser } from './browser.ts'
import { picturesFolder } from './config.ts'
import { anOrganization, sendOk, type Person } from './people.ts'
import { aPublishedSite, ask, aSpace, cookiesOf } from './reader-sites.ts'
import { sharedStackWithReader } from './shared-stack.ts'
import type { Installation } from './stack.ts'

const program = findBrowser()
if (program === undefined)
  console.warn('There is no Chromium (Debian: chromium; or set CHROMIUM): changes were not walked in a browser')
const inBrowser = program === undefined ? describe.skip : describe

const image = (color: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120"><rect width="320" height="120" fill="${color}"/></svg>`,
  ).toString('base64')
const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
})
const rows = (...cells: string[]) =>
  `| Service | Port |\n| --- | --- |\n${cells.map(cell => `| ${cell} |`).join('\n')}\n`
const before = `Read this guide before you install the server.

## Ports

${rows('web | 80', 'the mail server | 25', 'files | 21')}

{% hint style="info" %}
Keep a copy of the settings.
{% endhint %}

This paragraph is not needed any more.

\`\`\`js
const port = 80
listen(port)
\`\`\`

* one thing
* another thing
`
const after = `Read this short guide before you start the server.

## Ports

${rows('web | 80', 'the mail server | 587', 'databases | 5432', 'files | 21')}

{% hint style="danger" %}
Keep a copy of the settings.
{% endhint %}

\`\`\`js
const port = 8080
listen(port)
\`\`\`

* one thing
* another thing
* a third thing <b onclick="alert(1)">now</b>
`
const arabic = (word: string) => `اقرأ ${word} الدليل قبل تثبيت الخادم.\n\n## المنافذ\n\nالمنفذ مفتوح.\n`

let stack: Installation
let admin: Person
let reader: string
let organizationId: string
let site: { siteId: string; name: string }
let space: string
let changeRequest: string
let root: string
let cookie: string
let ids: Record<string, string>

beforeAll(async () => {
  const shared = await sharedStackWithReader()
  stack = shared
  reader = shared.reader
  const organization = await anOrganization(stack)
  admin = organization.admin
  organizationId = organization.id
  const make = { stack, reader, admin, organizationId }
  space = await aSpace(make, 'Manual', [
    { operation: 'insert_files', files: [{ name: 'logo.svg', base64: image('teal') }] },
    page('Guide', before),
    page('Arabic', arabic('هذا')),
    page('Reference', 'All options.', { ref: 'reference' }),
    page('Options', 'Every option has a default.', { into: 'reference' }),
    page('Old page', 'Nobody reads this.'),
    page('Same', 'Nothing changes here.'),
  ])
  site = await aPublishedSite(make, { title: 'Docs', spaces: [space] })
  ids = await pageIds(`/spaces/${space}/content/pages`)
  const { id } = (await admin.client.spaces.createChangeRequest(space, { subject: 'News' } as never)).data
  const changes = [
    { operation: 'update_page', page: ids['Guide'], title: 'Short guide', document: { markdown: after } },
    { operation: 'update_page', page: ids['Arabic'], document: { markdown: arabic('ذلك') } },
    { operation: 'update_page', page: ids['Options'], into: null },
    { operation: 'delete_page', page: ids['Old page'] },
    { operation: 'insert_files', files: [{ name: 'new.svg', base64: image('tomato') }] },
    page('New page', 'It is new.\n\n![](.gitbook/assets/new.svg)'),
  ]
  const proposed = `/spaces/${space}/change-requests/${id}/content`
  await sendOk(stack, admin, { method: 'POST', path: proposed, body: { changes } })
  ids = { ...(await pageIds(`${proposed}/pages`)), ...ids }
  changeRequest = id
  cookie = await cookieOfPreview()
  root = `${reader}/url/preview/${site.siteId}/~/changes/${id}`
})

interface ListedPage {
  id: string
  title: string
  pages?: ListedPage[]
}

/** The pages of a content by their titles. */
async function pageIds(path: string): Promise<Record<string, string>> {
  const { pages } = await sendOk<{ pages: ListedPage[] }>(stack, admin, { method: 'GET', path })
  return Object.fromEntries(pages.flatMap(each => [each, ...(each.pages ?? [])]).map(({ id, title }) => [title, id]))
}

const preview = (query = '') =>
  sendOk<{ url: string }>(stack, admin, {
    method: 'GET',
    path: `/orgs/${organizationId}/sites/${site.siteId}/publishing/preview${query}`,
  })

async function cookieOfPreview(query?: string): Promise<string> {
  const entered = await ask((await preview(query)).url)
  return cookiesOf(`${reader}${entered.headers.location}`)
}

const open = (path: string) => ask(`${root}/~recto/changes${path}`, { headers: { cookie } })
const pathOf = (title: string) => `/${ids[title]}`

describe('the changes of a change request in the reader', () => {
  it('The list of changes names pages and files that differ, with how much, and no others', async () => {
    const { status, text, headers } = await open('')
    expect(status).toBe(200)
    for (const title of ['Short guide', 'Arabic', 'Options', 'New page', 'Old page'])
      expect(text).toContain(`<bdi>${title}</bdi>`)
    const list = /<ul class="hits change-list">.*?<\/ul>/s.exec(text)?.[0] ?? ''
    expect(list).not.toContain('<bdi>Same</bdi>')
    expect(list).toContain('Moved from <bdi dir="ltr">/reference/options</bdi>')
    expect(list).toMatch(/Words inserted: \d+, deleted: \d+/)
    const file = /<img src="([^"]*new\.svg)"/.exec(text)?.[1] ?? ''
    expect((await ask(`${reader}${file}`, { headers: { cookie } })).text).toContain('tomato')
    expect(text).toContain('content="noindex"')
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  it('A page shows its words, rows, blocks and settings as they were and as they are', async () => {
    const { status, text } = await open(pathOf('Guide'))
    expect(status).toBe(200)
    expect(text).toMatch(/<del[^>]*data-change="delete">.{0,80}install<\/del>/)
    expect(text).toMatch(/<ins[^>]*data-change="insert">.{0,80}start<\/ins>/)
    expect(text).toContain('<tr data-change="insert">')
    expect(text).toContain('5432')
    expect(text).toContain('This paragraph is not needed any more.')
    expect(text).toContain('<code>style</code>')
    expect(text).not.toContain('onclick')
    expect(text).toContain('<del data-change="setting">Guide</del>')
    expect(text).toContain('href="#recto-change-2"')
  })

  it('A page that is new, deleted or moved says so, and one that is missing is not found', async () => {
    expect((await open(pathOf('Old page'))).text).toMatch(/Deleted page.*Nobody reads this/s)
    expect((await open(pathOf('Options'))).text).toContain('Moved from <bdi dir="ltr">/reference/options</bdi>')
    expect((await open(pathOf('Same'))).status).toBe(200)
    expect((await open('/nothing')).status).toBe(404)
  })

  it('What is published has no changes, and nobody without the preview sees any', async () => {
    expect((await ask(`${reader}/${site.name}/~recto/changes`)).status).toBe(404)
    expect((await ask(`${root}/~recto/changes`)).status).toBe(404)
    const published = `${reader}/${site.name}/~/revisions/nothing/~recto/changes`
    expect((await ask(published, { headers: { cookie } })).status).toBe(404)
  })
})

const hostile = 'Why <img src=x onerror="alert(1)"> not?\n\nSecond line.'

/** Comments on a block that is in the page, on one that has gone, on a page that is the same, and on all; one is resolved. */
async function aDiscussion(): Promise<void> {
  const base = `/spaces/${space}/change-requests/${changeRequest}`
  const page = await sendOk<{ document: { nodes: { key: string; type: string }[] } }>(stack, admin, {
    method: 'GET',
    path: `${base}/content/page/${ids['Guide']}?format=document`,
  })
  const key = page.document.nodes.find(({ type }) => type === 'table')?.key
  const post = (body: object) =>
    sendOk<{ id: string }>(stack, admin, { method: 'POST', path: `${base}/comments`, body })
  const { id } = await post({ page: ids['Guide'], node: key, body: { markdown: hostile } })
  await sendOk(stack, admin, {
    method: 'POST',
    path: `${base}/comments/${id}/replies`,
    body: { body: { markdown: 'Since it moved.' } },
  })
  const resolved = await post({ page: ids['Guide'], body: { markdown: 'A question about the page.' } })
  await sendOk(stack, admin, { method: 'PUT', path: `${base}/comments/${resolved.id}`, body: { resolved: true } })
  await post({ page: ids['Same'], body: { markdown: 'This page could change, too.' } })
  await post({ body: { markdown: 'A remark on all of it.' } })
}

describe('the comments of a change request beside its changes', () => {
  let ofMember: string
  const openAs = (path: string, as: string) => ask(`${root}/~recto/changes${path}`, { headers: { cookie: as } })
  beforeAll(async () => {
    await aDiscussion()
    ofMember = await cookieOfPreview('?comments=true')
  })

  it('The list has comments on all of it, and leads to those on pages', async () => {
    const { status, text, headers } = await openAs('', ofMember)
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache'])
    expect(text).toContain('A remark on all of it.')
    expect(text).toMatch(new RegExp(`/~recto/changes/${ids['Guide']}"[^]*?Open comments: 1`))
    expect(text).toMatch(new RegExp(`/~recto/changes/${ids['Same']}"><bdi>Same</bdi></a> <small>Open comments: 1`))
    expect(text).not.toContain('A question about the page.')
  })

  it('A page has comments behind their blocks and below its text, with names and no addresses of people', async () => {
    const { text } = await openAs(pathOf('Guide'), ofMember)
    expect(text).toMatch(/5432[^]*<\/table>[^]*?Why &lt;img src=x[^]*?Since it moved\.[^]*?Keep a copy/)
    expect(text).toMatch(/<details class="comment"><summary>[^]*?Resolved[^]*?A question about the page\./)
    expect(text).not.toMatch(/onerror="|<img src=x/)
    expect(text).not.toContain(admin.email)
    expect((await openAs(pathOf('Same'), ofMember)).text).toContain('This page could change, too.')
    expect((await openAs(pathOf('Old page'), ofMember)).text).not.toContain('class="comment"')
  })

  it('A preview that was not made for comments shows none, and neither does the link to the change request', async () => {
    for (const path of ['', pathOf('Guide'), pathOf('Same')]) {
      const replies = [
        await open(path),
        await ask(`${reader}/${site.name}/~/changes/${changeRequest}/~recto/changes${path}`),
      ]
      for (const { status, text } of replies) {
        expect(status).toBe(200)
        expect(text).not.toMatch(/class="comment|Why |A remark|A question|This page could|Open comments/)
      }
    }
  })
})

inBrowser('the changes of a change request in a browser', () => {
  let browser: Browser
  let tab: Page
  const faults: string[] = []
  beforeAll(async () => {
    browser = await startBrowser(program ?? '')
    tab = await openPage(browser, faults)
    await tab.goto((await preview('?comments=true')).url)
  })
  afterAll(() => browser.close())

  it('The keys N and P lead from change to change', async () => {
    await tab.setViewport({ width: 1280, height: 800 })
    await tab.goto(`${root}/~recto/changes${pathOf('Guide')}`)
    const current = () => tab.$eval('.current', each => each.textContent?.trim())
    const places: (string | undefined)[] = []
    for (const key of ['n', 'n', 'n', 'p'] as const) {
      await tab.keyboard.press(key)
      places.push(await current())
    }
    expect(places).toEqual([expect.any(String), expect.any(String), places[2], places[1]])
    expect(new Set(places).size).toBe(3)
    expect(faults).toEqual([])
  })

  const views = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }
  const pages = { list: '', edited: 'Guide', arabic: 'Arabic', moved: 'Options', new: 'New page', deleted: 'Old page' }
  const pictures = Object.keys(views).flatMap(view =>
    ['light', 'dark'].flatMap(theme => Object.keys(pages).map(name => [name, theme, view] as const)),
  )

  /** Opens a page in a view and a theme, takes its picture, and expects that it is not wider than the view. */
  async function takePicture(name: string, theme: string, view: string): Promise<void> {
    const { width, height } = views[view as keyof typeof views]
    const title = pages[name as keyof typeof pages]
    await tab.setViewport({ width, height, isMobile: view === 'phone', hasTouch: view === 'phone' })
    await tab.evaluate(value => localStorage.setItem('recto-theme', value), theme)
    await tab.goto(`${root}/~recto/changes${title === '' ? '' : pathOf(title)}`)
    const { dir, dataset, scrollWidth } = await tab.evaluate(() => {
      const { dir, dataset, scrollWidth } = document.documentElement
      return { dir, dataset: { ...dataset }, scrollWidth }
    })
    const picture = await tab.screenshot({ fullPage: true })
    if (picturesFolder !== undefined)
      await writeFile(join(picturesFolder, `${name}-${theme}-${view}-${dir}.png`), picture)
    expect([scrollWidth <= width, dataset['theme']]).toEqual([true, theme])
    expect(picture.length).toBeGreaterThan(5_000)
    expect(faults).toEqual([])
  }

  it.each(pictures)('The %s page in %s fits a %s', takePicture)

  it('Changes of a space in Arabic are laid out from the right', async () => {
    await sendOk(stack, admin, { method: 'PATCH', path: `/spaces/${space}`, body: { language: 'ar' } })
    await eventually(async () => {
      await tab.goto(`${root}/~recto/changes`)
      expect(await tab.evaluate(() => document.documentElement.dir)).toBe('rtl')
    })
    for (const name of ['list', 'moved', 'edited', 'arabic']) {
      await takePicture(name, 'light', 'phone')
      await takePicture(name, 'dark', 'desktop')
    }
  })
})
