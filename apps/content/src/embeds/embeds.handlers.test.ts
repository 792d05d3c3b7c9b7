import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { aWebServer, eventually, type WebServer } from '@recto/testing'
import { isUrlVisible } from '../audience/visible-urls.ts'
import { aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
let web: WebServer
let spaceId: string
beforeAll(async () => {
  ;[content, web] = await Promise.all([aContent(), aWebServer()])
  spaceId = await aSpace(content)
})
afterAll(() => Promise.all([content.stop(), web.stop()]))

const embed = (url: string) => content.as('read').getEmbedByUrlInSpace({ params: { spaceId }, query: { url } })
const host = () => new URL(web.url).host

describe('the preview of a page', () => {
  it('The preview of a page is a link with the metadata of its head', async () => {
    const page = '<title>Own</title><meta property="og:title" content="A page"><link rel="icon" href="/i.svg">'
    web.set({ '/page': `${page}<meta property="og:site_name" content="Docs">` })
    expect(await embed(`${web.url}/page`)).toEqual({
      type: 'link',
      title: 'A page',
      site: 'Docs',
      icon: `${web.url}/i.svg`,
    })
  })

  it('The preview of a page without a space is never read from a private address', async () => {
    web.set({ '/outside': '<title>Outside</title>' })
    const url = `${web.url}/outside`
    expect(await content.as('read').getEmbedByUrl({ query: { url } })).toEqual({
      type: 'link',
      title: host(),
      site: host(),
    })
    expect(web.requests('/outside')).toBe(0)
  })

  it('The preview of a redirect is of the page that it leads to', async () => {
    web.set({
      '/moved': response => void response.writeHead(302, { location: '/new/place' }).end(),
      '/new/place': '<title>Moved</title><link rel="icon" href="i.png">',
    })
    expect(await embed(`${web.url}/moved`)).toMatchObject({ title: 'Moved', icon: `${web.url}/new/i.png` })
  })

  it('The preview of a page is read once, then cached', async () => {
    web.set({ '/once': '<title>Once</title>' })
    const twice = [embed(`${web.url}/once`), embed(`${web.url}/once`)]
    expect(await Promise.all([...twice, twice[0]?.then(() => embed(`${web.url}/once`))])).toMatchObject([
      { title: 'Once' },
      { title: 'Once' },
      { title: 'Once' },
    ])
    expect(web.requests('/once')).toBe(1)
  })

  it('The preview of a large page is made of its start', async () => {
    const large = Buffer.alloc(3 * 1024 * 1024, 'x')
    web.set({
      '/large': `<title>Large</title>${large.toString()}`,
      '/late': `${large.toString()}<title>Late</title>`,
    })
    expect(await embed(`${web.url}/large`)).toMatchObject({ title: 'Large' })
    expect(await embed(`${web.url}/late`)).toMatchObject({ title: host() })
  })

  it('The preview of a page that cannot be read has the host as its title', async () => {
    web.set({
      '/plain': response => void response.writeHead(200, { 'content-type': 'text/plain' }).end('<title>No</title>'),
      '/error': response => void response.writeHead(500, { 'content-type': 'text/html' }).end('<title>No</title>'),
      '/packed': response =>
        void response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end('<title>No</title>'),
      '/broken': response =>
        void response.writeHead(200, { 'content-type': 'text/html' }).write('x', () => response.destroy()),
      '/loop': response => void response.writeHead(302, { location: '/loop' }).end(),
      '/empty': '',
    })
    for (const path of ['/missing', '/plain', '/error', '/packed', '/broken', '/loop', '/empty'])
      expect([path, await embed(`${web.url}${path}`)]).toEqual([path, { type: 'link', title: host(), site: host() }])
  })

  it('The preview of a page on a private server says nothing about it', async () => {
    web.set({ '/out': r => void r.writeHead(302, { location: 'http://10.0.0.1/' }).end() })
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]:1/', `${web.url}/out`]) {
      const { host: its } = new URL(url)
      expect(await embed(url)).toEqual({ type: 'link', title: its, site: its })
    }
  })
})

describe('For a visitor, a preview', () => {
  const visitor = (claims = {}) => {
    const actor = visitorActor({ organization, site: 'site', version: 1, spaces: [spaceId], claims })
    return busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
  }
  const preview = (url: string, claims = {}) =>
    visitor(claims).getEmbedByUrlInSpace({ params: { spaceId }, query: { url } })

  it('For a visitor, a preview is never read from a private address, even if settings allow it and content has it', async () => {
    const writer = content.as('edit')
    web.set({ '/shown': '<title>Shown</title>', '/other': '<title>Other</title>' })
    const markdown = `{% embed url="${web.url}/shown" %}`
    const changes = [{ operation: 'insert_page' as const, title: 'Embeds', document: { markdown } }]
    await writer.updateContent({ params: { spaceId }, body: { changes } })
    await eventually(async () => {
      const { items } = await writer.listSpaceLinks({ params: { spaceId } })
      expect(JSON.stringify(items)).toContain('/shown')
    })
    const plain = { type: 'link', title: host(), site: host() }
    expect(await preview(`${web.url}/shown`)).toEqual(plain)
    expect(await preview(`${web.url}/other`)).toEqual(plain)
    expect([web.requests('/shown'), web.requests('/other')]).toEqual([0, 0])
    expect(await embed(`${web.url}/shown`)).toMatchObject({ title: 'Shown' })
  })

  it('For a visitor, a preview is read only of addresses in content that they see', async () => {
    const writer = content.as('edit')
    const space = await aSpace(content)
    const closed = '{% if visitor.claims.beta %}\n[b](https://closed.test/?a=1&amp;b=2)\n{% endif %}'
    const page = (title: string, markdown: string, condition?: string) => ({
      operation: 'insert_page' as const,
      title,
      document: { markdown },
      ...(condition && { condition }),
    })
    const changes = [
      page('Open', `{% embed url="https://open.test/" %}\n\n${closed}`),
      page('Closed', '[c](https://hidden.test/)', 'visitor.claims.beta'),
    ]
    await writer.updateContent({ params: { spaceId: space }, body: { changes } })
    await eventually(async () => {
      expect((await writer.listSpaceLinks({ params: { spaceId: space } })).stats.total).toBe(3)
    })
    const { revision } = await writer.getSpaceById({ params: { spaceId: space } })
    const visibleUrls = async (claims: object) => {
      const actor = visitorActor({ organization, site: 'site', version: 1, spaces: [space], claims: { ...claims } })
      const context = { db: content.service.db, actor, publicUrl: 'http://recto.test' }
      const urls = ['https://open.test/', 'https://closed.test/?a=1&b=2', 'https://hidden.test/', 'https://none.test/']
      return Promise.all(urls.map(url => isUrlVisible(context as never, { id: space, revision }, url)))
    }
    expect(await visibleUrls({})).toEqual([true, false, false, false])
    expect(await visibleUrls({ beta: true })).toEqual([true, true, true, false])
  })
})

describe('a preview', () => {
  it('A preview is refused for other URLs than http, and for users who may not read the space', async () => {
    for (const url of ['nothing', 'file:///etc/passwd', 'javascript:alert(1)'])
      await expect(embed(url)).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'query.url' }] })
    web.set({ '/hidden': '<title>Hidden</title>' })
    for (const role of [null, undefined] as const)
      await expect(
        content.as(role).getEmbedByUrlInSpace({ params: { spaceId }, query: { url: `${web.url}/hidden` } }),
      ).rejects.toMatchObject({ code: 'not_found' })
    expect(web.requests('/hidden')).toBe(0)
  })
})
