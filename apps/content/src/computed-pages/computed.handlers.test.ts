import { visitorActor } from '@recto/actor/visitor-token'
import { eventually, failure, replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContentWithSpecs, anOutline, computedFrom, type SpecService } from '../test/a-spec-service.ts'
import { aSpace, importInto, organization, type ContentSetup } from '../test/content-setup.ts'

const schemas = replySchemas()
let content: ContentSetup
let specs: SpecService
let stop: () => Promise<void>
beforeAll(async () => void ({ content, specs, stop } = await aContentWithSpecs()))
afterAll(() => stop())

type Pages = Awaited<ReturnType<ReturnType<typeof client>['listPages']>>['pages']
const client = () => content.as('read')
/** Makes a space with a declaration of computed pages between its pages. */
async function aReference(spec: string, models = true) {
  const spaceId = await aSpace(content)
  const computed = { type: 'computed' as const, title: 'API', computed: computedFrom(spec, models) }
  const hidden = { overview: '# Mine', 'last/deep': 'Text' }
  await importInto(content, spaceId, { pages: { first: '# First', last: '# Last', ...hidden }, entries: [computed] })
  return spaceId
}
const pagesOf = async (spaceId: string, computed: 'true' | 'false' = 'true') => {
  const reply = await client().listPages({ params: { spaceId }, query: { computed } })
  expect(schemas.validateReply('listPages', 200, reply)).toEqual([])
  return reply.pages
}
const outline = (pages: Pages): unknown[] =>
  pages.map(page => {
    if (page.type !== 'document') return [page.type, page.title]
    return page.pages.length === 0 ? page.path : [page.path, ...outline(page.pages)]
  })
const waitForPages = (spaceId: string, paths: unknown[]) =>
  eventually(async () => expect(outline(await pagesOf(spaceId))).toEqual(paths))
const ownPages = ['first', ['last', 'last/deep'], 'overview']
const visitor = (spaceId: string, claims: Record<string, unknown> = {}) =>
  content.asActor(visitorActor({ organization, site: 'aSite', version: 1, spaces: [spaceId], claims }))

describe('computed pages', () => {
  it('Computed pages stand in the place of their declaration, nested, and yield paths to other pages of the space', async () => {
    await specs.addVersion('nested', anOutline())
    const spaceId = await aReference('nested')
    const computed = ['overview-1', ['toys', 'toys/below'], 'games', 'models']
    await waitForPages(spaceId, [...ownPages, ...computed])
    expect(outline(await pagesOf(spaceId, 'false'))).toEqual([...ownPages, ['computed', 'API']])
    const other = await aReference('nested', false)
    await waitForPages(other, [...ownPages, ...computed.slice(0, -1)])
  })

  it('Computed pages are read by id and path, as documents and Markdown, by members and visitors', async () => {
    const version = await specs.addVersion('read', anOutline())
    const spaceId = await aReference('read')
    await waitForPages(spaceId, [...ownPages, 'overview-1', ['toys', 'toys/below'], 'games', 'models'])
    const { revision: revisionId } = await client().getSpaceById({ params: { spaceId } })
    const page = await client().getPageByPath({ params: { spaceId, pagePath: 'games' }, query: {} })
    expect(schemas.validateReply('getPageByPath', 200, page)).toEqual([])
    expect(page).toMatchObject({
      title: 'Games',
      computedSeed: version,
      markdown: expect.stringContaining('GET \\/games\\/\\{id\\}'),
      computed: { props: { doc: 'operations', page: 'tag:Games' }, dependencies: computedFrom('read').dependencies },
    })
    expect(page).not.toHaveProperty('documentId')
    const params = { spaceId, revisionId, pageId: page.id }
    const block = {
      type: 'openapi-operation',
      data: { path: '/games/{id}', method: 'get', ref: { kind: 'openapi', spec: 'read' } },
    }
    for (const reader of [client(), visitor(spaceId)]) {
      const document = await reader.getPageDocumentInRevisionById({
        params,
        query: { evaluated: 'deterministic-only' },
      })
      expect(schemas.validateReply('getPageDocumentInRevisionById', 200, document)).toEqual([])
      expect(document.nodes).toMatchObject([block])
      const byId = await reader.getPageInRevisionById({ params, query: { format: 'markdown' } })
      expect(byId).toMatchObject({ title: 'Games', markdown: expect.stringContaining('openapi-operation spec="read"') })
      const { pages } = await reader.getRevisionById({ params, query: {} })
      expect(outline(pages)).toContain('games')
    }
    const models = await client().getPageByPath({
      params: { spaceId, pagePath: 'models' },
      query: { format: 'document' },
    })
    expect(models).toMatchObject({
      document: { nodes: [{ type: 'openapi-schemas', data: { schemas: ['Toy'], grouped: true } }] },
    })
  })

  it('Computed pages follow a new version in a new revision, keep the ids of pages that stay, and leave past revisions unchanged', async () => {
    await specs.addVersion('moving', anOutline())
    const spaceId = await aReference('moving')
    await waitForPages(spaceId, [...ownPages, 'overview-1', ['toys', 'toys/below'], 'games', 'models'])
    const before = await client().getSpaceById({ params: { spaceId } })
    const at = (pagePath: string) => client().getPageByPath({ params: { spaceId, pagePath }, query: {} })
    const games = await at('games')
    const version = await specs.addVersion('moving', anOutline({ tags: ['Games', 'Tools'] }))
    await waitForPages(spaceId, [...ownPages, 'overview-1', ['games', 'games/below'], 'tools', 'models'])
    expect(await at('games')).toMatchObject({ id: games.id, computedSeed: version })
    const { items } = await client().listRevisions({ params: { spaceId }, query: {} })
    expect(items[0]).toMatchObject({ type: 'computed', parents: [before.revision] })
    expect(items[0]).not.toHaveProperty('createdBy')
    const past = await client().listPagesInRevisionById({ params: { spaceId, revisionId: before.revision }, query: {} })
    expect(outline(past.pages)).toContain('games')
    expect(outline(past.pages)).not.toContain('tools')
    const changes = await client().getRevisionSemanticChanges({
      params: { spaceId, revisionId: items[0]?.id ?? '' },
      query: {},
    })
    expect(changes.changes).toEqual([])
    await specs.remove('moving')
    await waitForPages(spaceId, [...ownPages, ['computed', 'API']])
  })

  it('Computed pages appear with their specification, also with one that was added without an event', async () => {
    const late = await aReference('late')
    await waitForPages(late, [...ownPages, ['computed', 'API']])
    await specs.addVersion('late', anOutline({ tags: [] }))
    await waitForPages(late, [...ownPages, 'overview-1', 'models'])
    specs.addQuietly('quiet', anOutline({ tags: [] }))
    await waitForPages(await aReference('quiet'), [...ownPages, 'overview-1', 'models'])
  })

  it('Computed pages stay when other pages are edited, and go with their declaration', async () => {
    await specs.addVersion('edited', anOutline({ tags: ['Toys'] }))
    const spaceId = await aReference('edited')
    const computed = ['overview-1', ['toys', 'toys/below'], 'models']
    await waitForPages(spaceId, [...ownPages, ...computed])
    const params = { spaceId }
    const editor = content.as('edit')
    await editor.updateContent({
      params,
      body: { changes: [{ operation: 'insert_page', title: 'New', document: { markdown: 'x' } }] },
    })
    expect(outline(await pagesOf(spaceId))).toEqual([...ownPages, ...computed, 'new'])
    const declared = (await pagesOf(spaceId, 'false')).find(({ type }) => type === 'computed')
    await editor.updateContent({
      params,
      body: { changes: [{ operation: 'delete_page', page: declared?.id ?? '' }] },
    })
    expect(outline(await pagesOf(spaceId))).toEqual([...ownPages, 'new'])
  })

  it("Computed pages come from specifications of the space's own organization only", async () => {
    await specs.addVersion('theirs', anOutline(), 'anotherOrganization')
    await waitForPages(await aReference('theirs'), [...ownPages, ['computed', 'API']])
  })

  it('Computed pages can be commented on, as long as they exist', async () => {
    await specs.addVersion('discussed', anOutline({ tags: ['Toys'] }))
    const spaceId = await aReference('discussed')
    await waitForPages(spaceId, [...ownPages, 'overview-1', ['toys', 'toys/below'], 'models'])
    const page = await client().getPageByPath({
      params: { spaceId, pagePath: 'toys' },
      query: { format: 'document' },
    })
    const { nodes = [] } = ('document' in page ? page.document : undefined) ?? {}
    const [node] = nodes
    const post = (target: object) =>
      content.as('comment').postCommentInSpace({ params: { spaceId }, body: { body: { markdown: '?' }, ...target } })
    const declaration = (await pagesOf(spaceId, 'false')).find(({ type }) => type === 'computed')
    await post({ page: declaration?.id })
    const { id: commentId, target } = await post({ page: page.id, node: node?.key })
    expect(target).toMatchObject({ page: { id: page.id, title: 'Toys', path: 'toys', outdated: false } })
    const read = () => content.as('comment').getCommentInSpace({ params: { spaceId, commentId }, query: {} })
    const isOutdated = async () => (await read()).target.page?.outdated
    await specs.addVersion('discussed', anOutline({ tags: ['Toys', 'Games'], text: 'New words' }))
    await waitForPages(spaceId, [...ownPages, 'overview-1', ['toys', 'toys/below'], 'games', 'models'])
    expect(await isOutdated()).toBe(false)
    await specs.addVersion('discussed', anOutline({ tags: ['Games'] }))
    await waitForPages(spaceId, [...ownPages, 'overview-1', ['games', 'games/below'], 'models'])
    expect(await isOutdated()).toBe(true)
  })

  it('Computed pages are found by search, and their links lead to the specification', async () => {
    await specs.addVersion('found', anOutline({ tags: ['Gearwheels'] }))
    const spaceId = await aReference('found')
    await eventually(async () => {
      for (const query of ['Find Gearwheels', 'gearwheels/{id}']) {
        const { items } = await client().searchSpaceContent({ params: { spaceId }, query: { query } })
        expect(items[0]).toMatchObject({ path: 'gearwheels' })
      }
      const links = await client().listSpaceLinks({ params: { spaceId }, query: {} })
      expect(schemas.validateReply('listSpaceLinks', 200, links)).toEqual([])
      expect(links.items).toContainEqual(
        expect.objectContaining({
          status: 'ok',
          relation: 'dependsOn',
          targetReference: expect.objectContaining({
            kind: 'openapi',
            openAPISpec: expect.objectContaining({ slug: 'found' }),
          }),
        }),
      )
    })
    await specs.remove('found')
    await eventually(async () => {
      const { items } = await client().searchSpaceContent({ params: { spaceId }, query: { query: 'Gearwheels' } })
      expect(items).toEqual([])
      const links = await client().listSpaceLinks({ params: { spaceId }, query: { status: 'broken' } })
      expect(links.count).toBe(1)
    })
  })

  it('Computed pages have no tags or expressions that strangers wrote into a specification', async () => {
    const text = '---\ntitle: x\n---\n{% hint style="info" %}\n\n<code class="expression">space.vars.secret</code>'
    await specs.addVersion('hostile', anOutline({ tags: ['Toys'], text }))
    const spaceId = await aReference('hostile')
    await waitForPages(spaceId, [...ownPages, 'overview-1', ['toys', 'toys/below'], 'models'])
    const page = await client().getPageByPath({
      params: { spaceId, pagePath: 'overview-1' },
      query: { format: 'document' },
    })
    expect(JSON.stringify(page)).not.toMatch(/"type":"(hint|expression)"/)
    expect(JSON.stringify(page)).toContain('title: x')
  })
})

describe('the parts of a specification', () => {
  const documentOf = (spec: string, props: { doc: 'models' } | { doc: 'info' | 'operations'; page: string }) => ({
    source: { ...computedFrom(spec), props },
    seed: 'x',
  })

  it('The parts of a specification are computed on request', async () => {
    const params = { spaceId: await aSpace(content) }
    specs.addQuietly('asked', anOutline())
    const revision = await client().getComputedRevision({ params, body: { source: computedFrom('asked'), seed: 'x' } })
    expect(schemas.validateReply('getComputedRevision', 200, revision)).toEqual([])
    expect(outline(revision.pages)).toEqual(['overview', ['toys', 'toys/below'], 'games', 'models'])
    for (const page of revision.pages) {
      if (page.type !== 'document' || !page.computed) throw new Error('the page is not computed')
      const body = { source: page.computed, seed: page.computedSeed ?? '' }
      const document = await client().getComputedDocument({ params, body })
      expect(schemas.validateReply('getComputedDocument', 200, document)).toEqual([])
      expect(document.nodes.length).toBeGreaterThan(0)
    }
    const unknown = documentOf('asked', { doc: 'operations', page: 'tag:None' })
    expect(await failure(client().getComputedDocument({ params, body: unknown }))).toBe('not_found')
  })

  it('The parts of a specification have ids that follow from the seed', async () => {
    const params = { spaceId: await aSpace(content) }
    specs.addQuietly('seeded', anOutline())
    const idsFor = async (seed: string) => {
      const { pages } = await client().getComputedRevision({ params, body: { source: computedFrom('seeded'), seed } })
      const body = { ...documentOf('seeded', { doc: 'models' }), seed }
      const { nodes } = await client().getComputedDocument({ params, body })
      return { pages: pages.map(({ id }) => id), nodes: nodes.map(({ key }) => key) }
    }
    const first = await idsFor('one')
    expect(await idsFor('one')).toEqual(first)
    const other = await idsFor('two')
    expect(other.pages.filter(id => first.pages.includes(id))).toEqual([])
    expect(other.nodes.filter(key => first.nodes.includes(key))).toEqual([])
    expect([other.pages.length, other.nodes.length]).toEqual([first.pages.length, first.nodes.length])
  })

  it('The parts of a missing specification are not found, and the message names it', async () => {
    const params = { spaceId: await aSpace(content) }
    const failureOfSpec = { code: 'not_found', message: 'There is no specification petstore' }
    const body = documentOf('petstore', { doc: 'models' })
    await expect(client().getComputedDocument({ params, body })).rejects.toMatchObject(failureOfSpec)
    const pages = { source: computedFrom('petstore'), seed: 'x' }
    await expect(client().getComputedRevision({ params, body: pages })).rejects.toMatchObject(failureOfSpec)
  })

  it('The parts of a specification are for visitors and guests who see a page computed from it', async () => {
    await specs.addVersion('seen', anOutline())
    const empty = await aSpace(content)
    const spaceId = await aReference('seen')
    await waitForPages(spaceId, [...ownPages, 'overview-1', ['toys', 'toys/below'], 'games', 'models'])
    const body = documentOf('seen', { doc: 'models' })
    const read = (by: ReturnType<typeof client>, at: string) =>
      failure(by.getComputedDocument({ params: { spaceId: at }, body }))
    expect(await read(visitor(spaceId), spaceId)).toBeUndefined()
    expect(await read(visitor(empty), empty)).toBe('not_found')
    expect(await read(visitor(empty), spaceId)).toBe('not_found')
    expect(await read(content.as(undefined), spaceId)).toBe('not_found')
  })

  it('Who reads no specification of the organization binds none, and reads those that the space shows', async () => {
    await specs.addVersion('secret', anOutline())
    const secret = documentOf('secret', { doc: 'models' })
    const admin = content.as('admin')
    const at = { organizationId: organization }
    const { id: parent } = await admin.createCollection({ params: at, body: { title: 'Ours' } })
    const { id: spaceId } = await admin.createSpace({ params: at, body: { parent } })
    const guest = 'guest-of-collection'
    content.people.add({ organization, user: guest, role: null })
    const body = { users: [guest], role: 'create' as const }
    await admin.inviteToCollection({ params: { collectionId: parent }, body })
    const limited = { ...content.actorOf('admin'), limitedTo: { spaces: [], collections: [parent], sites: [] } }
    for (const actor of [content.actorOf(null, { user: guest }), limited]) {
      const client = content.asActor(actor)
      for (const spec of ['secret', 'none']) {
        const attempt = client.createSpace({ params: at, body: { parent, computedSource: computedFrom(spec) } })
        const details = [{ path: 'body.computedSource.dependencies.spec.ref.spec' }]
        await expect(attempt).rejects.toMatchObject({ code: 'not_found', details })
      }
      expect(await failure(client.getComputedDocument({ params: { spaceId }, body: secret }))).toBe('not_found')
      expect(await failure(client.createSpace({ params: at, body: { parent } }))).toBeUndefined()
    }
    const made = await admin.createSpace({ params: at, body: { parent, computedSource: computedFrom('secret') } })
    const reading = { params: { spaceId: made.id }, body: secret }
    await eventually(() => content.asActor(limited).getComputedDocument(reading))
  })

  it('The parts of other sources than specifications are refused, and the field is named', async () => {
    const params = { spaceId: await aSpace(content) }
    const { source, seed } = documentOf('petstore', { doc: 'models' })
    const body = { source: { ...source, type: 'other' as 'builtin:openapi' }, seed }
    await expect(client().getComputedDocument({ params, body })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.source.type' }],
    })
  })
})
