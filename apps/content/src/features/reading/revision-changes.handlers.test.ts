import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, conditional, type ContentSetup, importInto } from '../../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const changesOf = (spaceId: string, revisionId: string, limit?: number) =>
  content.as('read').getRevisionSemanticChanges({
    params: { spaceId, revisionId },
    query: limit === undefined ? {} : { limit },
  })

/** A space with two revisions, the second of which changes something of each kind. */
async function twoRevisions() {
  const spaceId = await aSpace(content)
  const first = await importInto(content, spaceId, {
    pages: { start: '# Start', old: '# Old', same: '# Same' },
    files: { 'a.txt': 'a', 'b.txt': 'b' },
    reusable: { notice: 'One', gone: 'Gone' },
    variables: { name: 'Recto', same: 1 },
  })
  const second = await importInto(content, spaceId, {
    pages: { start: '# Changed', same: '# Same', fresh: '# Fresh' },
    files: { 'a.txt': 'changed', 'c.txt': 'c' },
    reusable: { notice: 'Two' },
    variables: { name: 'Other', same: 1, more: true },
    fields: { start: { description: 'New words' } },
  })
  return { spaceId, first, second }
}

describe('the changes of a revision', () => {
  it('name what was created, edited and deleted, with the values before and after', async () => {
    const { spaceId, second } = await twoRevisions()
    const { changes, more } = await changesOf(spaceId, second, 100)
    expect(more).toBeUndefined()
    expect(changes).toMatchObject([
      {
        type: 'page_edited',
        page: { type: 'document', title: 'Page start', path: 'start' },
        attributes: { description: { after: 'New words' }, document: { before: expect.any(String) } },
      },
      { type: 'page_created', page: { path: 'fresh' } },
      { type: 'page_deleted', page: { path: 'old' } },
      {
        type: 'file_edited',
        file: { name: 'a.txt', contentType: 'text/plain', downloadURL: expect.stringContaining('/a.txt') },
        attributes: { size: { before: 1, after: 7 } },
      },
      { type: 'file_deleted', file: { name: 'b.txt' } },
      { type: 'file_created', file: { name: 'c.txt' } },
      { type: 'reusable_content_deleted', reusableContent: { title: 'gone' } },
      { type: 'reusable_content_edited', reusableContent: { title: 'notice' }, attributes: { document: {} } },
      { type: 'variables_edited', variables: { more: { after: true }, name: { before: 'Recto', after: 'Other' } } },
    ])
    expect(JSON.stringify(changes)).not.toContain('Page same')
  })

  it('are as many as are asked for, and the number of the others', async () => {
    const { spaceId, second } = await twoRevisions()
    const { changes } = await changesOf(spaceId, second, 100)
    expect(await changesOf(spaceId, second, 2)).toMatchObject({ changes: changes.slice(0, 2), more: 7 })
    expect(await changesOf(spaceId, second, 0)).toEqual({ changes: [], more: 9 })
    const { changes: all, more } = await changesOf(spaceId, second)
    expect([all.length, more]).toEqual([9, undefined])
  })

  it('of the first import are what it brought', async () => {
    const { spaceId, first } = await twoRevisions()
    const types = (await changesOf(spaceId, first, 100)).changes.map(({ type }) => type)
    expect(new Set(types)).toEqual(
      new Set(['page_created', 'file_created', 'reusable_content_created', 'variables_edited']),
    )
  })

  it('tell a move from an edit', async () => {
    const { spaceId } = await twoRevisions()
    const client = content.as('create')
    const { pages } = await client.listPages({ params: { spaceId } })
    const [start = { id: '' }, same = { id: '' }] = pages
    const move = { operation: 'update_page', page: same.id, into: start.id, title: 'Moved' } as const
    await client.updateContent({ params: { spaceId }, body: { changes: [move] } })
    const { id } = await client.getCurrentRevision({ params: { spaceId } })
    expect((await changesOf(spaceId, id)).changes).toMatchObject([
      { type: 'page_moved', page: { path: 'start/same' }, parent: { after: { id: start.id, path: 'start' } } },
      { type: 'page_edited', attributes: { title: { before: 'Page same', after: 'Moved' } } },
    ])
  })

  it('are not found for outsiders, in another space and for no revision; 304 for who has them', async () => {
    const { spaceId, second: revisionId } = await twoRevisions()
    const outsider = content.as(undefined).getRevisionSemanticChanges({ params: { spaceId, revisionId } })
    expect(await failure(outsider)).toBe('not_found')
    expect(await failure(changesOf(await aSpace(content), revisionId))).toBe('not_found')
    expect(await failure(changesOf(spaceId, 'none'))).toBe('not_found')
    const params = { spaceId, revisionId }
    const { etag } = await conditional(content, 'getRevisionSemanticChanges', { params, conditions: {} })
    const again = { params, conditions: { ifNoneMatch: etag } }
    expect(await conditional(content, 'getRevisionSemanticChanges', again)).toMatchObject({ status: 304 })
  })
})
