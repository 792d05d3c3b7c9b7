import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anEditor } from '../test/an-editor.ts'
import { aCollection, aContent, aSpace as aStoredSpace, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { aTree, change, revisionOf } = anEditor(() => content)
const at = (path: string) => content.as('read').getContentByUrl({ query: { url: `http://recto.test${path}` } })

describe('the content of a URL', () => {
  it('The content of a URL is a space, or a page in it, with the access of the caller', async () => {
    const { spaceId, a, b } = await aTree()
    const space = await content.as('read').getSpaceById({ params: { spaceId } })
    for (const path of [`/s/${spaceId}`, `/s/${spaceId}/`, `/v1/spaces/${spaceId}`])
      expect(await at(path)).toEqual({ space })
    for (const path of [`/s/${spaceId}/a/b`, `/s/${spaceId}/~/pages/${b}`])
      expect(await at(path)).toMatchObject({ space, page: { id: b, path: 'a/b', pages: [{ title: 'C' }] } })
    expect(await at(`/s/${spaceId}/a#heading`)).toMatchObject({ page: { id: a } })
    expect(JSON.stringify(await at(`/s/${spaceId}/a`))).not.toContain('markdown')
  })

  it('The content of a URL is that of a revision which the URL names', async () => {
    const { spaceId, d } = await aTree()
    const before = await revisionOf(spaceId)
    await change(spaceId, { operation: 'delete_page', page: d })
    const path = `/s/${spaceId}/~/revisions/${before}`
    expect(await at(path)).toEqual({ space: expect.objectContaining({ id: spaceId }) })
    expect(await at(`${path}/d`)).toMatchObject({ space: { id: spaceId }, page: { id: d } })
    expect(await at(`${path}/~/pages/${d}`)).toMatchObject({ page: { id: d } })
    await expect(at(`/s/${spaceId}/d`)).rejects.toMatchObject({ code: 'not_found' })
    const other = await aStoredSpace(content)
    await expect(at(`/s/${other}/~/revisions/${before}`)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('The content of a URL is that of a change request which the URL names by number or id', async () => {
    const { spaceId, d } = await aTree()
    const proposed = await content.as('edit').createChangeRequest({ params: { spaceId }, body: {} })
    const params = { spaceId, changeRequestId: proposed.id }
    const body = { changes: [{ operation: 'update_page' as const, page: d, slug: 'new' }] }
    await content.as('edit').updateContentInChangeRequest({ params, query: {}, body })
    for (const id of [proposed.id, '1']) {
      const path = `/s/${spaceId}/~/changes/${id}`
      const expected = { space: { id: spaceId }, changeRequest: { id: proposed.id, number: 1 } }
      expect(await at(path)).toMatchObject(expected)
      expect(await at(`${path}/new`)).toMatchObject({ ...expected, page: { id: d } })
    }
    for (const path of [`/s/${spaceId}/~/changes/2`, `/s/${spaceId}/~/changes/1/d`])
      await expect(at(path)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('The content of a URL is a collection', async () => {
    const collectionId = await aCollection(content)
    const collection = await content.as('read').getCollectionById({ params: { collectionId } })
    for (const path of [`/c/${collectionId}`, `/v1/collections/${collectionId}`])
      expect(await at(path)).toEqual({ collection })
  })

  it('A URL without content is not found, nor is one for callers who may not read it', async () => {
    const { spaceId, a } = await aTree()
    const collectionId = await aCollection(content)
    const closed = await aStoredSpace(content, { defaultLevel: null })
    const missing = [`/s/none`, `/c/none`, `/s/${spaceId}/none`, `/s/${spaceId}/~/pages/none`, `/s/${closed}`]
    const elsewhere = [
      '/',
      `/s/${spaceId}/~/settings`,
      `/s/${collectionId}`,
      `/c/${spaceId}`,
      `/s/${closed}/~/pages/${a}`,
    ]
    for (const path of [...missing, ...elsewhere, `/s/${spaceId}/~/revisions/none`])
      await expect(at(path)).rejects.toMatchObject({ code: 'not_found' })
    for (const role of [null, undefined] as const) {
      for (const path of [`/s/${spaceId}`, `/s/${spaceId}/a`, `/c/${collectionId}`, `/v1/spaces/${spaceId}`])
        await expect(
          content.as(role).getContentByUrl({ query: { url: `http://recto.test${path}` } }),
        ).rejects.toMatchObject({ code: 'not_found' })
    }
    const foreign = content.as('read').getContentByUrl({ query: { url: `https://docs.example/s/${spaceId}` } })
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
  })

  it('A text that is not a URL is refused', async () => {
    for (const url of ['nothing', 'ftp://recto.test/s/x'])
      await expect(content.as('read').getContentByUrl({ query: { url } })).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: 'query.url' }],
      })
  })
})
