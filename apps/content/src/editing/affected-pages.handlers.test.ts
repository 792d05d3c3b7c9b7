import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anEditor, type Change, insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { client, aTree } = anEditor(() => content)

it('A batch in a change request names the pages that it affected, as the client of today reads them', async () => {
  const { spaceId, a, d } = await aTree()
  const { id: changeRequestId } = await client().createChangeRequest({ params: { spaceId }, body: {} })
  const changes: Change[] = [
    insert('New', { ref: 'new' }),
    { operation: 'update_page', page: a, hidden: true },
    { operation: 'update_page', page: 'new', icon: 'leaf' },
    { operation: 'delete_page', page: d },
    { operation: 'insert_files', files: [{ name: 'a.txt', base64: Buffer.from('text').toString('base64') }] },
  ]
  const params = { spaceId, changeRequestId }
  const reply = await client().updateContentInChangeRequest({ params, query: { compat: 'false' }, body: { changes } })
  if (!('changes' in reply)) throw new Error('the reply names no pages')
  const [created] = reply.changes
  const id = created?.object === 'created_page' ? created.page.id : ''
  const location = `http://recto.test/v1/spaces/${spaceId}/change-requests/${changeRequestId}/content/page`
  const pageOf = (fields: { id: string; title: string; path: string }) => ({
    object: 'page',
    ...fields,
    urls: { location: `${location}/${fields.id}` },
  })
  expect(reply.changes).toEqual([
    { object: 'created_page', ref: 'new', page: pageOf({ id, title: 'New', path: 'new' }) },
    { object: 'updated_page', page: pageOf({ id: a, title: 'A', path: 'a' }) },
    { object: 'deleted_page', page: d },
  ])
  expect(reply.insertedFiles).toHaveLength(1)
  expect(replySchemas().validateReply('updateChangeRequestContent', 200, reply)).toEqual([])
})
