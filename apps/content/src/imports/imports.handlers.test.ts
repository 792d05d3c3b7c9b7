import { roles } from '@recto/actor'
import { aWebServer, aZip, eventually, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, conditional, type ContentSetup, importInto } from '../test/content-setup.ts'
import { ContentImportEntity } from './content-import.entity.ts'

let content: ContentSetup
let web: WebServer
beforeAll(async () => {
  content = await aContent({ IMPORT_MAX_BYTES: '5000000', IMPORT_MAX_PAGE_BYTES: '2000000' })
  web = await aWebServer()
})
afterAll(async () => {
  await web.stop()
  await content.stop()
})

type Source = 'markdown' | 'html' | 'zip' | 'docx' | 'website'
const startImport = (spaceId: string, path: string, source: Source = 'markdown') =>
  content.as('edit').importContent({ params: { spaceId }, body: { url: `${web.url}${path}`, source } })
const tree = async (spaceId: string) => (await content.as('read').listPages({ params: { spaceId } })).pages
const titles = (pages: Awaited<ReturnType<typeof tree>>): unknown[] =>
  pages.map(page => ('pages' in page && page.pages.length > 0 ? [page.title, titles(page.pages)] : page.title))
const revisionOf = async (spaceId: string) => (await content.as('read').getSpaceById({ params: { spaceId } })).revision
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('an import', () => {
  it('An import of a zip file becomes the content of an empty space, in one revision', async () => {
    const spaceId = await aSpace(content)
    const before = await revisionOf(spaceId)
    web.set({
      '/docs.zip': aZip([
        { name: 'top/README.md', content: '# Home\n\n[use](guide/use.md) ![p](img/p.png)\n' },
        { name: 'top/guide/use.md', content: '---\ndescription: How\nicon: book\n---\n# Use\n' },
        { name: 'top/img/p.png', content: onePixel },
        { name: 'top/link.md', content: 'x', mode: 0o120777 },
      ]),
    })
    const result = await startImport(spaceId, '/docs.zip', 'zip')
    expect(result).toEqual({ revision: await revisionOf(spaceId), importedResources: 3, totalResources: 3 })
    const pages = await tree(spaceId)
    expect(titles(pages)).toEqual(['Home', ['Guide', ['Use']]])
    const revision = await content.as('read').getRevisionById({ params: { spaceId, revisionId: result.revision } })
    expect(revision).toMatchObject({ parents: [before], type: 'edits' })
    expect(revision).not.toHaveProperty('git')
    expect(revision.files).toMatchObject([
      { name: 'p.png', contentType: 'image/png', size: onePixel.length, dimensions: { width: 1, height: 1 } },
    ])
    const home = await content.as('read').getPageById({ params: { spaceId, pageId: pages[0]?.id ?? '' } })
    expect(home).toMatchObject({
      slug: 'readme',
      path: 'readme',
      markdown: '# Home\n\n[use](guide/use.md) ![p](img/p.png)\n',
    })
    const { items } = await content.as('read').listContentImports({ params: { spaceId } })
    expect(items).toMatchObject([
      {
        state: 'success',
        source: 'zip',
        revision: result.revision,
        importedResources: 3,
        warnings: [{ path: 'top/link.md' }],
      },
    ])
    const importId = items[0]?.id ?? ''
    expect(await content.as('read').getContentImport({ params: { spaceId, importId } })).toEqual(items[0])
  })

  it('An import shows neither the query of its URL, nor queries of URLs that it fetched', async () => {
    const spaceId = await aSpace(content)
    web.set({
      '/signed.md': `# Signed\n\n![p](missing.png?key=secret)\n\n---\n\n![q](${web.url}/gone.png?key=secret)\n`,
    })
    await startImport(spaceId, '/signed.md?key=secret')
    const { items } = await content.as('read').listContentImports({ params: { spaceId } })
    expect(items[0]?.url).toBe(`${web.url}/signed.md`)
    const paths = items[0]?.warnings.map(({ path }) => path)
    expect(paths).toEqual([`${web.url}/missing.png`, `${web.url}/gone.png`])
    expect(JSON.stringify(items)).not.toContain('secret')
  })

  it('An import comes after existing pages, with slugs and paths of its own', async () => {
    const spaceId = await aSpace(content)
    await importInto(content, spaceId, { pages: { start: '# S', one: '# O' } })
    web.set({ '/one.md': '# One\n\n[two](two.md)\n' })
    await startImport(spaceId, '/one.md')
    await startImport(spaceId, '/one.md')
    const pages = await tree(spaceId)
    expect(pages.map(page => ('slug' in page ? page.slug : ''))).toEqual(['start', 'one', 'one-2', 'one-3'])
    expect(titles(pages)).toEqual(['Page start', 'Page one', 'One', 'One'])
  })

  it('An import below a page comes at the end of the pages below it', async () => {
    const spaceId = await aSpace(content)
    await importInto(content, spaceId, { pages: { a: '# A', 'a/b': '# B', c: '# C' } })
    const [a] = await tree(spaceId)
    web.set({ '/page': '<main><h1>Inside</h1></main>' })
    const client = content.as('edit')
    const body = { url: `${web.url}/page`, source: 'html' as const }
    const params = { spaceId, pageId: a?.id ?? '' }
    expect(await client.importContentInPageById({ params, body })).toMatchObject({ importedResources: 1 })
    expect(titles(await tree(spaceId))).toEqual([['Page a', ['Page a/b', 'Inside']], 'Page c'])
    await expect(
      client.importContentInPageById({ params: { spaceId, pageId: 'nothing' }, body }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('An import of a website keeps links between its pages', async () => {
    const spaceId = await aSpace(content)
    web.set({
      '/site/': '<main><h1>Site</h1><a href="more">more</a><a href="/elsewhere">out</a></main>',
      '/site/more': '<main><h1>More</h1><a href="./">back</a></main>',
    })
    expect(await startImport(spaceId, '/site/', 'website')).toMatchObject({ importedResources: 2, totalResources: 2 })
    const [home] = await tree(spaceId)
    const page = await content.as('read').getPageById({ params: { spaceId, pageId: home?.id ?? '' } })
    expect(page).toMatchObject({ markdown: `# Site\n\n[more](more.md)[out](${web.url}/elsewhere)\n` })
    expect(web.requests('/elsewhere')).toBe(0)
  })

  it.each(roles)('An import by the role %s succeeds from edit on', async role => {
    const spaceId = await aSpace(content)
    web.set({ '/a.md': '# A' })
    const reply = content
      .as(role)
      .importContent({ params: { spaceId }, body: { url: `${web.url}/a.md`, source: 'markdown' } })
    if (role === 'read' || role === 'comment') await expect(reply).rejects.toMatchObject({ code: 'forbidden' })
    else expect(await reply).toMatchObject({ importedResources: 1 })
  })

  it.each([
    [{ url: 'ftp://x.example/a' }, 'body.url'],
    [{ url: 'https://u:p@x.example/a' }, 'body.url'],
    [{ source: 'confluence' }, 'body.source'],
    [{ source: 'nonsense' }, 'body.source'],
    [{ source: undefined }, 'body.source'],
  ])('An import is refused with %j', async (fields, path) => {
    const spaceId = await aSpace(content)
    const body = { url: 'https://x.example/a', source: 'html', ...fields } as { url: string; source: 'html' }
    const reply = content.as('edit').importContent({ params: { spaceId }, body })
    await expect(reply).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    expect((await content.as('read').listContentImports({ params: { spaceId } })).count).toBe(0)
  })

  it('An import is refused into a locked and into a deleted space', async () => {
    const spaceId = await aSpace(content)
    await content.as('admin').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    await expect(startImport(spaceId, '/a.md')).rejects.toMatchObject({ code: 'conflict' })
    const deletedSpace = await aSpace(content, { deletedAt: new Date() })
    const body = { url: `${web.url}/a.md`, source: 'markdown' as const }
    await expect(content.as('admin').importContent({ params: { spaceId: deletedSpace }, body })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('An import into a space that is locked meanwhile fails, and changes nothing', async () => {
    const spaceId = await aSpace(content)
    const before = await revisionOf(spaceId)
    let respond = (): void => undefined
    web.set({ '/slow.md': response => void (respond = () => response.end('# Slow')) })
    const refusal = expect(startImport(spaceId, '/slow.md')).rejects.toMatchObject({ code: 'conflict' })
    await eventually(() => expect(web.requests('/slow.md')).toBe(1))
    await content.as('admin').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    respond()
    await refusal
    expect(await revisionOf(spaceId)).toBe(before)
    const { items } = await content.as('read').listContentImports({ params: { spaceId } })
    expect(items).toMatchObject([{ state: 'failure', error: { code: 409, message: 'The space is locked' } }])
  })

  it('A failed import can be repeated with its Idempotency-Key, and a successful one is not made again', async () => {
    const spaceId = await aSpace(content)
    const importOnce = () =>
      conditional(content, 'importContent', {
        params: { spaceId },
        conditions: { idempotencyKey: `key-of-${spaceId}` },
        body: { url: `${web.url}/later.md`, source: 'markdown' },
      })
    await expect(importOnce()).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('404'),
    })
    await expect(importOnce()).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('404'),
    })
    web.set({ '/later.md': '# Later' })
    expect(await importOnce()).toMatchObject({ status: 201 })
    expect(await importOnce()).toMatchObject({ status: 201 })
    expect(titles(await tree(spaceId))).toEqual(['Later'])
    const { items } = await content.as('read').listContentImports({ params: { spaceId } })
    expect(items.map(({ state }) => state)).toEqual(['success', 'failure', 'failure'])
  })

  it('An import stores no secret of its URL', async () => {
    const spaceId = await aSpace(content)
    web.set({ '/secret.md': '# S' })
    await startImport(spaceId, '/secret.md?token=hidden')
    const rows = await content.service.db.findBy(ContentImportEntity, { spaceId })
    expect(JSON.stringify(rows)).not.toContain('hidden')
  })
})

describe('an import that takes long', () => {
  it('An import that takes long is answered with the revision before it, and goes on', async () => {
    const hasty = await aContent({ IMPORT_WAIT: '20' })
    const spaceId = await aSpace(hasty)
    const before = (await hasty.as('read').getSpaceById({ params: { spaceId } })).revision
    let respond = (): void => undefined
    web.set({ '/long.md': response => void (respond = () => response.end('# Long')) })
    const body = { url: `${web.url}/long.md`, source: 'markdown' as const }
    const reply = await hasty.as('edit').importContent({ params: { spaceId }, body })
    expect(reply).toEqual({ revision: before, importedResources: 0, totalResources: 0 })
    const list = async () => (await hasty.as('read').listContentImports({ params: { spaceId } })).items
    await eventually(() => expect(web.requests('/long.md')).toBe(1))
    expect(await list()).toMatchObject([{ state: 'running' }])
    respond()
    await eventually(async () => expect(await list()).toMatchObject([{ state: 'success', importedResources: 1 }]))
    await hasty.stop()
  })
})

describe('a service that stops during an import', () => {
  it('A service that stops during an import answers with the revision before it, and goes on when it starts again', async () => {
    const other = await aContent()
    const spaceId = await aSpace(other)
    web.set({ '/stuck.md': () => undefined })
    const body = { url: `${web.url}/stuck.md`, source: 'markdown' as const }
    const reply = other.as('edit').importContent({ params: { spaceId }, body })
    await eventually(() => expect(web.requests('/stuck.md')).toBe(1))
    await other.service.stop()
    expect(await reply).toMatchObject({ importedResources: 0 })
    web.set({ '/stuck.md': '# Free' })
    const again = await other.startAgain()
    await eventually(async () =>
      expect(titles((await other.as('read').listPages({ params: { spaceId } })).pages)).toEqual(['Free']),
    )
    const { items } = await other.as('read').listContentImports({ params: { spaceId } })
    expect(items).toMatchObject([{ state: 'success', importedResources: 1 }])
    await again.stop()
    await other.stop()
  })
})
