import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { contentRpc } from '@recto/contracts-content-bus'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { replacePublications } from '../sites/publications.repository.ts'
import { aLinkResponder } from '../test/link-responder.ts'
import { aContent, actorWith, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
let spaceId: string
let revisionId: string
beforeAll(async () => {
  content = await aContent()
  spaceId = await aSpace(content, {})
  revisionId = await write([
    page('Open', 'Everybody'),
    { ...page('Beta', 'Testers'), condition: 'visitor.claims.beta', ref: 'beta' },
    { ...page('Below', 'Testers too'), into: 'beta' },
    page('Mixed', 'All\n\n{% if visitor.claims.beta %}\nOnly testers\n{% endif %}\n\n<!-- A comment -->\n\nThe end'),
  ])
})
afterAll(() => content.stop())

const page = (title: string, markdown: string) => ({ operation: 'insert_page' as const, title, document: { markdown } })
const writer = () => content.as('create', { user: 'writer' })

async function write(changes: object[]): Promise<string> {
  await writer().updateContent({ params: { spaceId }, body: { changes } as never })
  return (await writer().getSpaceById({ params: { spaceId } })).revision
}

type Seen = Partial<Parameters<typeof visitorActor>[0]>

/** A client of a visitor whose site shows the space. */
function visitor(seen: Seen = {}) {
  const reader = { organization, site: 'site', version: 1, spaces: [spaceId], claims: {}, ...seen }
  const actor = visitorActor(reader)
  return busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
}
const titles = async (seen: Seen = {}) => {
  const { pages } = await visitor(seen).getRevisionById({ params: { spaceId, revisionId } })
  return pages.map(({ title }) => title)
}
const pageId = async (title: string) => {
  const { pages } = await writer().getRevisionById({ params: { spaceId, revisionId } })
  return pages.find(page => page.title === title)?.id ?? 'nothing'
}
const missing = { code: 'not_found' }

describe('a visitor of a site', () => {
  it('A visitor of a site learns what changed since a revision, and of pages that are gone their ids alone', async () => {
    const since = revisionId
    const open = await pageId('Open')
    const beta = await pageId('Beta')
    const passing = await write([page('Passing secret', 'Soon gone')])
    const { pages } = await writer().getRevisionById({ params: { spaceId, revisionId: passing } })
    const gone = pages.find(({ title }) => title === 'Passing secret')?.id ?? ''
    revisionId = await write([
      { operation: 'update_page', page: open, document: { markdown: 'Everybody again' } },
      { operation: 'update_page', page: beta, document: { markdown: 'Testers again' } },
      { operation: 'delete_page', page: gone },
    ])
    const changes = async (seen: Seen, query: { since: string; until?: string }) =>
      visitor(seen).listContentChanges({ params: { spaceId }, query })
    const edited = (id: string) => ({ type: 'page_edited', page: expect.objectContaining({ id }), attributes: {} })
    expect(await changes({}, { since })).toMatchObject({ items: [edited(open)], until: revisionId })
    const testers = { claims: { beta: true } }
    expect((await changes(testers, { since })).items).toEqual([edited(open), edited(beta)])
    const sincePassing = await changes({}, { since: passing })
    expect(sincePassing.items).toEqual([edited(open), { type: 'page_removed', page: { id: gone } }])
    await expect(changes({}, { since: 'nothing' })).rejects.toMatchObject(missing)
    await expect(changes({ spaces: [] }, { since })).rejects.toMatchObject(missing)
  })

  it('A visitor of a site reads its spaces without what only concerns their writers', async () => {
    await writer().createChangeRequest({ params: { spaceId }, body: {} })
    const space = await visitor().getSpaceById({ params: { spaceId } })
    expect(space).toMatchObject({ id: spaceId, revision: revisionId, changeRequests: 0, comments: 0 })
    expect(Object.entries(space.permissions).filter(([, may]) => may)).toEqual([
      ['view', true],
      ['access', true],
    ])
  })

  it('A visitor of a site reads where its own site shows a space, and of no other site that does', async () => {
    const shared = await aSpace(content, {})
    const show = (site: string, visibility: 'unlisted' | 'share-link') =>
      content.service.db.transaction(tx =>
        replacePublications(tx, {
          site,
          version: 1,
          spaces: [
            {
              siteId: site,
              spaceId: shared,
              visibility,
              url: `https://${site}.docs.test/guides/`,
              address: `https://${site}.docs.test/`,
            },
          ],
        }),
      )
    await show('unlisted-site', 'unlisted')
    await show('shared-site', 'share-link')
    const published = async (site: string) => {
      const actor = { site, spaces: [shared] }
      const { urls, visibility } = await visitor(actor).getSpaceById({ params: { spaceId: shared } })
      const bus = busClient(content.publishing, contentRpc, { service: 'content' })
      const of = visitorActor({ organization, version: 1, claims: {}, ...actor })
      const { spaces } = await bus.describeSpaces({ body: { actor: of, organization, spaces: [shared] } })
      expect(spaces[0]?.space.urls).toEqual(urls)
      return [urls.published, visibility]
    }
    expect(await published('shared-site')).toEqual(['https://shared-site.docs.test/guides/', 'share-link'])
    expect(await published('unlisted-site')).toEqual(['https://unlisted-site.docs.test/guides/', 'unlisted'])
    expect(await published('previewed-site')).toEqual([undefined, 'private'])

    const links = await aLinkResponder(content.publishing)
    const sites = ['shared-site', 'unlisted-site', 'other-site']
    for (const site of sites) links.add({ site, key: `key-of-${site}`, spaces: [shared] })
    const ofSite = (site: string) => visitor({ site, spaces: [shared] })
    const member = content.as('read')
    const readWithKey = async (reader: Pick<ReturnType<typeof visitor>, 'getSpaceById'>, shareKey: string) =>
      reader.getSpaceById({ params: { spaceId: shared }, query: { shareKey } })
    const publishedUrl = async (...args: Parameters<typeof readWithKey>) => (await readWithKey(...args)).urls.published
    const own = 'https://shared-site.docs.test/'
    const unlisted = 'https://unlisted-site.docs.test/guides/'
    expect(await publishedUrl(ofSite('shared-site'), 'key-of-shared-site')).toBe(`${own}key-of-shared-site/guides/`)
    expect(await publishedUrl(ofSite('unlisted-site'), 'key-of-unlisted-site')).toBe(unlisted)
    // Members are on no site: any link counts that leads to one with the space.
    expect(await readWithKey(member, 'key-of-shared-site')).toMatchObject({
      visibility: 'unlisted',
      urls: { published: `${own}key-of-shared-site/guides/` },
    })
    for (const site of ['unlisted-site', 'other-site'])
      expect(await publishedUrl(member, `key-of-${site}`)).toBe(unlisted)
    for (const reader of [ofSite('shared-site'), ofSite('unlisted-site'), member])
      await expect(publishedUrl(reader, 'wrong')).rejects.toMatchObject({ code: 'not_found' })
    await expect(publishedUrl(ofSite('unlisted-site'), 'key-of-shared-site')).rejects.toMatchObject({
      code: 'not_found',
    })
    await links.stop()
  })

  it('A visitor of a site reads no other space, and no space of another organization', async () => {
    const other = await aSpace(content, {})
    for (const seen of [{ spaces: [other] }, { organization: 'another' }])
      await expect(visitor(seen).getSpaceById({ params: { spaceId } })).rejects.toMatchObject(missing)
    const deleted = await aSpace(content, { deletedAt: new Date() })
    await expect(visitor({ spaces: [deleted] }).getSpaceById({ params: { spaceId: deleted } })).rejects.toMatchObject(
      missing,
    )
  })

  it('A visitor of a site sees the pages whose condition holds for the claims', async () => {
    expect(await titles()).toEqual(['Open', 'Mixed'])
    expect(await titles({ claims: { beta: true } })).toEqual(['Open', 'Beta', 'Mixed'])
    const hidden = { params: { spaceId, revisionId, pageId: await pageId('Beta') } }
    await expect(visitor().getPageInRevisionById(hidden)).rejects.toMatchObject(missing)
    await expect(visitor().getPageDocumentInRevisionById(hidden)).rejects.toMatchObject(missing)
    for (const pagePath of ['beta', 'beta/below'])
      await expect(
        visitor().getPageInRevisionByPath({ params: { spaceId, revisionId, pagePath } }),
      ).rejects.toMatchObject(missing)
  })

  it('A visitor of a site gets texts with conditions evaluated, whatever the query says', async () => {
    const params = { spaceId, revisionId, pageId: await pageId('Mixed') }
    for (const evaluated of ['false', 'true', 'deterministic-only'] as const) {
      const query = { evaluated }
      const text = JSON.stringify(await visitor().getPageDocumentInRevisionById({ params, query }))
      expect(['Only testers', 'A comment', 'The end'].filter(part => text.includes(part))).toEqual(['The end'])
      const documentForTester = await visitor({ claims: { beta: true } }).getPageDocumentInRevisionById({
        params,
        query,
      })
      expect(JSON.stringify(documentForTester)).toContain('Only testers')
    }
    const markdown = await visitor().getPageInRevisionById({ params, query: { format: 'markdown' } })
    expect(JSON.stringify(markdown)).not.toContain('Only testers')
  })

  it('A visitor of a site reads what main content is and was, and a proposal only while previewing it', async () => {
    const before = revisionId
    revisionId = await write([page('Newer', 'More')])
    expect(await titles()).toContain('Newer')
    expect((await visitor().getRevisionById({ params: { spaceId, revisionId: before } })).id).toBe(before)

    const { id: changeRequestId } = await writer().createChangeRequest({ params: { spaceId }, body: {} })
    const body = { changes: [page('Secret', 'Not yet')] } as never
    const proposed = await writer().updateContentInChangeRequest({ params: { spaceId, changeRequestId }, body })
    const params = { spaceId, revisionId: 'revision' in proposed ? proposed.revision : '' }
    const read = (seen: Seen = {}) => visitor(seen).getRevisionById({ params })
    const show = (seen: Seen = {}) => visitor(seen).getChangeRequestById({ params: { spaceId, changeRequestId } })
    await expect(read()).rejects.toMatchObject(missing)
    await expect(show()).rejects.toMatchObject(missing)
    expect((await read({ changeRequest: changeRequestId })).pages.map(({ title }) => title)).toContain('Secret')
    expect((await read({ revision: params.revisionId })).id).toBe(params.revisionId)
    expect(await show({ changeRequest: changeRequestId })).toMatchObject({
      revision: params.revisionId,
      createdBy: { id: 'unknown', displayName: 'Unknown user' },
    })
    const other = await aSpace(content, {})
    await expect(read({ changeRequest: changeRequestId, spaces: [other] })).rejects.toMatchObject(missing)
  })
})

it('Publishing gets the spaces of a site as a visitor sees them', async () => {
  const bus = busClient(content.publishing, contentRpc, { service: 'content' })
  const described = async (seen: Seen) => {
    const visitor = { organization, site: 'site', version: 1, spaces: [spaceId], claims: {}, ...seen }
    const body = { actor: visitorActor(visitor), organization, spaces: [spaceId, 'nothing'] }
    return (await bus.describeSpaces({ body })).spaces.map(({ space, role }) => [space.id, role])
  }
  expect(await described({})).toEqual([[spaceId, 'read']])
  expect(await described({ spaces: [] })).toEqual([])
  expect(await described({ organization: 'another' })).toEqual([])
})

it('Publishing creates a space for a new site, empty or with sample pages', async () => {
  const bus = busClient(content.publishing, contentRpc, { service: 'content' })
  const countPages = async (sample: boolean) => {
    const { space } = await bus.createSpaceOfSite({
      body: { actor: content.actorOf('create'), organization, title: 'Docs', sample },
    })
    const { pages } = await content.as('create').getCurrentRevision({ params: { spaceId: space.id } })
    return pages.length
  }
  expect(await countPages(false)).toBe(0)
  expect(await countPages(true)).toBeGreaterThan(0)
  await expect(
    bus.createSpaceOfSite({ body: { actor: content.actorOf('read'), organization, title: 'Docs', sample: false } }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

it('Publishing finds which pages and files are gone from the spaces that a caller sees', async () => {
  const bus = busClient(content.publishing, contentRpc, { service: 'content' })
  const closed = await aSpace(content, { defaultLevel: null })
  const page = await pageId('Open')
  const references = [
    { space: spaceId, kind: 'page' as const, id: page },
    { space: spaceId, kind: 'file' as const, id: page },
    { space: spaceId, kind: 'page' as const, id: 'nothing' },
    { space: closed, kind: 'page' as const, id: page },
    { space: 'nothing', kind: 'file' as const, id: page },
  ]
  const actor = actorWith('create')
  const { missing } = await bus.checkReferences({ body: { actor, organization, references } })
  expect(missing).toEqual([1, 2, 3, 4])
})

it('Publishing finds which pages a visitor does not see', async () => {
  const bus = busClient(content.publishing, contentRpc, { service: 'content' })
  const titles = ['Open', 'Beta']
  const ids = await Promise.all(titles.map(pageId))
  const references = ids.map(id => ({ space: spaceId, kind: 'page' as const, id }))
  const missingTo = async (seen: Seen) => {
    const visitor = { organization, site: 'site', version: 1, spaces: [spaceId], claims: {}, ...seen }
    const body = { actor: visitorActor(visitor), organization, references }
    return (await bus.checkReferences({ body })).missing.map(at => titles[at])
  }
  expect(await missingTo({})).toEqual(['Beta'])
  expect(await missingTo({ claims: { beta: true } })).toEqual([])
  expect(await missingTo({ spaces: [] })).toEqual(titles)
})
