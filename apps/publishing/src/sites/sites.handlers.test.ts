import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { replySchemas } from '@recto/testing'
import { createId } from '@recto/operation'
import { requireFreeAddresses } from './require-free-addresses.ts'
import { insert, update } from './sites.repository.ts'
import { newSite } from './sites.rules.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
const params = { organizationId: organization }
const missing = { code: 'not_found', message: 'There is no such site' }

let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

const aSite = (body: object = {}) => publishing.as('create').createSite({ params, body })
const at = (siteId: string) => ({ params: { ...params, siteId } })

/** A site of any organization. */
async function insertSite(organizationId: string, addresses: { hostname?: string; proxy?: string } = {}) {
  const row = { type: 'basic', title: 'Theirs', visibility: 'public', createdBy: 'somebody' } as const
  const site = { ...newSite({ organizationId, ...row, basename: createId().toLowerCase() }), ...addresses }
  await insert(publishing.service.db, site)
  return site
}

describe('createSite', () => {
  it('shows the spaces that it names and is not published', async () => {
    const spaces = [publishing.content.aSpace('Handbook'), publishing.content.aSpace('Version 1')]
    const site = await aSite({ spaces })
    expect(schemas.validateReply('createSite', 201, site)).toEqual([])
    expect(site).toMatchObject({
      object: 'site',
      type: 'basic',
      title: 'Handbook',
      visibility: 'public',
      published: false,
      siteSpaces: 2,
      adaptiveContent: { enabled: false },
      agentsContext: 'included',
      basename: 'handbook',
      urls: { location: `http://recto.test/v1/orgs/${organization}/sites/${site.id}`, app: expect.any(String) },
    })
    expect(site.urls.published).toBeUndefined()
    expect(await publishing.as('create').getSiteById(at(site.id))).toEqual(site)
  })

  it('needs no body, gives each site an address of its own, and creates a space when asked', async () => {
    const first = await aSite()
    const second = await aSite({ title: 'Docs' })
    expect([first.title, first.siteSpaces]).toEqual(['Docs', 0])
    expect(second.basename).toBe(`${first.basename}-1`)
    expect(await aSite({ title: 'Fresh', spaces: 'empty' })).toMatchObject({ title: 'Fresh', siteSpaces: 1 })
    expect(await aSite({ spaces: 'sample' })).toMatchObject({ siteSpaces: 1 })
  })

  it('refuses spaces that the caller cannot publish', async () => {
    const open = publishing.content.aSpace('Open')
    const closed = publishing.content.aSpace('Closed')
    publishing.content.setRole(open, 'eve', 'edit')
    publishing.content.setRole(closed, 'eve', null)
    const eve = publishing.as('create', 'eve')
    await expect(eve.createSite({ params, body: { spaces: [open] } })).rejects.toMatchObject({ code: 'forbidden' })
    for (const space of [closed, 'nothing', publishing.content.aSpace('Elsewhere', 'another')])
      await expect(eve.createSite({ params, body: { spaces: [space] } })).rejects.toMatchObject({
        code: 'not_found',
        details: [{ path: 'body.spaces.0', message: 'there is no such space' }],
      })
  })

  it('is allowed to those who create content', async () => {
    for (const role of ['read', 'comment', 'edit', 'review', null] as const)
      await expect(publishing.as(role).createSite({ params })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(publishing.as(undefined).createSite({ params })).rejects.toMatchObject({ code: 'not_found' })
    expect(await publishing.as('admin').createSite({ params })).toMatchObject({ object: 'site' })
  })

  it('gives sites that are created at once different addresses', async () => {
    const sites = await Promise.all(Array.from({ length: 10 }, () => aSite({ title: 'At once' })))
    expect(new Set(sites.map(({ basename }) => basename)).size).toBe(10)
  })
})

describe('listSites', () => {
  it('filters by space, title, publication and type', async () => {
    const space = publishing.content.aSpace('Rare')
    const site = await aSite({ title: 'Rare find 100%', spaces: [space], type: 'ultimate' })
    await publishing.as('create').publishSite(at(site.id))
    const list = async (query: object) => {
      const page = await publishing.as('read').listSites({ params, query })
      expect(schemas.validateReply('listSites', 200, page)).toEqual([])
      return page.items.map(({ id }) => id)
    }
    expect(await list({ space })).toEqual([site.id])
    expect(await list({ title: 'FIND 100%' })).toEqual([site.id])
    expect(await list({ published: 'true' })).toEqual([site.id])
    expect(await list({ published: 'false', space })).toEqual([])
    expect(await list({ type: ['ultimate', 'premium'] })).toEqual([site.id])
    expect(await list({ type: 'premium' })).toEqual([])
    expect((await publishing.as(null).listSites({ params })).items).toEqual([])
  })
})

describe('the number of spaces of a site', () => {
  it('counts those that the caller can read and that are not in the trash, with one call for all sites', async () => {
    const [open, closed, trashed] = ['Open', 'Closed', 'Trashed'].map(title => publishing.content.aSpace(title))
    const spaces = [open ?? '', closed ?? '', trashed ?? '']
    const site = await aSite({ title: 'Counted', spaces })
    await aSite({ title: 'Counted too', spaces: [open, closed] })
    publishing.content.setRole(closed ?? '', 'bob', null)
    publishing.content.setDeleted(trashed ?? '', true)
    const bob = publishing.as('create', 'bob')
    const replies = [
      () => bob.getSiteById(at(site.id)),
      () => bob.updateSiteById({ ...at(site.id), body: { visibility: 'unlisted' } }),
      () => bob.publishSite(at(site.id)),
      () => bob.unpublishSite(at(site.id)),
    ]
    for (const reply of replies) expect((await reply()).siteSpaces).toBe(1)
    expect((await publishing.as('read').getSiteById(at(site.id))).siteSpaces).toBe(2)
    const before = publishing.content.answered()
    const { items } = await bob.listSites({ params, query: { title: 'counted' } })
    expect(items.map(({ title, siteSpaces }) => [title, siteSpaces])).toEqual([
      ['Counted too', 1],
      ['Counted', 1],
    ])
    expect(publishing.content.answered()).toBe(before + 1)
  })

  it('is not told by the filter for a space that the caller cannot read, or that is in the trash', async () => {
    const space = publishing.content.aSpace('Filtered')
    const site = await aSite({ title: 'Filtered', spaces: [space] })
    publishing.content.setRole(space, 'eve', null)
    const listed = async (client = publishing.as('create')) =>
      (await client.listSites({ params, query: { space } })).items.map(({ id }) => id)
    expect([await listed(), await listed(publishing.as('create', 'eve'))]).toEqual([[site.id], []])
    publishing.content.setDeleted(space, true)
    expect(await listed()).toEqual([])
  })
})

describe('updateSiteById', () => {
  it('changes what is given and keeps the rest', async () => {
    const site = await aSite({ title: 'Before', spaces: [publishing.content.aSpace('One')] })
    const body = {
      title: 'After',
      visibility: 'unlisted' as const,
      basename: 'after',
      agentsContext: 'excluded' as const,
      adaptiveContent: { enabled: true },
      hostname: 'docs.after.test',
      proxy: 'after.test/docs',
    }
    const { hostname, proxy, ...same } = body
    const updated = await publishing.as('create').updateSiteById({ ...at(site.id), body })
    expect(updated).toMatchObject({
      ...same,
      hostname,
      proxy: { origin: proxy, target: 'docs.after.test' },
      siteSpaces: 1,
      createdAt: site.createdAt,
    })
    expect(schemas.validateReply('updateSiteById', 200, updated)).toEqual([])
    const cleared = await publishing
      .as('create')
      .updateSiteById({ ...at(site.id), body: { hostname: null, proxy: null } })
    expect([cleared.hostname, cleared.proxy, cleared.title]).toEqual([undefined, undefined, 'After'])
  })

  it('refuses addresses of other sites', async () => {
    const one = await aSite({ title: 'One' })
    const other = await aSite({ title: 'Other' })
    const hostname = 'docs.one.test'
    await publishing.as('create').updateSiteById({ ...at(one.id), body: { hostname, proxy: 'one.test/docs' } })
    for (const body of [{ basename: one.basename as string }, { hostname }, { proxy: 'One.test/docs' }])
      await expect(publishing.as('create').updateSiteById({ ...at(other.id), body })).rejects.toMatchObject({
        code: 'conflict',
        message: `body.${Object.keys(body)[0]}: is taken`,
      })
  })

  it('refuses hosts of the installation, and addresses at which another organization has a site', async () => {
    const theirs = { hostname: 'docs.theirs.test', proxy: 'theirs.test/docs' }
    await insertSite('another', theirs)
    const { id } = await aSite()
    const update = (body: object) => publishing.as('create').updateSiteById({ ...at(id), body })
    for (const body of [{ hostname: 'theirs.docs.test' }, { proxy: 'theirs.docs.test/install' }]) {
      const [path] = Object.keys(body).map(field => `body.${field}`)
      await expect(update(body)).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    }
    for (const body of [
      { hostname: 'docs.theirs.test' },
      { proxy: 'docs.theirs.test/install' },
      { proxy: 'theirs.test/docs/api' },
    ])
      await expect(update(body)).rejects.toMatchObject({
        code: 'conflict',
        message: `body.${Object.keys(body)[0]}: is taken`,
      })
    expect(await update({ proxy: 'theirs.test/help' })).toMatchObject({ proxy: { origin: 'theirs.test/help' } })
  })

  it('gives one of two organizations an address that both choose at once', async () => {
    const db = publishing.service.db
    const choose = (organizationId: string, proxy: string) =>
      insertSite(organizationId).then(site =>
        db.transaction(async tx => {
          await requireFreeAddresses(tx as never, site, {
            requestedAddresses: { proxy },
            sitesUrl: 'https://{basename}.docs.test',
          })
          await update(tx as never, site.id, { proxy })
        }),
      )
    const paths = ['at-once.test/docs', 'at-once.test/docs/a', 'at-once.test/docs/a/b']
    const results = await Promise.allSettled(paths.map((path, at) => choose(`organization ${at}`, path)))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('names faulty fields', async () => {
    const site = await aSite()
    const body = { basename: 'Upper', hostname: 'two.parts', proxy: 'nopath.test', title: 'x' }
    await expect(publishing.as('create').updateSiteById({ ...at(site.id), body })).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining(
        Object.keys(body).map(field => expect.objectContaining({ path: `body.${field}` })),
      ),
    })
  })

  it.each([
    ['basename', 'xn--a'],
    ['hostname', 'docs.xn--a.test'],
    ['hostname', '0x7f.0.0.11'],
    ['proxy', 'xn--a.test/docs'],
  ])('refuses a %s that no URL can have: %s', async (field, value) => {
    const site = await aSite()
    await expect(
      publishing.as('create').updateSiteById({ ...at(site.id), body: { [field]: value } }),
    ).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: `body.${field}` }] })
  })

  it('takes names in Punycode', async () => {
    const site = await aSite()
    const body = { basename: 'xn--nxasmq6b', hostname: 'docs.xn--nxasmq6b.test', proxy: 'xn--nxasmq6b.test/docs' }
    const changed = await publishing.as('create').updateSiteById({ ...at(site.id), body })
    expect(changed.urls.app).toBeDefined()
    expect(changed).toMatchObject({ basename: body.basename, hostname: body.hostname, proxy: { origin: body.proxy } })
  })

  it('chooses the default section and space, which must be of the site', async () => {
    const first = publishing.content.aSpace('First')
    const second = publishing.content.aSpace('Second')
    const site = await aSite({ spaces: [first, second] })
    const client = publishing.as('create')
    const { items } = await client.listSiteSpaces(at(site.id))
    await client.updateSiteById({ ...at(site.id), body: { defaultSiteSpace: items[1]?.id } })
    const siteSpaces = await client.listSiteSpaces({ ...at(site.id), query: { default: 'true' } })
    expect(siteSpaces.items.map(({ space }) => space.id)).toEqual([second])
    for (const field of ['defaultSiteSpace', 'defaultSiteSection'])
      await expect(client.updateSiteById({ ...at(site.id), body: { [field]: 'nothing' } })).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: `body.${field}` }],
      })
  })
})

describe('publishSite and unpublishSite', () => {
  it('give and take the published address', async () => {
    const site = await aSite({ title: 'Shown' })
    const published = await publishing.as('create').publishSite(at(site.id))
    expect(published).toMatchObject({ published: true, urls: { published: 'https://shown.docs.test/' } })
    expect(schemas.validateReply('publishSite', 200, published)).toEqual([])
    const unpublished = await publishing.as('create').unpublishSite(at(site.id))
    expect([unpublished.published, unpublished.urls.published]).toEqual([false, undefined])
    expect(schemas.validateReply('unpublishSite', 200, unpublished)).toEqual([])
    await expect(publishing.as('edit').publishSite(at(site.id))).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('deleteSiteById', () => {
  it('deletes for admins, and answers the same when there is no site', async () => {
    const site = await aSite({ spaces: [publishing.content.aSpace('Left')] })
    await expect(publishing.as('create').deleteSiteById(at(site.id))).rejects.toMatchObject({ code: 'forbidden' })
    await publishing.as('admin').deleteSiteById(at(site.id))
    await publishing.as('admin').deleteSiteById(at(site.id))
    await expect(publishing.as('admin').getSiteById(at(site.id))).rejects.toMatchObject(missing)
  })
})

it('a site is hidden from outsiders, guests and under another organization', async () => {
  const site = await aSite()
  for (const role of [undefined, null] as const)
    await expect(publishing.as(role).getSiteById(at(site.id))).rejects.toMatchObject(missing)
  await expect(
    publishing.as('admin').getSiteById({ params: { organizationId: 'another', siteId: site.id } }),
  ).rejects.toMatchObject(missing)
})
