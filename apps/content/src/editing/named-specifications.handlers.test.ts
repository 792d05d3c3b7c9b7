import { aWebServer, aZip, eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findNaming } from '../links/spec-references.repository.ts'
import { aContent, aGrant, aSpace, organization, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const markdownOf = (spec: string) =>
  `{% openapi-operation spec="${spec}" path="/a" method="get" %}\nx\n{% endopenapi-operation %}\n`
const documentOf = (spec: string) => ({
  object: 'document' as const,
  data: {},
  nodes: [
    {
      object: 'block' as const,
      type: 'openapi-operation' as const,
      isVoid: true,
      data: { ref: { kind: 'openapi' as const, spec }, path: '/a', method: 'get' },
    },
  ],
})

/** A guest who edits a space, and a token of an admin that is limited to it. */
async function authorsOf(spaceId: string) {
  const guest = `guest-of-${spaceId}`
  content.people.add({ organization, user: guest, role: null })
  await aGrant(content, { space: spaceId, user: guest, role: 'edit' })
  return {
    guest: content.actorOf(null, { user: guest }),
    limited: { ...content.actorOf('admin'), limitedTo: { spaces: [spaceId], collections: [], sites: [] } },
  }
}

describe('Who reads no specification of the organization', () => {
  it.each(['guest', 'limited'] as const)('names none in a page (%s), but those that the space names', async who => {
    const spaceId = await aSpace(content)
    const { [who]: actor } = await authorsOf(spaceId)
    const client = content.asActor(actor)
    const insert = (document: object) => ({ operation: 'insert_page' as const, title: 'Page', document })
    const write = (...changes: object[]) =>
      client.updateContent({ params: { spaceId }, body: { changes: changes as never } })
    for (const [document, field] of [
      [{ markdown: markdownOf('secret') }, 'markdown'],
      [{ document: documentOf('secret') }, 'document'],
    ] as const) {
      const details = [{ path: `body.changes.1.document.${field}` }]
      const attempt = write(insert({ markdown: 'Text' }), insert(document))
      await expect(attempt).rejects.toMatchObject({ code: 'not_found', details })
    }
    const { id: changeRequestId } = await client.createChangeRequest({ params: { spaceId }, body: {} })
    const inRequest = { changes: [insert({ markdown: markdownOf('secret') })] as never }
    await expect(
      client.updateContentInChangeRequest({ params: { spaceId, changeRequestId }, query: {}, body: inRequest }),
    ).rejects.toMatchObject({ code: 'not_found' })
    const { pages } = await client.listPages({ params: { spaceId }, query: {} })
    expect(pages).toEqual([])

    const own = { changes: [insert({ markdown: markdownOf('shown') })] as never }
    await content.as('create').updateContent({ params: { spaceId }, body: own })
    await eventually(async () => expect(await findNaming(content.service.db, [spaceId], 'shown')).not.toEqual([]))
    await write(insert({ markdown: markdownOf('shown') }), insert({ document: documentOf('shown') }))
  })

  it.each(['guest', 'limited'] as const)('imports no page that names one (%s)', async who => {
    const web = await aWebServer()
    const zip = (spec: string) =>
      aZip([
        { name: 'README.md', content: '# Home' },
        { name: 'a/b.md', content: `# B\n\n${markdownOf(spec)}` },
      ])
    web.set({ '/secret.zip': zip('secret'), '/shown.zip': zip('shown') })
    const spaceId = await aSpace(content)
    const { [who]: actor } = await authorsOf(spaceId)
    const client = content.asActor(actor)
    const body = (name: string) => ({ url: `${web.url}/${name}.zip`, source: 'zip' as const })
    const message = expect.stringContaining('names the specification secret')
    const refused = { code: 'not_found', message }
    await expect(client.importContent({ params: { spaceId }, body: body('secret') })).rejects.toMatchObject(refused)
    const { id: changeRequestId } = await client.createChangeRequest({ params: { spaceId }, body: {} })
    const params = { spaceId, changeRequestId }
    const inRequest = client.importContentInChangeRequest({ params, body: body('secret') })
    await expect(inRequest).rejects.toMatchObject(refused)
    const { pages } = await client.listPages({ params: { spaceId }, query: {} })
    expect(pages).toEqual([])
    const own = { changes: [{ operation: 'insert_page', title: 'Own', document: { markdown: markdownOf('shown') } }] }
    await content.as('create').updateContent({ params: { spaceId }, body: own as never })
    await eventually(async () => expect(await findNaming(content.service.db, [spaceId], 'shown')).not.toEqual([]))
    await client.importContent({ params: { spaceId }, body: body('shown') })
    await content.as('edit').importContent({ params: { spaceId }, body: body('secret') })
    await web.stop()
  })
})
