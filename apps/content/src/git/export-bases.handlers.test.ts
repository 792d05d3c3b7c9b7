import { ExportState } from '@recto/contracts-git-worker'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anExporter, type Exporter } from '../test/an-exporter.ts'
import { aContent, aSpace, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
let exporter: Exporter
beforeAll(async () => {
  content = await aContent()
  exporter = anExporter(content)
})
afterAll(() => content.stop())

const edit = (spaceId: string) => {
  const changes = [{ operation: 'insert_page', title: 'New', document: { markdown: 'text' } }] as never[]
  return content.as('edit').updateContent({ params: { spaceId }, body: { changes } })
}
const main = async (spaceId: string) => (await content.as('read').getSpaceById({ params: { spaceId } })).revision

describe('an export', () => {
  it('is offered synchronisations with other addresses, and one that it chooses is its base', async () => {
    const spaceId = await aSpace(content)
    const revision = await importInto(content, spaceId, { pages: { a: 'x' } }, { oid: 'c1' })
    await importInto(content, spaceId, { pages: { a: 'standalone' } }, { oid: 'c2', standalone: true })
    await edit(spaceId)
    const operationId = await exporter.ask(spaceId, { url: 'https://git.example/renamed.git' })
    const { given, export: work } = await exporter.start(operationId)
    expect(given).not.toHaveProperty('base')
    expect(given.candidates).toEqual([{ revision, commit: 'c1', root: '', isSameBranch: true }])
    const described = await content.calls.describeGitBase({ body: { operationId, attempt: 1, revision } })
    const base = ExportState.parse(JSON.parse((await content.blobs.bytes(described.content)).toString()))
    expect(base).toMatchObject({ commit: 'c1', pages: [{ title: 'Page a', path: 'a.md' }] })
    const [page] = base.pages
    const records = [{ id: page?.id ?? '', path: 'a.md', oid: page?.oid ?? '' }]
    await exporter.finish(operationId, { revision: work.revision, records, base: revision })
    expect(await main(spaceId)).not.toBe(revision)
  })

  it('is described no base but its own space has synchronised', async () => {
    const [spaceId, other] = [await aSpace(content), await aSpace(content)]
    const revision = await importInto(content, other, { pages: { a: 'x' } })
    const operationId = await exporter.ask(spaceId)
    await exporter.start(operationId)
    const refused = (body: { attempt: number; revision: string }) =>
      expect(content.calls.describeGitBase({ body: { operationId, ...body } })).rejects
    await refused({ attempt: 1, revision }).toMatchObject({ code: 'not_found' })
    await refused({ attempt: 1, revision: await main(spaceId) }).toMatchObject({ code: 'not_found' })
    await refused({ attempt: 2, revision }).toMatchObject({ code: 'conflict' })
  })

  it('while main content moved on is a synchronisation that a copy of the space knows, too', async () => {
    const spaceId = await aSpace(content)
    await edit(spaceId)
    const operationId = await exporter.ask(spaceId)
    const { given, export: work } = await exporter.start(operationId)
    await edit(spaceId)
    const [page] = given.now.pages
    const records = [{ id: page?.id ?? '', path: 'README.md', oid: 'd'.repeat(40) }]
    const { revision } = await exporter.finish(operationId, { revision: work.revision, records })
    const copy = await content.as('create').duplicateSpace({ params: { spaceId } })
    const copied = await exporter.start(await exporter.ask(copy.id))
    expect(copied.given).not.toHaveProperty('base')
    expect(copied.given.candidates).toMatchObject([{ commit: 'c0ffee', isSameBranch: true }])
    expect(copied.given.candidates[0]?.revision).not.toBe(revision)
    expect((await content.as('read').listRevisions({ params: { spaceId: copy.id } })).count).toBe(1)
  })
})
