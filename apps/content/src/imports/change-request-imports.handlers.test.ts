import { roles } from '@recto/actor'
import { aWebServer, aZip, eventually, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { aContent, conditional, type ContentSetup } from '../test/content-setup.ts'

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

const { as, aTree, propose, edit, get, pathsOf, revisionOf } = aProposer(() => content)
type Proposed = Awaited<ReturnType<typeof propose>>

const paramsOf = ({ space, id }: Pick<Proposed, 'space' | 'id'>) => ({ spaceId: space, changeRequestId: id })
const bodyOf = (path: string, source: 'markdown' | 'zip' = 'markdown') => ({ url: `${web.url}${path}`, source })
const startImport = (proposed: Proposed, path: string, source?: 'zip') =>
  as('edit').importContentInChangeRequest({ params: paramsOf(proposed), body: bodyOf(path, source) })
const lock = (spaceId: string) => as('admin').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
const archive = (proposed: Proposed) =>
  as('edit').updateChangeRequestById({ params: paramsOf(proposed), body: { status: 'archived' } })
const importsOf = async ({ space }: Pick<Proposed, 'space'>) =>
  (await as('read').listContentImports({ params: { spaceId: space } })).items

interface Page {
  title: string
  pages?: Page[]
}
const titles = (pages: Page[]): unknown[] =>
  pages.map(({ title, pages: below = [] }) => (below.length > 0 ? [title, titles(below)] : title))
const treeOf = async (proposed: Proposed) =>
  titles((await as('read').listPagesInChangeRequest({ params: paramsOf(proposed) })).pages)

describe('an import into a change request', () => {
  it('An import into a change request adds to its content in one revision, also while the space is locked, and main content stays', async () => {
    const { spaceId } = await aTree()
    const main = { revision: await revisionOf(spaceId), paths: await pathsOf(spaceId) }
    await lock(spaceId)
    const proposed = await propose(spaceId)
    web.set({ '/docs.zip': aZip({ 'README.md': '# Home\n\n[use](use.md)\n', 'use.md': '# Use\n', 'a.txt': 'a' }) })
    const reply = await startImport(proposed, '/docs.zip', 'zip')
    const { revision } = await get(proposed)
    expect(reply).toEqual({ revision, importedResources: 3, totalResources: 3 })
    expect(await treeOf(proposed)).toEqual([['A', [['B', ['C']]]], 'D', 'Home', 'Use'])
    const newRevision = await as('read').getRevisionOfChangeRequestById({ params: paramsOf(proposed) })
    expect(newRevision).toMatchObject({ id: revision, parents: [proposed.revision], files: [{ name: 'a.txt' }] })
    expect({ revision: await revisionOf(spaceId), paths: await pathsOf(spaceId) }).toEqual(main)
    expect(await importsOf(proposed)).toMatchObject([{ state: 'success', changeRequest: proposed.id, revision }])
    const { items } = await as('read').getContributorsByChangeRequestId({ params: paramsOf(proposed) })
    expect(items).toMatchObject([{ actionType: 'edit', count: 1, user: { id: 'user-edit' } }])
  })

  it('An import below a page of a change request comes at the end of its pages, also below a new page', async () => {
    const { spaceId, a } = await aTree()
    const proposed = await propose(spaceId)
    const { changes } = await edit(proposed, { operation: 'insert_page', title: 'New' })
    web.set({ '/in.md': '# Inside\n' })
    const into = (pageId: string) =>
      as('edit').importContentInChangeRequestPageById({
        params: { ...paramsOf(proposed), pageId },
        body: bodyOf('/in.md'),
      })
    await into(a)
    await into(changes[0]?.page?.id ?? '')
    expect(await treeOf(proposed)).toEqual([['A', [['B', ['C']], 'Inside']], 'D', ['New', ['Inside']]])
    await expect(into('nothing')).rejects.toMatchObject({ code: 'not_found' })
    expect((await importsOf(proposed)).map(({ page }) => page)).toEqual([changes[0]?.page?.id, a])
  })

  it('An import into a change request is named by Location, and is made once for an Idempotency-Key', async () => {
    const { spaceId } = await aTree()
    const proposed = await propose(spaceId)
    web.set({ '/once.md': '# Once\n' })
    const importOnce = () =>
      conditional(content, 'importContentInChangeRequest', {
        params: paramsOf(proposed),
        conditions: { idempotencyKey: `key-of-${spaceId}` },
        body: bodyOf('/once.md'),
      })
    const first = await importOnce()
    expect(first).toMatchObject({ status: 201 })
    expect(await importOnce()).toMatchObject({ status: 201 })
    const [contentImport, ...more] = await importsOf(proposed)
    expect(more).toEqual([])
    expect(first.location).toBe(`http://recto.test/v1/spaces/${spaceId}/content/imports/${contentImport?.id}`)
  })

  it.each(['archived', 'merged'] as const)('An import into a change request that is %s is refused', async status => {
    const { spaceId } = await aTree()
    const proposed = await propose(spaceId)
    if (status === 'archived') await archive(proposed)
    else await as('review').mergeChangeRequest({ params: paramsOf(proposed) })
    await expect(startImport(proposed, '/a.md')).rejects.toMatchObject({ code: 'conflict' })
    expect(await importsOf(proposed)).toEqual([])
  })

  it('An import into a change request that is archived meanwhile fails, and changes nothing', async () => {
    const { spaceId } = await aTree()
    const proposed = await propose(spaceId)
    let respond = (): void => undefined
    web.set({ '/slow.md': response => void (respond = () => response.end('# Slow')) })
    const refusal = expect(startImport(proposed, '/slow.md')).rejects.toMatchObject({ code: 'conflict' })
    await eventually(() => expect(web.requests('/slow.md')).toBe(1))
    await archive(proposed)
    respond()
    await refusal
    expect((await get(proposed)).revision).toBe(proposed.revision)
    const error = { code: 409, message: 'The change request #1 is archived' }
    expect(await importsOf(proposed)).toMatchObject([{ state: 'failure', error, changeRequest: proposed.id }])
  })

  it('An import into a change request is not lost to an edit of the same change request meanwhile', async () => {
    const { spaceId } = await aTree()
    const proposed = await propose(spaceId)
    let respond = (): void => undefined
    web.set({ '/meanwhile.md': response => void (respond = () => response.end('# Meanwhile')) })
    const reply = startImport(proposed, '/meanwhile.md')
    await eventually(() => expect(web.requests('/meanwhile.md')).toBe(1))
    await edit(proposed, { operation: 'insert_page', title: 'Edited' })
    respond()
    await reply
    expect(await treeOf(proposed)).toEqual([['A', [['B', ['C']]]], 'D', 'Edited', 'Meanwhile'])
  })

  it.each(roles)('An import into a change request by the role %s succeeds from edit on', async role => {
    const { spaceId } = await aTree()
    const proposed = await propose(spaceId)
    web.set({ '/a.md': '# A' })
    const reply = as(role).importContentInChangeRequest({ params: paramsOf(proposed), body: bodyOf('/a.md') })
    if (role === 'read' || role === 'comment') await expect(reply).rejects.toMatchObject({ code: 'forbidden' })
    else expect(await reply).toMatchObject({ importedResources: 1 })
  })

  it('An import into a change request goes on when the service starts again', async () => {
    const { spaceId } = await aTree()
    const proposed = await propose(spaceId)
    web.set({ '/stuck.md': () => undefined })
    const reply = startImport(proposed, '/stuck.md')
    await eventually(() => expect(web.requests('/stuck.md')).toBe(1))
    await content.service.stop()
    expect(await reply).toEqual({ revision: proposed.revision, importedResources: 0, totalResources: 0 })
    web.set({ '/stuck.md': '# Free' })
    const again = await content.startAgain()
    await eventually(async () => expect(await treeOf(proposed)).toContain('Free'))
    expect(await importsOf(proposed)).toMatchObject([{ state: 'success', importedResources: 1 }])
    await again.stop()
  })
})
