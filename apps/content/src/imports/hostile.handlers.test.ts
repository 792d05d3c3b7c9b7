import type { ServerResponse } from 'node:http'
import { aDocx, aZip, eventually, type WebServer, type ZipEntry } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup } from '../test/content-setup.ts'
import { aHostileWeb, type Body, type Ending, type HostileSetup } from '../test/hostile-imports.ts'

const megabyte = 1024 * 1024

let hostile: HostileSetup
let content: ContentSetup
let web: WebServer
beforeAll(async () => {
  hostile = await aHostileWeb()
  ;({ content, web } = hostile)
})
afterAll(() => hostile.stop())

const importFrom: HostileSetup['ends'] = (source, path) => hostile.ends(source, path)
const either = (...endings: Ending[]): Ending[] => endings

describe('an archive', () => {
  const page = { name: 'a.md', content: '# A\n' }
  const zeros = Buffer.alloc(30 * megabyte)
  const cases: [string, () => ZipEntry[] | Record<string, string>, Ending[], string?][] = [
    ['that grows beyond the limit', () => [page, { name: 'b.txt', content: zeros }], either('too_large')],
    ['whose page grows beyond the limit', () => [page, { name: 'b.md', content: zeros }], either('imported'), 'b.md'],
    ['with a lying size', () => [page, { name: 'b.bin', content: zeros, claimedSize: 9 }], either('invalid_request')],
    [
      'with bytes that do not inflate',
      () => [page, { name: 'b.bin', content: 'x', broken: true }],
      either('invalid_request'),
    ],
    [
      'in archives',
      () => [page, { name: 'b.zip', content: aZip([{ name: 'b', content: zeros }]) }],
      either('imported'),
    ],
    ['of 100,000 files', () => entriesOf(100_000, at => `${at}.md`), either('too_large')],
    ['of 100,000 folders', () => entriesOf(100_000, at => `${at}/`), either('too_large')],
    ['of 100,000 files of one name', () => entriesOf(100_000, () => 'a.md'), either('too_large')],
    ['that leads out', () => ({ '../../a.md': '# A' }), either('invalid_request')],
    ['with an absolute path', () => ({ '/etc/a.md': '# A' }), either('invalid_request')],
    ['with a path of Windows', () => ({ 'C:\\a.md': '# A' }), either('invalid_request')],
    ['with symbolic links', () => [page, link('b.md', '/etc/passwd'), link('c', '/')], either('imported'), 'b.md'],
    [
      'of 10,000 folders in each other',
      () => [page, { name: `${'a/'.repeat(10_000)}b.md`, content: '# B' }],
      either('imported'),
    ],
    ['with a table of contents that nests', () => ({ 'a.md': '# A', 'SUMMARY.md': staircase }), either('imported')],
    [
      'with a table of contents of itself',
      () => ({ 'a.md': '# A', 'SUMMARY.md': '* [A](a.md)\n'.repeat(5_000) }),
      either('imported'),
    ],
  ]
  const staircase = Array.from({ length: 1_000 }, (_, at) => `${'  '.repeat(at)}* [A](a.md)`).join('\n')
  const link = (name: string, to: string): ZipEntry => ({ name, content: to, mode: 0o120777 })
  const entriesOf = (count: number, name: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => ({ name: name(at), content: '' }))

  it.each(cases)(
    'The import of an archive %s ends, and the service is alive',
    async (...[, entries, endings, warningPath]: (typeof cases)[number]) => {
      web.set({ '/hostile.zip': aZip(entries()) })
      const result = await importFrom('zip', '/hostile.zip')
      expect(endings).toContain(result.ending)
      if (warningPath !== undefined)
        expect(result.warnings.some(warning => warning.startsWith(`${warningPath}: `))).toBe(true)
      const files = JSON.stringify(await content.as('read').listFiles({ params: { spaceId: result.spaceId } }))
      expect(files).not.toContain('passwd')
    },
  )

  it.each([
    ['no zip file', 'PK'],
    ['a file that is cut off', aZip({ 'a.md': '# A\n' }).subarray(0, 60)],
    ['a directory that is cut off', aZip({ 'a.md': '# A\n', 'b.md': '# B\n' }).subarray(20)],
  ])('A broken archive is refused: %s', async (_what, bytes) => {
    web.set({ '/broken.zip': bytes })
    expect((await importFrom('zip', '/broken.zip')).ending).toBe('invalid_request')
  })
})

describe('a Word document', () => {
  const text = (of: string) => `<w:p><w:r><w:t>${of}</w:t></w:r></w:p>`
  const cells = (depth: number) =>
    `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}${text('x')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`
  const entities =
    '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>'
  const external = '<!DOCTYPE w [<!ENTITY c SYSTEM "file:///etc/passwd">]>'
  const linked =
    '<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="rId9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
  const relation =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>'

  const cases: [string, () => Buffer, Ending[]][] = [
    ['that grows beyond the limit', () => aDocx({ body: text('a'.repeat(12 * megabyte)) }), either('too_large')],
    [
      'with a part that grows',
      () => aDocx({ more: [{ name: 'word/media/a', content: Buffer.alloc(25 * megabyte) }] }),
      either('too_large'),
    ],
    [
      'of 10,000 tables in each other',
      () => aDocx({ body: cells(10_000) }),
      either('imported', 'too_large', 'timeout'),
    ],
    [
      'with entities that expand',
      () => aDocx({ body: text('&c;'), prologue: entities }),
      either('imported', 'invalid_request'),
    ],
    [
      'with an entity of a file',
      () => aDocx({ body: text('&c;'), prologue: external }),
      either('imported', 'invalid_request'),
    ],
    [
      'with an image that is a file of the server',
      () =>
        aDocx({ body: `${text('T')}${linked}`, more: [{ name: 'word/_rels/document.xml.rels', content: relation }] }),
      either('imported', 'invalid_request'),
    ],
    [
      'of 50,000 parts',
      () => aDocx({ more: Array.from({ length: 50_000 }, (_, at) => ({ name: `x/${at}`, content: '' })) }),
      either('too_large'),
    ],
    ['of broken XML', () => aZip({ 'word/document.xml': '<w:document' }), either('invalid_request')],
    ['that is only an archive', () => aZip({ 'a.md': '# A' }), either('invalid_request')],
  ]
  it.each(cases)('The import of a Word document %s ends, and the service is alive', async (_what, bytes, endings) => {
    web.set({ '/hostile.docx': bytes() })
    const { ending, spaceId } = await importFrom('docx', '/hostile.docx')
    expect(endings).toContain(ending)
    if (ending !== 'imported') return
    const { pages } = await content.as('read').listPages({ params: { spaceId } })
    const page = await content.as('read').getPageById({ params: { spaceId, pageId: pages[0]?.id ?? '' } })
    const markdown = 'markdown' in page ? (page.markdown ?? '') : ''
    expect(markdown).not.toMatch(/root:|a{200}/)
    expect((await content.as('read').listFiles({ params: { spaceId } })).items).toEqual([])
  })
})

describe('a website', () => {
  const page = (title: string, ...links: string[]) =>
    `<main><h1>${title}</h1>${links.map(link => `<a href="${link}">x</a>`).join(' ')}</main>`
  const titlesOf = async (spaceId: string) =>
    (await content.as('read').listPages({ params: { spaceId } })).pages.map(({ title }) => title)
  const redirect = (location: string) => (response: ServerResponse) => void response.writeHead(302, { location }).end()
  /** Serves pages without end: each links to two others below the folder. */
  const endless = (folder: string) => (response: ServerResponse) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(page('Page', `${folder}${Math.random()}`, `${folder}${Math.random()}`))

  it('A website whose pages link without end is imported up to the limit', async () => {
    web.set({ '/endless/': endless('/endless/'), '/endless/*': endless('/endless/') })
    const { ending, spaceId, warnings } = await importFrom('website', '/endless/')
    expect(ending).toBe('imported')
    const { totalPages } = await countPages(spaceId)
    expect(totalPages).toBeLessThanOrEqual(60)
    expect(warnings.some(warning => warning.includes('at most 60'))).toBe(true)
  })

  it('A website is imported without pages whose paths are deeper than any tree', async () => {
    const deep = `/deep/${'a/'.repeat(3_000)}`
    web.set({
      '/deep/': page('Deep', deep, `/deep/${'b'.repeat(5_000)}`, 'near'),
      '/deep/near': page('Near'),
      [deep]: page('Far'),
    })
    const { ending, spaceId } = await importFrom('website', '/deep/')
    expect(ending).toBe('imported')
    expect(await titlesOf(spaceId)).toEqual(['Deep', 'Near'])
  })

  it.each([
    ['that leads in circles', redirect('/robots.txt'), 'imported'],
    ['that leads to a private address', redirect('http://10.0.0.1/robots.txt'), 'invalid_request'],
    ['without end', 'User-agent: *\n'.repeat(100_000), 'imported'],
    ['that fails', (response: ServerResponse) => void response.writeHead(503).end(), 'invalid_request'],
    ['of hostile patterns', `User-agent: *\nDisallow: /${'*a'.repeat(200)}$\n`, 'imported'],
  ] as [string, Body, Ending][])('The import of a website with a robots.txt %s ends', async (_what, robots, ending) => {
    web.set({ '/robots.txt': robots, '/robots/': page('Home', 'a'.repeat(500)) })
    try {
      expect((await importFrom('website', '/robots/')).ending).toBe(ending)
    } finally {
      web.set({ '/robots.txt': '' })
    }
  })

  it('A website that redirects to a private address, in circles, or out, is imported with its other pages', async () => {
    web.set({
      '/moves/': page('Home', 'private', 'circle', 'out', 'http://10.0.0.1/moves/x', 'near'),
      '/moves/private': redirect('http://10.0.0.1/secret'),
      '/moves/circle': redirect('/moves/circle'),
      '/moves/out': redirect('/endless/'),
      '/moves/near': page('Near'),
    })
    const { ending, spaceId, warnings } = await importFrom('website', '/moves/')
    expect([ending, await titlesOf(spaceId)]).toEqual(['imported', ['Home', 'Near']])
    expect(warnings.length).toBe(3)
  })

  it('A website whose start redirects to a private address is refused', async () => {
    web.set({ '/start/': redirect('http://169.254.169.254/latest') })
    expect((await importFrom('website', '/start/')).ending).toBe('invalid_request')
  })

  it.each([
    [
      'entities that expand',
      '<!DOCTYPE x [<!ENTITY a "bbbb"><!ENTITY c "&a;&a;">]><urlset><url><loc>&c;</loc></url></urlset>',
    ],
    [
      'an entity of a file',
      '<!DOCTYPE x [<!ENTITY c SYSTEM "file:///etc/passwd">]><urlset><url><loc>&c;</loc></url></urlset>',
    ],
    ['10,000 elements in each other', '<urlset>'.repeat(10_000)],
    [
      'itself in it',
      `<sitemapindex>${'<sitemap><loc>/maps/sitemap.xml</loc></sitemap>'.repeat(10_000)}</sitemapindex>`,
    ],
    ['a text without end', `<urlset><url><loc>${'x'.repeat(9 * megabyte)}`],
    ['no XML', '\0'.repeat(1_000)],
  ])('A website with a sitemap of %s is imported', async (_what, sitemap) => {
    web.set({ '/maps/': page('Maps'), '/maps/sitemap.xml': sitemap })
    const { ending, spaceId } = await importFrom('website', '/maps/')
    expect([ending, await titlesOf(spaceId)]).toEqual(['imported', ['Maps']])
  })

  async function countPages(spaceId: string): Promise<{ totalPages: number }> {
    const count = (pages: object[]): number =>
      pages.reduce((sum, one) => sum + 1 + ('pages' in one ? count(one.pages as object[]) : 0), 0)
    return { totalPages: count((await content.as('read').listPages({ params: { spaceId } })).pages) }
  }
})

describe('a server that answers hostile content', () => {
  it.each([
    ['at a private address', 'http://10.0.0.1/a', 'invalid_request'],
    ['at the address of metadata', 'http://169.254.169.254/latest', 'invalid_request'],
    ['that is not there', 'http://127.0.0.1:9/a', 'unavailable'],
  ])('A server %s is refused', async (_what, url, code) => {
    const spaceId = await aSpace(content)
    for (const source of ['html', 'markdown', 'zip', 'docx', 'website'] as const) {
      const reply = content.as('edit').importContent({ params: { spaceId }, body: { url, source } })
      await expect(reply).rejects.toMatchObject({ code })
    }
  })

  it.each([
    ['to a private address', 'http://10.0.0.1/'],
    ['to itself', '/loop'],
  ])('A server with redirects %s is refused', async (_what, location) => {
    web.set({ '/loop': response => response.writeHead(302, { location }).end() })
    for (const source of ['html', 'markdown', 'zip', 'docx', 'website'] as const)
      expect((await importFrom(source, '/loop')).ending).toBe('invalid_request')
  })

  it('An image at a private address becomes a link, with a warning', async () => {
    web.set({ '/image': '<main><h1>T</h1><img src="http://10.0.0.1/x.png"></main>' })
    const { ending, warnings } = await importFrom('html', '/image')
    expect(ending).toBe('imported')
    expect(warnings).toEqual([expect.stringMatching(/^http:\/\/10\.0\.0\.1\/x\.png: /)])
  })

  it('A request to a slow server is aborted when the service stops', async () => {
    const other = await aContent()
    const spaceId = await aSpace(other)
    let isClosed = false
    web.set({ '/held': response => void response.on('close', () => (isClosed = true)) })
    const body = { url: `${web.url}/held`, source: 'html' as const }
    const reply = other.as('edit').importContent({ params: { spaceId }, body })
    await eventually(() => expect(web.requests('/held')).toBe(1))
    await other.service.stop()
    await reply
    await eventually(() => expect(isClosed).toBe(true))
    await other.stop()
  })
})
