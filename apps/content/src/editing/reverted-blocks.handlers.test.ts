import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anEditor, type Change, insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { client, aSpace, change, page, revisionOf } = anEditor(() => content)

describe('blocks of a page', () => {
  const before = '# P\n\nOne\n\n- Two\n- Three\n\nLast\n'
  const after = '---\nicon: star\n---\n\n# P\n\nOne!\n\n- Two!\n- Three\n\nAdded\n'
  const aPage = async () => {
    const spaceId = await aSpace()
    const { changes } = await change(spaceId, insert('P', { document: { markdown: before } }))
    return { spaceId, id: changes[0]?.page?.id ?? '', revision: await revisionOf(spaceId) }
  }
  const keysOf = async (spaceId: string, path: string) => {
    const { document } = (await page(spaceId, path, 'document')) as { document?: { nodes: { key?: string }[] } }
    return (document?.nodes ?? []).map(({ key = '' }) => key)
  }

  it('Blocks of a page are reverted alone, and leave settings and all other lines unchanged', async () => {
    const { spaceId, id, revision } = await aPage()
    const [, , last = ''] = await keysOf(spaceId, 'p')
    await change(spaceId, { operation: 'update_page', page: id, document: { markdown: after } })
    const [one = '', , added = ''] = await keysOf(spaceId, 'p')
    await change(spaceId, { operation: 'revert_page', page: id, revision, block: [one] })
    expect(await page(spaceId, 'p')).toMatchObject({ markdown: after.replace('One!', 'One'), icon: 'star' })
    await change(spaceId, { operation: 'revert_page', page: id, revision, block: [added, last] })
    expect(await page(spaceId, 'p')).toMatchObject({ markdown: after.replace('One!', 'One').replace('Added', 'Last') })
  })

  it('Blocks of a page in a change request are reverted to its start', async () => {
    const { spaceId, id } = await aPage()
    const { id: changeRequestId } = await client().createChangeRequest({ params: { spaceId }, body: {} })
    const params = { spaceId, changeRequestId }
    const propose = (...changes: Change[]) =>
      client().updateContentInChangeRequest({ params, query: {}, body: { changes } })
    await propose({ operation: 'update_page', page: id, document: { markdown: after } })
    const read = () => client().getPageInChangeRequestById({ params: { ...params, pageId: id }, query: {} })
    const { document } = (await client().getPageInChangeRequestById({
      params: { ...params, pageId: id },
      query: { format: 'document' },
    })) as { document?: { nodes: { key?: string }[] } }
    await propose({ operation: 'revert_page', page: id, block: [document?.nodes[0]?.key ?? ''] })
    expect(await read()).toMatchObject({ markdown: after.replace('One!', 'One') })
    await propose({ operation: 'revert_page', page: id })
    expect(await read()).toMatchObject({ markdown: before })
  })

  it.each([
    ['a block that is not there', { block: ['nothing'] }, 'conflict', 'block.0'],
    ['no block', { block: [] }, 'invalid_request', 'block'],
    ['a page that is not there', { page: 'none', block: ['a'] }, 'conflict', 'page'],
    ['no revision of main content', { revision: undefined, block: ['a'] }, 'invalid_request', 'revision'],
  ])('Reverting blocks of a page is refused for %s', async (_what, wrong, code, field) => {
    const { spaceId, id, revision } = await aPage()
    const revert = { operation: 'revert_page' as const, page: id, revision, ...wrong } as Change
    await expect(change(spaceId, revert)).rejects.toMatchObject({
      code,
      details: [{ path: `body.changes.0.${field}` }],
    })
  })

  it('Reverting blocks of a page is refused after another change of the text in the same batch', async () => {
    const { spaceId, id, revision } = await aPage()
    const [one = ''] = await keysOf(spaceId, 'p')
    const update = { operation: 'update_page' as const, page: id, document: { markdown: after } }
    await expect(
      change(spaceId, update, { operation: 'revert_page', page: id, revision, block: [one] }),
    ).rejects.toMatchObject({ code: 'conflict', details: [{ path: 'body.changes.1.page' }] })
  })
})
