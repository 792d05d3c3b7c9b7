import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, conditional, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { aSpace, aTree, change, edit, get, propose, revisionOf } = aProposer(() => content)
const changesOf = async (spaceId: string, query = {}, revisionId?: string) =>
  content.as('read').getRevisionSemanticChanges({
    params: { spaceId, revisionId: revisionId ?? (await revisionOf(spaceId)) },
    query,
  })

describe('the changes of a revision', () => {
  it('The changes of a revision are the differences to its parent: pages created, edited, moved and deleted, and files', async () => {
    const { spaceId, a, b, c, d } = await aTree()
    await change(
      spaceId,
      { operation: 'update_page', page: a, title: 'Renamed' },
      { operation: 'update_page', page: c, into: null },
      { operation: 'delete_page', page: d },
      insert('E'),
      { operation: 'insert_files', files: [{ name: 'note.txt', base64: Buffer.from('note').toString('base64') }] },
    )
    const { changes, more } = await changesOf(spaceId)
    expect(changes).toMatchObject([
      { type: 'page_edited', page: { id: a }, attributes: { title: { before: 'A', after: 'Renamed' } } },
      { type: 'page_moved', page: { id: c, path: 'c' }, parent: { before: { id: b, path: 'a/b' } } },
      { type: 'page_created', page: { title: 'E', path: 'e' } },
      { type: 'page_deleted', page: { id: d, title: 'D' } },
      { type: 'file_created', file: { name: 'note.txt', downloadURL: expect.stringContaining('http://recto.test/') } },
    ])
    expect(more).toBeUndefined()
  })

  it('The changes of a revision name the pages that links in the tree lead to', async () => {
    const spaceId = await aSpace()
    const pages = { a: '# A\n', d: '# D\n' }
    const importLink = (href: string) =>
      importInto(content, spaceId, { pages, entries: [{ type: 'link', title: 'L', href }] })
    await importLink('a.md')
    await importLink('d.md')
    const { pages: tree } = await content.as('read').listPages({ params: { spaceId } })
    const page = (title: string) => ({ kind: 'page', page: tree.find(one => one.title === title)?.id })
    const { changes } = await changesOf(spaceId)
    expect(changes.filter(({ type }) => type === 'page_edited')).toMatchObject([
      { page: { title: 'L' }, attributes: { target: { before: page('Page a'), after: page('Page d') } } },
    ])
  })

  it('The changes of a revision are listed up to the limit, ten by default, with the number of further ones', async () => {
    const spaceId = await aSpace()
    await change(spaceId, ...Array.from({ length: 12 }, (_, at) => insert(`Page ${at}`)))
    expect((await changesOf(spaceId)).changes).toHaveLength(10)
    expect(await changesOf(spaceId)).toMatchObject({ more: 2 })
    expect(await changesOf(spaceId, { limit: 0 })).toEqual({ changes: [], more: 12 })
    expect((await changesOf(spaceId, { limit: 12 })).changes).toHaveLength(12)
    await expect(changesOf(spaceId, { limit: -1 })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'query.limit' }],
    })
  })

  it('The changes of a revision without a parent are all of its content', async () => {
    const spaceId = await aSpace()
    const first = await revisionOf(spaceId)
    expect(await changesOf(spaceId)).toEqual({ changes: [] })
    await importInto(content, spaceId, { pages: { a: '# A\n' }, files: { 'b.txt': 'b' } })
    expect(await changesOf(spaceId, {}, first)).toEqual({ changes: [] })
    const copy = await content.as('create').duplicateSpace({ params: { spaceId } })
    expect((await changesOf(copy.id)).changes.map(({ type }) => type)).toEqual(['page_created', 'file_created'])
  })

  it('The changes of a revision are not found in another space, nor by users who may not read the space', async () => {
    const { spaceId } = await aTree()
    const other = await aSpace()
    const revisionId = await revisionOf(spaceId)
    await expect(changesOf(other, {}, revisionId)).rejects.toMatchObject({ code: 'not_found' })
    for (const role of [undefined, null]) {
      await expect(
        content.as(role).getRevisionSemanticChanges({ params: { spaceId, revisionId } }),
      ).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})

describe('the changes of main content since a revision', () => {
  const since = (spaceId: string, query: { since: string; until?: string; page?: string; limit?: number }) =>
    content.as('read').listContentChanges({ params: { spaceId }, query })

  it('The changes of main content since a revision are those of all revisions between, once each, and come in pages', async () => {
    const { spaceId, a, d } = await aTree()
    const first = await revisionOf(spaceId)
    await change(spaceId, { operation: 'update_page', page: a, title: 'Renamed' }, insert('E'))
    const second = await revisionOf(spaceId)
    await change(spaceId, { operation: 'update_page', page: a, title: 'Renamed again' })
    await change(spaceId, { operation: 'delete_page', page: d })
    const third = await revisionOf(spaceId)
    const all = await since(spaceId, { since: first })
    expect(all).toMatchObject({ until: third, count: 3 })
    expect(all.items).toMatchObject([
      { type: 'page_edited', page: { id: a }, attributes: { title: { before: 'A', after: 'Renamed again' } } },
      { type: 'page_created', page: { title: 'E' } },
      { type: 'page_deleted', page: { id: d } },
    ])
    expect(await since(spaceId, { since: first, until: second })).toMatchObject({ count: 2, until: second })
    expect(await since(spaceId, { since: third })).toEqual({ items: [], count: 0, until: third })
    const pageOne = await since(spaceId, { since: first, limit: 2 })
    await change(spaceId, insert('Later'))
    const pageTwo = await since(spaceId, { since: first, limit: 2, page: pageOne.next?.page ?? '' })
    expect([...pageOne.items, ...pageTwo.items]).toEqual(all.items)
    expect([pageTwo.until, pageTwo.next]).toEqual([third, undefined])
  })

  it('The changes of main content since what it never was are not found', async () => {
    const { spaceId } = await aTree()
    const main = await revisionOf(spaceId)
    const other = await revisionOf(await aSpace())
    const proposed = await propose(spaceId)
    await edit(proposed, insert('Proposed'))
    const { revision } = await get(proposed)
    for (const never of [other, revision, 'nothing']) {
      await expect(since(spaceId, { since: never })).rejects.toMatchObject({
        code: 'not_found',
        details: [{ path: 'query.since' }],
      })
      await expect(since(spaceId, { since: main, until: never })).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})

describe('the changes of a change request', () => {
  it('The changes of a change request are sent again when an update changes its base alone', async () => {
    const { spaceId, a } = await aTree()
    const proposed = await propose(spaceId)
    const write = { operation: 'update_page' as const, page: a, document: { markdown: '# The same\n' } }
    await change(spaceId, write)
    await edit(proposed, write)
    const params = { spaceId, changeRequestId: proposed.id }
    const { etag } = await conditional(content, 'getChangeRequestChanges', { params, conditions: {} })
    const again = () => conditional(content, 'getChangeRequestChanges', { params, conditions: { ifNoneMatch: etag } })
    expect(await again()).toMatchObject({ status: 304 })
    const { revision } = await get(proposed)
    expect(await content.as('edit').updateChangeRequest({ params })).toEqual({ revision, result: 'update' })
    expect(await again()).toMatchObject({ status: 200 })
    expect(await content.as('read').getChangeRequestChanges({ params, query: {} })).toEqual({ changes: [] })
  })
})

describe('restoring', () => {
  it('Restoring a revision that main content never had is refused, since change requests are merged by rules', async () => {
    const spaceId = await aSpace()
    const proposed = await propose(spaceId)
    await edit(proposed, insert('Proposed'))
    const main = await revisionOf(spaceId)
    const { revision: revisionId } = await get(proposed)
    const reply = content.as('admin').restoreRevision({ params: { spaceId, revisionId } })
    await expect(reply).rejects.toMatchObject({ code: 'not_found' })
    expect(await revisionOf(spaceId)).toBe(main)
  })
})
