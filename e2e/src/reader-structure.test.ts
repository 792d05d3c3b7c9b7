import { eventually } from '@recto/testing'
import { HtmlValidate } from 'html-validate'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aFont } from './fonts.ts'
import { aMember, sendOk, sendRaw } from './people.ts'
import { aPublishedSite, aSpace, ask, readerSites, type ReaderSites } from './reader-sites.ts'
import { aCustomization } from './sites.ts'

let sites: ReaderSites
let site: { siteId: string; name: string }
/** Ids of spaces of the site and of its parts. */
let ids: { german: string; home: string; draftSpace: string }

const page = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `# ${title}\n\nText of ${title}.\n\n\`\`\`js\nlet a = 1\n\`\`\`\n` },
  ...more,
})
const path = (rest: string) => `/orgs/${sites.organizationId}/sites/${site.siteId}/${rest}`
const send = <Reply = { id: string }>(method: string, rest: string, body?: object) =>
  sendOk<Reply>(sites.stack, sites.admin, { method, path: path(rest), ...(body && { body }) })
const open = (rest: string) => ask(`${sites.reader}/${site.name}/${rest}`)

/** Opens the address of a preview; resolves to the cookies that it leaves. */
async function enter(url: string): Promise<string> {
  const entered = await ask(url)
  expect([entered.status, entered.headers['cache-control']]).toEqual([307, 'no-store'])
  const { headers } = await ask(`${sites.reader}${entered.headers.location}`)
  return (headers['set-cookie'] ?? []).map(each => each.split(';')[0]).join('; ')
}

beforeAll(async () => {
  sites = await readerSites()
  const english = await aSpace(sites, 'Manual', [page('Welcome'), page('Start here')])
  const german = await aSpace(sites, 'Handbuch', [page('Willkommen')])
  const draft = await aSpace(sites, 'Next', [page('Soon')])
  await sendOk(sites.stack, sites.admin, { method: 'PATCH', path: `/spaces/${german}`, body: { language: 'de' } })
  site = await aPublishedSite(sites, { title: 'Ours', spaces: [english] })
  ids = { german, ...(await structureOf({ german, draft })) }
  await send('PUT', 'customization', {
    ...aCustomization(),
    localizedTitle: { de: 'Unsere' },
    pageActions: { items: ['markdown'] },
    socialAccounts: [{ platform: 'github', handle: 'recto', display: { footer: true, header: false } }],
    styling: {
      ...aCustomization().styling,
      headingFont: 'Merriweather',
      codeTheme: { default: { light: 'github-light', dark: 'nord' }, openapi: { light: 'red', dark: 'nord' } },
    },
    header: { preset: 'default', primaryLink: { kind: 'url', url: 'https://home.test/' }, links: [] },
    announcement: { enabled: true, message: 'News', localizedMessage: { de: 'Neues' }, style: 'info' },
  })
})

afterAll(async () => {
  await sites.stop()
})

/** Gives the site two sections, a variant, a link, and a section that is a draft. */
async function structureOf({ german, draft }: { german: string; draft: string }) {
  const { siteSpaces } = await send<{ siteSpaces: { id: string }[] }>('POST', 'sections', {
    spaceId: draft,
    draft: true,
  })
  const { items } = await send<{
    items: { id: string; title: string; siteSpaces: { id: string; space: { id: string } }[] }[]
  }>('GET', 'sections')
  const first = items.find(({ title }) => title === 'Manual')
  const english = first?.siteSpaces[0]
  await send('PATCH', `sections/${first?.id}`, { localizedTitle: { de: 'Anleitung' } })
  await send('POST', 'site-spaces', { spaceId: german, sectionId: first?.id, title: 'Deutsch' })
  await send('POST', 'external-links', {
    title: 'Status',
    localizedTitle: { de: 'Zustand' },
    url: 'https://status.test/',
  })
  const { pages } = await sendOk<{ pages: { id: string; title: string }[] }>(sites.stack, sites.admin, {
    method: 'GET',
    path: `/spaces/${english?.space.id}/content`,
  })
  const home = pages.find(({ title }) => title === 'Start here')?.id ?? ''
  await send('PATCH', `site-spaces/${english?.id}`, { pageId: home })
  return { home, draftSpace: siteSpaces[0]?.id ?? '' }
}

describe('the reader', () => {
  it('shows sections and links in the language of the variant', async () => {
    const { text } = await open('')
    for (const part of ['>Manual<', '>Status<', 'href="https://status.test/"', 'News', '<title>Start here | Ours'])
      expect(text).toContain(part)
    const { text: german } = await open('deutsch')
    for (const part of ['>Anleitung<', '>Zustand<', 'Neues', '<title>Willkommen | Unsere'])
      expect(german).toContain(part)
  })

  it('shows the page that is chosen at the root of a space, and the first one at its path', async () => {
    const root = await open('')
    expect(root.text).toMatch(/<link rel="canonical" href="[^"]*\/"/)
    expect((await open('welcome')).text).toContain('<title>Welcome | Ours')
  })

  it('obeys the settings of the client of today', async () => {
    const { text } = await open('')
    expect(text).toContain('<a class="logo" href="https://home.test/">')
    expect(text).toContain('href="https://github.com/recto"')
    expect(text).toContain('--code-background:#2e3440')
    expect(text).toContain('--font-heading:"Merriweather')
    expect(text).toContain('.md"')
  })

  it('hides a variant from the menu, and no draft is anywhere', async () => {
    expect((await open('')).text).toContain('Deutsch')
    const { items } = await send<{ items: { id: string; title: string }[] }>('GET', 'site-spaces')
    await send('PATCH', `site-spaces/${items.find(({ title }) => title === 'Deutsch')?.id}`, { hidden: true })
    await eventually(async () => expect((await open('')).text).not.toContain('Deutsch'))
    expect((await open('')).text).not.toContain('>Next<')
    expect((await open('deutsch')).status).toBe(200)
    expect((await open('next')).status).toBe(404)
    for (const name of ['sitemap.xml', 'sitemap-pages.xml']) expect((await open(name)).text).not.toContain('soon')
  })

  it('writes valid HTML', async () => {
    const rules = { 'void-style': 'off', 'no-trailing-whitespace': 'off' } as const
    const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules })
    const { results } = await validator.validateString((await open('')).text)
    expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))).toEqual(
      [],
    )
  })

  it('shows a font of the organization, and what is changed of it', async () => {
    const id = await aFont(sites.admin, sites.organizationId, 'Corporate')
    const at = `/orgs/${sites.organizationId}/fonts/${id}`
    const font = await sendOk<object>(sites.stack, sites.admin, { method: 'GET', path: at })
    const before = await send<{ styling: object }>('GET', 'customization')
    await send('PUT', 'customization', { ...before, styling: { ...before.styling, font } })
    const face = /@font-face\{font-family:"Corporate";font-weight:400;font-display:swap;src:url\("([^"]+)"\)/
    const address = await eventually(async () => {
      const { text, headers } = await open('')
      const [, path = ''] = face.exec(text) ?? []
      expect(path).toContain('/~recto/fonts/')
      expect(headers['content-security-policy']).toContain("; font-src 'self'; ")
      return `${sites.reader}${path}`
    })
    const file = await ask(address)
    expect([file.status, file.headers['content-type']]).toEqual([200, 'font/woff2'])
    expect(file.headers['cache-control']).toMatch(/, immutable$/)
    expect((await ask(address.replace(/.\.woff2$/, '_.woff2'))).status).toBe(404)
    await sendOk(sites.stack, sites.admin, { method: 'POST', path: at, body: { fontFamily: 'Renamed' } })
    await eventually(async () => expect((await open('')).text).toContain('font-family:"Renamed"'))
    await sendOk(sites.stack, sites.admin, { method: 'DELETE', path: at })
    await eventually(async () => expect((await open('')).text).not.toContain('@font-face'))
    expect((await ask(address)).status).toBe(404)
  })

  it('shows drafts in a preview', async () => {
    const query = `siteSpace=${ids.draftSpace}`
    const { url } = await send<{ url: string }>('GET', `publishing/preview?${query}`)
    const cookie = await enter(url)
    const { status, text } = await ask(url.replace(/\/\?.*/, ''), { headers: { cookie } })
    expect([status, text.includes('<title>Soon | Ours'), text.includes('>Next<')]).toEqual([200, true, true])
  })

  it('says why a preview shows nothing', async () => {
    const organization = { id: sites.organizationId, admin: sites.admin }
    const guest = await aMember(sites.stack, organization, null)
    await send('POST', 'permissions', { role: 'read', users: [guest.id] })
    const grant = (role: 'read' | null) =>
      sendOk(sites.stack, sites.admin, {
        method: 'POST',
        path: `/spaces/${ids.german}/permissions`,
        body: { role, users: [guest.id] },
      })
    const preview = { method: 'GET', path: path('publishing/preview') }
    const refused = await sendRaw(sites.stack.url, guest, preview)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([403, expect.stringContaining('none of the spaces')])
    await grant('read')
    const { url } = await sendOk<{ url: string }>(sites.stack, guest, preview)
    const cookie = await enter(url)
    const root = url.replace(/\?.*/, '')
    const look = () => ask(root.replace(/\/$/, ''), { headers: { cookie } })
    expect((await look()).text).toContain('<title>Willkommen |')
    await grant(null)
    await eventually(async () => {
      const { status, text } = await look()
      expect([status, text.includes('may read none of the spaces of the site')]).toEqual([403, true])
    })
  })
})
