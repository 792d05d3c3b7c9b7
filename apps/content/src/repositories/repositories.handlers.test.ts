import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anEditor, insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { aSpace, change, revisionOf } = anEditor(() => content)

const repositoryOf = (spaceId: string, revisionId: string) =>
  content.as('read').getRevisionRepository({ params: { spaceId, revisionId } })
const documentsOf = (params: { spaceId: string; revisionId: string }, documents: string[]) =>
  content.as('read').listRevisionDocuments({ params, body: { documents } })

async function anImportedSpace() {
  const spaceId = await aSpace()
  const pages = { a: '# A\r\n\ufefftext', b: Buffer.from([0x23, 0x20, 0xff, 0x0a]) }
  const revisionId = await importInto(content, spaceId, { pages: pages as never, files: { 'a.txt': 'ay' } })
  return { spaceId, revisionId }
}

describe('a revision for a repository', () => {
  it('A revision tells the paths and objects of its pages and files, and where the bytes of files are', async () => {
    const place = await anImportedSpace()
    const { pages, files, ...repository } = await repositoryOf(place.spaceId, place.revisionId)
    expect(repository).toMatchObject({ object: 'revision-repository', revision: place.revisionId, commit: 'c0ffee' })
    expect(pages).toMatchObject([
      { path: 'a.md', oid: expect.any(String) },
      { path: 'b.md', oid: expect.any(String) },
    ])
    expect(files).toMatchObject([
      { path: 'assets/a.txt', size: 2, downloadURL: expect.stringContaining('http://recto.test/files/') },
    ])
  })

  it('Documents of a revision are told byte for byte, also where they are not UTF-8', async () => {
    const place = await anImportedSpace()
    const { pages } = await repositoryOf(place.spaceId, place.revisionId)
    const hashes = pages.map(({ hash = '' }) => hash)
    const { documents } = await documentsOf(place, hashes)
    expect(documents).toEqual([
      { id: hashes[0], text: '# A\r\n\ufefftext' },
      { id: hashes[1], base64: Buffer.from([0x23, 0x20, 0xff, 0x0a]).toString('base64') },
    ])
  })

  it('Documents come as many as a reply may hold, from the first on, and one at least', async () => {
    const spaceId = await aSpace()
    const page = (letter: string) => letter.repeat(1.5 * 1024 * 1024)
    const pages = { a: page('a'), b: page('b'), c: page('c') }
    const revisionId = await importInto(content, spaceId, { pages })
    const { pages: tree } = await repositoryOf(spaceId, revisionId)
    const hashes = tree.map(({ hash = '' }) => hash)
    const { documents } = await documentsOf({ spaceId, revisionId }, hashes)
    expect(documents.map(({ id }) => id)).toEqual(hashes.slice(0, 2))
  })

  it.each([
    ['of another space', async () => (await anImportedSpace()).revisionId],
    ['that is not there', async () => 'nothing'],
  ])('A revision %s is not found', async (_title, otherRevision) => {
    const { spaceId } = await anImportedSpace()
    await expect(repositoryOf(spaceId, await otherRevision())).rejects.toMatchObject({ code: 'not_found' })
  })

  it('A document of another revision or space is not found, whatever is asked for beside it', async () => {
    const place = await anImportedSpace()
    await change(place.spaceId, insert('New', { document: { markdown: 'later' } }))
    const later = await repositoryOf(place.spaceId, await revisionOf(place.spaceId))
    const first = await repositoryOf(place.spaceId, place.revisionId)
    const hashes = [first, later].map(({ pages }) => pages.at(-1)?.hash ?? '')
    await expect(documentsOf(place, hashes)).rejects.toMatchObject({ code: 'not_found' })
    await expect(documentsOf(place, ['nothing'])).rejects.toMatchObject({ code: 'not_found' })
  })

  it('A caller without a role reads neither', async () => {
    const params = await anImportedSpace()
    const { pages } = await repositoryOf(params.spaceId, params.revisionId)
    const stranger = content.as(null)
    const body = { documents: [pages[0]?.hash ?? ''] }
    await expect(stranger.getRevisionRepository({ params })).rejects.toMatchObject({ code: 'not_found' })
    await expect(stranger.listRevisionDocuments({ params, body })).rejects.toMatchObject({ code: 'not_found' })
  })
})
