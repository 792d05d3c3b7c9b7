import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, conditional, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const aSpace = async () =>
  (await content.as('create').createSpace({ params: { organizationId: organization }, body: {} })).id
const first = {
  pages: { start: '# Start\n', guide: '# Guide\n', 'guide/setup': '# Setup\n' },
  files: { 'b.txt': 'bee', 'a (1).txt': 'ay' },
}

describe('content of a space', () => {
  it('Content of a space is listed as an ordered tree with paths, without documents', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, first)
    const { pages } = await content.as('read').listPages({ params: { spaceId } })
    expect(pages).toMatchObject([
      { title: 'Page start', path: 'start', pages: [] },
      { title: 'Page guide', path: 'guide', pages: [{ title: 'Page guide/setup', path: 'guide/setup' }] },
    ])
    expect(JSON.stringify(pages)).not.toContain('markdown')
  })

  it('A page is read with its Markdown byte for byte, and git metadata only on request', async () => {
    const spaceId = await aSpace()
    const markdown = '---\ndescription: x\n---\r\n\r\n# Ünïcode \u0000 \r\n  trailing  '
    await importInto(content, spaceId, { pages: { odd: markdown } })
    const { pages } = await content.as('read').listPages({ params: { spaceId } })
    const params = { spaceId, pageId: pages[0]?.id ?? '' }
    const page = await content.as('read').getPageById({ params, query: { format: 'markdown' } })
    expect(page).toMatchObject({ markdown, git: { path: 'odd.md' }, layout: { title: true, width: 'default' } })
    expect(await content.as('read').getPageById({ params, query: { metadata: 'false' } })).not.toHaveProperty('git')
  })

  it('Files of a space are listed by name in pages, each with a signed download', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, first)
    const client = content.as('read')
    const one = await client.listFiles({ params: { spaceId }, query: { limit: 1 } })
    expect(one).toMatchObject({ count: 2, items: [{ name: 'a (1).txt', size: 2, contentType: 'text/plain' }] })
    expect(one.items[0]?.downloadURL).toMatch(/^http:\/\/recto\.test\/files\/[\w-]+\/a%20%281%29\.txt$/)
    const two = await client.listFiles({ params: { spaceId }, query: { limit: 5, page: one.next?.page } })
    expect(two).toMatchObject({ items: [{ name: 'b.txt' }] })
    expect(two.next).toBeUndefined()
    const fileId = two.items[0]?.id ?? ''
    expect(await client.getFileById({ params: { spaceId, fileId } })).toEqual(two.items[0])
    await expect(client.listFiles({ params: { spaceId }, query: { page: 'no' } })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  it('Every revision stays readable by its id, in its own space only', async () => {
    const spaceId = await aSpace()
    const otherId = await aSpace()
    const old = await importInto(content, spaceId, first)
    const next = await importInto(content, spaceId, { pages: { start: '# Changed\n' } })
    const client = content.as('read')
    const before = { spaceId, revisionId: old }
    expect(await client.getRevisionById({ params: before })).toMatchObject({
      id: old,
      git: { oid: 'c0ffee', createdByService: false },
      files: [{}, {}],
    })
    expect((await client.getRevisionById({ params: { spaceId, revisionId: next } })).parents).toEqual([old])
    const { pages } = await client.listPagesInRevisionById({ params: before })
    expect(await client.getPageInRevisionById({ params: { ...before, pageId: pages[0]?.id ?? '' } })).toMatchObject({
      markdown: '# Start\n',
    })
    const files = await client.listFilesInRevisionById({ params: before })
    expect(await client.getFileInRevisionById({ params: { ...before, fileId: files.items[0]?.id ?? '' } })).toEqual(
      files.items[0],
    )
    await expect(client.getRevisionById({ params: { spaceId: otherId, revisionId: old } })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('Content of a space is not found for outsiders; missing pages and files are not found', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, first)
    await expect(content.as(undefined).listPages({ params: { spaceId } })).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      content.as(undefined).listPagesInRevisionById({ params: { spaceId, revisionId: 'x' } }),
    ).rejects.toMatchObject({ code: 'not_found' })
    const client = content.as('read')
    await expect(client.getPageById({ params: { spaceId, pageId: 'x' } })).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.getFileById({ params: { spaceId, fileId: 'x' } })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('A change of one page of a thousand writes a handful of nodes and shares the others', async () => {
    const spaceId = await aSpace()
    const pages = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`page-${at}`, `# Page ${at}\n`]))
    await importInto(content, spaceId, { pages })
    const count = async () =>
      Number((await content.service.db.query(`select count(*) as nodes from tree_nodes`))[0].nodes)
    const before = await count()
    await importInto(content, spaceId, { pages: { ...pages, 'page-500': '# Edited\n' } }, { oid: 'decade' })
    expect((await count()) - before).toBeLessThanOrEqual(4)
  })
})

describe('a read whose client has the revision', () => {
  const reads = (spaceId: string, ids: { pageId: string; fileId: string; revisionId: string }) =>
    [
      ['getCurrentRevision', { spaceId }],
      ['listPages', { spaceId }],
      ['listFiles', { spaceId }],
      ['getPageById', { spaceId, pageId: ids.pageId }],
      ['getFileById', { spaceId, fileId: ids.fileId }],
      ['getRevisionById', { spaceId, revisionId: ids.revisionId }],
      ['getPageInRevisionById', { spaceId, revisionId: ids.revisionId, pageId: ids.pageId }],
    ] as const

  it('A read whose client has the revision is answered with 304, until the content changes', async () => {
    const spaceId = await aSpace()
    const revisionId = await importInto(content, spaceId, first)
    const { pages, files } = await content.as('read').getCurrentRevision({ params: { spaceId } })
    const ids = { revisionId, pageId: pages[0]?.id ?? '', fileId: files[0]?.id ?? '' }
    const all = reads(spaceId, ids)
    const tags: (string | undefined)[] = []
    for (const [operation, params] of all) {
      const { status, etag } = await conditional(content, operation, { params, conditions: {} })
      expect([operation, status, etag]).toEqual([
        operation,
        200,
        expect.stringMatching(`^"${revisionId}\\.[0-9a-f]{8}"$`),
      ])
      expect(await conditional(content, operation, { params, conditions: { ifNoneMatch: etag } })).toMatchObject({
        status: 304,
        etag,
        size: 0,
      })
      tags.push(etag)
    }
    await importInto(content, spaceId, { ...first, pages: { ...first.pages, start: '# New\n' } })
    for (const [at, [operation, params]] of all.entries()) {
      const { status } = await conditional(content, operation, { params, conditions: { ifNoneMatch: tags[at] } })
      expect([operation, status]).toEqual([operation, 'revisionId' in params ? 304 : 200])
    }
  })

  it('A read with an ETag is not found for callers who may not read the space', async () => {
    const spaceId = await aSpace()
    const { etag } = await conditional(content, 'listPages', { params: { spaceId }, conditions: {} })
    await content.as('admin').updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
    await expect(
      conditional(content, 'listPages', { params: { spaceId }, conditions: { ifNoneMatch: etag } }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})
