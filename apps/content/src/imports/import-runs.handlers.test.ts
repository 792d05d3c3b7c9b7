import { query } from '@recto/database'
import { aWebServer, aZip, eventually, replySchemas, type WebServer } from '@recto/testing'
import { createId } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { replacePublications } from '../sites/publications.repository.ts'
import { aProposer } from '../test/a-proposer.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'
import * as uploads from '../uploads/uploads.repository.ts'

let content: ContentSetup
let web: WebServer
beforeAll(async () => {
  content = await aContent()
  web = await aWebServer()
})
afterAll(async () => {
  await web.stop()
  await content.stop()
})

const { as, aSpace, aTree, propose, organization, revisionOf } = aProposer(() => content)
const organizationId = organization
const schemas = replySchemas()
type Body = Parameters<ReturnType<ContentSetup['as']>['startImportRun']>[0]['body']
const start = (body: Body) => as('edit').startImportRun({ params: { organizationId }, body })
const get = (importRunId: string) => as('read').getImportRun({ params: { organizationId, importRunId } })
const cancel = (importRunId: string) => as('edit').cancelImportRun({ params: { organizationId, importRunId } })
const list = async (filter: object) =>
  (await as('read').listImportRuns({ params: { organizationId }, query: { limit: 1000, ...filter } })).items
const ended = (id: string) =>
  eventually(async () => {
    const run = await get(id)
    expect(['completed', 'failed', 'cancelled']).toContain(run.status)
    return run
  })
const site = (path = '') => ({ type: 'website' as const, url: `${web.url}/site/${path}` })
/** A website that accepts requests and never answers. */
const silent = () => {
  web.set({ '/silent/': () => undefined })
  return { type: 'website' as const, url: `${web.url}/silent/` }
}

/** An upload whose bytes are there. */
async function anUpload(name: string, bytes: Buffer, user = 'user-edit'): Promise<string> {
  const { hash, size } = await content.blobs.put(bytes)
  const now = new Date()
  const row = { id: createId(), organizationId, createdBy: user, name, contentType: '', size, hash, createdAt: now, expiresAt: new Date(now.getTime() + 3_600_000) } // prettier-ignore
  await uploads.insert(content.service.db, row)
  return row.id
}
const titles = async (spaceId: string) =>
  (await as('read').listPages({ params: { spaceId } })).pages.map(each => each.title)

describe('an import run', () => {
  it('A run brings a website into a space, and is shown with its pages, by its space and in lists', async () => {
    const spaceId = await aSpace()
    web.set({ '/site/': '<html><body><h1>Home</h1><p>Words</p></body></html>' })
    const started = await start({ source: site('?key=secret'), target: { space: spaceId } })
    expect(started).toMatchObject({
      object: 'import-run',
      source: { type: 'website', url: `${web.url}/site/` },
      target: { space: spaceId },
      createdBy: 'user-edit',
      urls: { location: `http://recto.test/v1/org/${organizationId}/imports/${started.id}` },
    })
    const run = await ended(started.id)
    const { pages } = await as('read').listPages({ params: { spaceId } })
    expect(run).toMatchObject({ status: 'completed', completedAt: expect.any(String) })
    expect(run.pages).toEqual(pages.map(({ id }) => ({ id, type: 'page', status: 'complete' })))
    const { pages: _pages, ...listedRun } = run
    expect(await list({ space: spaceId })).toEqual([listedRun])
    const space = await as('read').getSpaceById({ params: { spaceId } })
    expect(space.imports).toEqual([listedRun])
    expect(schemas.validateReply('getImportRun', 200, run)).toEqual([])
    expect(schemas.validateReply('startImportRun', 201, started)).toEqual([])
    expect(schemas.validateReply('getSpaceById', 200, space)).toEqual([])
  })

  it('A run brings uploaded files into a change request below a page, one after another', async () => {
    const { spaceId, d } = await aTree()
    const changeRequest = await propose(spaceId)
    const before = await revisionOf(spaceId)
    const archive = aZip([
      { name: 'README.md', content: '# Handbook\n\n[more](more.md)\n' },
      { name: 'more.md', content: '# More\n' },
    ])
    const files = [await anUpload('notes.md', Buffer.from('# Notes\n')), await anUpload('book.ZIP', archive)]
    const target = { space: spaceId, changeRequest: changeRequest.id, page: d }
    const { id } = await start({ source: { type: 'file', files }, target })
    expect(await ended(id)).toMatchObject({ status: 'completed', source: { type: 'file', files }, target })
    expect(await revisionOf(spaceId)).toBe(before)
    const params = { spaceId, changeRequestId: changeRequest.id }
    const { pages } = await as('read').listPagesInChangeRequest({ params })
    expect(pages.at(-1)).toMatchObject({
      title: 'D',
      pages: [{ title: 'Notes' }, { title: 'Handbook' }, { title: 'More' }],
    })
    const current = await as('read').getChangeRequestById({ params })
    expect(current.imports).toMatchObject([{ id, status: 'completed' }])
    expect(schemas.validateReply('getChangeRequestById', 200, current)).toEqual([])
    expect(await list({ changeRequest: changeRequest.id })).toHaveLength(1)
    expect(await list({ changeRequest: 'nothing' })).toEqual([])
  })

  it('A run that fails says why, and changes nothing', async () => {
    const spaceId = await aSpace()
    const file = await anUpload('broken.zip', Buffer.from('no zip'))
    const { id } = await start({ source: { type: 'file', files: [file] }, target: { space: spaceId } })
    expect(await ended(id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('zip') })
    expect(await titles(spaceId)).toEqual([])
    expect(await list({ space: spaceId, status: 'failed' })).toHaveLength(1)
    expect(await list({ space: spaceId, status: 'active' })).toEqual([])
  })

  it('What cannot be imported is refused with its field, and no run is started', async () => {
    const spaceId = await aSpace()
    const target = { space: spaceId }
    const mine = await anUpload('a.pdf', Buffer.from('x'))
    const theirs = await anUpload('a.md', Buffer.from('x'), 'user-admin')
    const refused: [unknown, string, string?][] = [
      [{ source: { type: 'file', files: [mine] }, target }, 'body.source.files.0'],
      [{ source: { type: 'file', files: [theirs] }, target }, 'body.source.files.0', 'conflict'],
      [{ source: { type: 'website', url: 'http://a:b@x.test/' }, target }, 'body.source.url'],
      [{ source: { type: 'git' }, target }, 'body.source.type'],
      [{ source: site(), target, site: 'nothing' }, 'body.site', 'not_found'],
    ]
    for (const [body, path, code = 'invalid_request'] of refused)
      await expect(start(body as Body)).rejects.toMatchObject({ code, details: [{ path }] })
    await expect(start({ source: site(), target: { space: 'nothing' } })).rejects.toMatchObject({ code: 'not_found' })
    await as('admin').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    await expect(start({ source: site(), target })).rejects.toMatchObject({ code: 'conflict' })
    expect(await list({ space: spaceId })).toEqual([])
  })
})

describe('a cancelled import run', () => {
  it('A run that is cancelled while it works ends, stays cancelled, and brings nothing', async () => {
    const spaceId = await aSpace()
    const { id } = await start({ source: silent(), target: { space: spaceId } })
    await eventually(async () => expect(await get(id)).toMatchObject({ status: 'in-progress' }))
    expect(await list({ space: spaceId, status: 'active' })).toMatchObject([{ id }])
    expect(await cancel(id)).toMatchObject({ id, status: 'cancelled' })
    expect(await cancel(id)).toMatchObject({ status: 'cancelled' })
    const { items } = await as('read').listContentImports({ params: { spaceId } })
    expect(items).toMatchObject([{ id, state: 'cancelled' }])
    await eventually(async () => {
      const [row] = await query<{ attempts: number }>(
        content.service.db,
        'select attempts from content_imports where id = $1',
        [id],
      )
      expect(row?.attempts).toBe(1)
      expect(await get(id)).toMatchObject({ status: 'cancelled' })
    })
    expect(await titles(spaceId)).toEqual([])
  })

  it('A run that has ended cannot be cancelled, and readers cannot cancel any', async () => {
    const spaceId = await aSpace()
    const file = await anUpload('notes.md', Buffer.from('# Notes\n'))
    const { id } = await start({ source: { type: 'file', files: [file] }, target: { space: spaceId } })
    expect(await ended(id)).toMatchObject({ status: 'completed' })
    await expect(cancel(id)).rejects.toMatchObject({ code: 'conflict' })
    const params = { organizationId, importRunId: id }
    await expect(as('comment').cancelImportRun({ params })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(content.as(null).getImportRun({ params })).rejects.toMatchObject({ code: 'not_found' })
    const elsewhere = { ...params, organizationId: 'another' }
    await expect(as('read').getImportRun({ params: elsewhere })).rejects.toMatchObject({ code: 'not_found' })
    expect(await titles(spaceId)).toEqual(['Notes'])
  })
})

it('Runs are listed by the site that shows their space, and by the site that they were started for', async () => {
  const published = await aSpace()
  const planned = await aSpace()
  content.sites.existing.add('new-site')
  await content.service.db.transaction(async db =>
    replacePublications(db, {
      site: 'old-site',
      version: 1,
      spaces: [
        {
          siteId: 'old-site',
          spaceId: published,
          visibility: 'public',
          url: 'https://a.test/',
          address: 'https://a.test/',
        },
      ],
    }),
  )
  const file = await anUpload('notes.md', Buffer.from('# Notes\n'))
  const source = { type: 'file' as const, files: [file] }
  const one = await start({ source, target: { space: published } })
  const other = await start({ source, target: { space: planned }, site: 'new-site' })
  expect(await list({ site: 'old-site' })).toMatchObject([{ id: one.id, site: 'old-site' }])
  expect(await list({ site: 'new-site' })).toMatchObject([{ id: other.id, site: 'new-site' }])
  expect(await list({ site: 'nothing' })).toEqual([])
})
