import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { applyDifference } from '@recto/markdown'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { computedFrom } from '../test/a-spec-service.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, conditional, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { aSpace, aTree, change, edit, propose, revisionOf } = aProposer(() => content)
const member = () => content.as('read')
const missing = { code: 'not_found' }

type Seen = Partial<Parameters<typeof visitorActor>[0]>
const visitor = (spaceId: string, seen: Seen = {}) => {
  const actor = visitorActor({ organization, site: 'site', version: 1, spaces: [spaceId], claims: {}, ...seen })
  return busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
}

/** A change request that edits, moves, deletes and adds a page each. */
async function aProposal() {
  const tree = await aTree()
  const { spaceId, a, c, d } = tree
  const base = await revisionOf(spaceId)
  const proposed = await propose(spaceId)
  const { changes } = await edit(
    proposed,
    { operation: 'update_page', page: a, title: 'Renamed', document: { markdown: '# Renamed\n\nTwo words' } },
    { operation: 'update_page', page: c, into: null },
    { operation: 'delete_page', page: d },
    insert('E', { document: { markdown: 'Three new words' } }),
    { operation: 'insert_files', files: [{ name: 'note.txt', base64: Buffer.from('note').toString('base64') }] },
  )
  return { ...tree, base, params: { spaceId, changeRequestId: proposed.id }, e: changes[3]?.page?.id ?? '' }
}

describe('the differences of a change request', () => {
  it('The differences of a change request are the pages that it edits, moves, creates and deletes, with words, and its files', async () => {
    const { params, spaceId, base, a, b, c, d, e } = await aProposal()
    const { items, files, before, after, count } = await member().listChangeRequestDifferences({ params })
    expect(items).toMatchObject([
      {
        object: 'page-difference',
        status: 'edited',
        page: { id: a, title: 'Renamed' },
        from: { id: a, title: 'A' },
        attributes: { title: { before: 'A', after: 'Renamed' } },
        counts: { insertions: 2, deletions: 0 },
      },
      {
        status: 'edited',
        page: { id: c, path: 'c' },
        from: { path: 'a/b/c' },
        moved: { parent: { before: { id: b } } },
      },
      { status: 'created', page: { id: e, title: 'E' }, counts: { insertions: 3, deletions: 0 } },
      { status: 'deleted', page: { id: d, title: 'D' } },
    ])
    expect(items[0]?.attributes).not.toHaveProperty('document')
    expect(files).toMatchObject([{ after: { name: 'note.txt' } }])
    expect(files[0]).not.toHaveProperty('before')
    expect(before).toEqual({ space: spaceId, revision: base })
    expect(after.space).toBe(spaceId)
    expect(count).toBe(4)
    const first = await member().listChangeRequestDifferences({ params, query: { limit: 3 } })
    const page = first.next?.page ?? ''
    const second = await member().listChangeRequestDifferences({ params, query: { limit: 3, page } })
    expect([...first.items, ...second.items]).toEqual(items)
  })

  it('What a change request changes in a page leads from its text to the proposed one', async () => {
    const { params, spaceId, base, a, d, e } = await aProposal()
    const { difference, after } = await member().getChangeRequestPageDifference({ params: { ...params, pageId: a } })
    const document = (revisionId: string, pageId: string) =>
      member().getPageDocumentInRevisionById({ params: { spaceId, revisionId, pageId } })
    const texts = (value: object) => JSON.stringify(value).match(/"text":"[^"]*"/g)
    expect(texts(applyDifference(await document(base, a), difference))).toEqual(
      texts(await document(after.revision, a)),
    )
    const created = await member().getChangeRequestPageDifference({ params: { ...params, pageId: e } })
    expect(created).toMatchObject({ status: 'created', difference: { nodes: [{ type: 'insert' }] } })
    const deleted = await member().getChangeRequestPageDifference({ params: { ...params, pageId: d } })
    expect(deleted).toMatchObject({ status: 'deleted', difference: { nodes: [] } })
    await expect(
      member().getChangeRequestPageDifference({ params: { ...params, pageId: 'nothing' } }),
    ).rejects.toMatchObject(missing)
  })

  it('The differences of a change request are not sent again while both sides are the same', async () => {
    const { params } = await aProposal()
    const { etag } = await conditional(content, 'listChangeRequestDifferences', { params, conditions: {} })
    const conditions = { ifNoneMatch: etag ?? '' }
    expect(await conditional(content, 'listChangeRequestDifferences', { params, conditions } as never)).toMatchObject({
      status: 304,
    })
  })

  it('The differences of a change request are not found by those who may not read the space', async () => {
    const { params, a } = await aProposal()
    for (const role of [undefined, null]) {
      await expect(content.as(role).listChangeRequestDifferences({ params })).rejects.toMatchObject(missing)
      await expect(
        content.as(role).getChangeRequestPageDifference({ params: { ...params, pageId: a } }),
      ).rejects.toMatchObject(missing)
    }
  })
})

describe('the differences of two revisions', () => {
  it('The differences of two revisions are those to the first parent, or to any other, in another space too', async () => {
    const { spaceId, a } = await aTree()
    const first = await revisionOf(spaceId)
    await change(spaceId, { operation: 'update_page', page: a, document: { markdown: 'One' } })
    const second = await revisionOf(spaceId)
    await change(spaceId, { operation: 'update_page', page: a, document: { markdown: 'One two' } })
    const params = { spaceId, revisionId: await revisionOf(spaceId) }
    const counts = async (query: object) =>
      (await member().listRevisionDifferences({ params, query })).items.map(item => [item.page.id, item.counts])
    expect(await counts({})).toEqual([[a, { insertions: 1, deletions: 0 }]])
    expect(await counts({ since: first })).toEqual([[a, { insertions: 2, deletions: 0 }]])
    expect(await counts({ since: params.revisionId })).toEqual([])
    const other = await aSpace()
    await change(other, insert('Other'))
    const otherRevision = await revisionOf(other)
    const across = { since: otherRevision, sinceSpace: other }
    const { items, before } = await member().listRevisionDifferences({ params, query: across })
    expect(items.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'created', 'deleted'])
    expect(before).toEqual({ space: other, revision: otherRevision })
    for (const since of [otherRevision, 'nothing']) await expect(counts({ since })).rejects.toMatchObject(missing)
    const page = { params: { ...params, pageId: a }, query: { since: second } }
    expect((await member().getRevisionPageDifference(page)).counts).toEqual({ insertions: 1, deletions: 0 })
  })

  it('Of a first revision everything is new', async () => {
    const spaceId = await aSpace()
    const revisionId = await revisionOf(spaceId)
    const reply = await member().listRevisionDifferences({ params: { spaceId, revisionId } })
    expect(reply).toMatchObject({ items: [], files: [] })
    expect(reply).not.toHaveProperty('before')
  })

  it('A page differs by a reusable content that it includes, and a declaration of computed pages by what it declares', async () => {
    const spaceId = await aSpace()
    const pages = { start: '# Start\n\n{% include "./.gitbook/includes/part.md" %}\n', other: '# Other\n' }
    const write = (text: string, models: boolean) => {
      const computed = { type: 'computed' as const, title: 'API', computed: computedFrom('toys', models) }
      return importInto(content, spaceId, { pages, reusable: { part: text }, entries: [computed] })
    }
    await write('Old words', true)
    await write('New words', false)
    const params = { spaceId, revisionId: await revisionOf(spaceId) }
    const { items } = await member().listRevisionDifferences({ params })
    expect(items).toMatchObject([
      { page: { type: 'document' }, counts: { insertions: 1, deletions: 1 } },
      { page: { type: 'computed' }, attributes: { computed: { before: {}, after: {} } } },
    ])
    const computed = { ...params, pageId: items[1]?.page.id ?? '' }
    expect((await member().getRevisionPageDifference({ params: computed })).difference).toEqual({ nodes: [] })
  })
})

describe('a visitor of a site', () => {
  it('A visitor reads differences of what they preview, and nothing of pages and parts that they do not see', async () => {
    const spaceId = await aSpace()
    const hidden = { condition: 'visitor.claims.beta' }
    const text = (words: string) => ({
      markdown: `Open\n\n{% if visitor.claims.beta %}\nSecret ${words}\n{% endif %}`,
    })
    const { changes } = await change(
      spaceId,
      insert('Open', { document: text('one') }),
      insert('Beta', { ...hidden, document: { markdown: 'Secret' } }),
    )
    const [open = '', beta = ''] = changes.map(({ page }) => page?.id ?? '')
    const base = await revisionOf(spaceId)
    const proposed = await propose(spaceId)
    await edit(
      proposed,
      { operation: 'update_page', page: open, document: text('two') },
      { operation: 'update_page', page: beta, document: { markdown: 'Secret too' } },
      insert('Seen'),
    )
    const params = { spaceId, changeRequestId: proposed.id }
    const preview = visitor(spaceId, { changeRequest: proposed.id })
    const replies = [
      await preview.listChangeRequestDifferences({ params }),
      await preview.getChangeRequestPageDifference({ params: { ...params, pageId: open } }),
    ]
    expect(replies[0]).toMatchObject({ items: [{}, { status: 'created', page: { title: 'Seen' } }] })
    expect(JSON.stringify(replies)).not.toMatch(/secret|beta/i)
    await expect(preview.getChangeRequestPageDifference({ params: { ...params, pageId: beta } })).rejects.toMatchObject(
      missing,
    )
    const tester = visitor(spaceId, { changeRequest: proposed.id, claims: { beta: true } })
    expect((await tester.listChangeRequestDifferences({ params })).items).toMatchObject([
      { page: { title: 'Open' }, counts: { insertions: 1, deletions: 1 } },
      { page: { title: 'Beta' }, attributes: {} },
      { page: { title: 'Seen' } },
    ])
    const { revision } = await content.as('edit').getChangeRequestById({ params })
    const compared = { params: { spaceId, revisionId: revision }, query: { since: base } }
    await expect(visitor(spaceId).listChangeRequestDifferences({ params })).rejects.toMatchObject(missing)
    await expect(visitor(spaceId).listRevisionDifferences(compared)).rejects.toMatchObject(missing)
    await expect(visitor('another', { previews: true }).listRevisionDifferences(compared)).rejects.toMatchObject(
      missing,
    )
    expect((await visitor(spaceId, { previews: true }).listRevisionDifferences(compared)).items.length).toBeGreaterThan(
      0,
    )
  })

  it('Visitors with the same claims do not share links to a space that one of them does not read', async () => {
    const spaceId = await aSpace()
    const other = await aSpace()
    const url = `http://recto.test/s/${other}`
    const { changes } = await change(spaceId, insert('Links', { document: { markdown: `[other](${url})` } }))
    const page = changes[0]?.page?.id ?? ''
    const first = await revisionOf(spaceId)
    await change(spaceId, { operation: 'update_page', page, document: { markdown: `[other](${url}) and more` } })
    const params = { spaceId, revisionId: await revisionOf(spaceId), pageId: page }
    const read = async (spaces: string[]) =>
      visitor(spaceId, { spaces, previews: true }).getRevisionPageDifference({ params, query: { since: first } })
    for (const spaces of [[spaceId, other], [spaceId], [spaceId, other]])
      expect([spaces.length, JSON.stringify((await read(spaces)).difference).includes(other)]).toEqual([
        spaces.length,
        spaces.length === 2,
      ])
  })

  it('A visitor who previews a change request reads no differences to what they may not read any more', async () => {
    const { params, spaceId, a } = await aProposal()
    const early = visitor(spaceId, { changeRequest: params.changeRequestId })
    expect((await early.listChangeRequestDifferences({ params })).count).toBeGreaterThan(0)
    await change(spaceId, { operation: 'update_page', page: a, document: { markdown: 'Later' } })
    const since = Date.now() + 60_000
    const late = visitor(spaceId, { changeRequest: params.changeRequestId, since })
    await expect(late.listChangeRequestDifferences({ params })).rejects.toMatchObject(missing)
    await expect(late.getChangeRequestPageDifference({ params: { ...params, pageId: a } })).rejects.toMatchObject(
      missing,
    )
  })
})
