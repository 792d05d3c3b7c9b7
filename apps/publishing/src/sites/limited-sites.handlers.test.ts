import { eventually, failure } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

let publishing: PublishingSetup
let identity: IdentityResponder
beforeAll(async () => {
  publishing = await aPublishing()
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})

const admin = () => publishing.as('admin')
let spaces: string[]
let params: { organizationId: string; siteId: string }
let ids: { siteSpace: string; draft: string; shareLink: string }
beforeEach(async () => {
  spaces = ['Manual', 'Secrets', 'Draft'].map(title => publishing.content.aSpace(title))
  const at = { organizationId: organization }
  const body = { spaces: spaces.slice(0, 2), visibility: 'share-link' as const, title: 'Docs' }
  params = { ...at, siteId: (await admin().createSite({ params: at, body })).id }
  const [siteSpace] = (await admin().listSiteSpaces({ params })).items
  const draft = await admin().addSpaceToSite({ params, body: { spaceId: spaces[2] ?? '', draft: true } })
  const link = await admin().createSiteShareLink({ params, body: { name: 'For Ada' } })
  ids = { siteSpace: siteSpace?.id ?? '', draft: draft.id, shareLink: link.id }
  const condition = 'visitor.claims.x == 1'
  await admin().updateSiteSpaceById({ params: { ...params, siteSpaceId: ids.siteSpace }, body: { condition } })
})

type Client = ReturnType<typeof admin>
const limited = (...of: string[]) => publishing.asLimited({ spaces: of, collections: [], sites: [params.siteId] })
const siteSpaceAt = (siteSpaceId: string) => ({ ...params, siteSpaceId })
const linkAt = () => ({ ...params, shareLinkId: ids.shareLink })
const publish = () => admin().publishSite({ params })

/** All that is stored of a site, as its admin reads it. */
const readAll = async () =>
  JSON.stringify(
    await Promise.all([
      admin().getSiteById({ params }),
      admin().getSiteStructure({ params }),
      admin().listSiteShareLinks({ params }),
      admin().listUserPermissionsInSite({ params }),
    ]),
  )

/** The code of a refusal, which changes nothing. */
async function refused(attempt: () => Promise<unknown>): Promise<string | undefined> {
  const before = await readAll()
  const code = await failure(attempt())
  if (code !== undefined) expect(await readAll()).toBe(before)
  return code
}

const opening: [string, (client: Client) => Promise<unknown>, { isPublished?: boolean }?][] = [
  ['publishing', client => client.publishSite({ params })],
  [
    'a wider visibility',
    client => client.updateSiteById({ params, body: { visibility: 'public' } }),
    { isPublished: true },
  ],
  [
    'no condition',
    client => client.updateSiteSpaceById({ params: siteSpaceAt(ids.siteSpace), body: { condition: null } }),
    { isPublished: true },
  ],
  [
    'a draft made live',
    client => client.updateSiteSpaceById({ params: siteSpaceAt(ids.draft), body: { draft: false } }),
  ],
  ['a share link', client => client.createSiteShareLink({ params, body: { name: 'More' } })],
  ['the key of visitors', client => client.getSitePublishingAuthById({ params })],
  ['another key of visitors', client => client.regenerateSitePublishingAuthById({ params, body: { revoke: false } })],
  [
    'how visitors sign in',
    client => client.updateSitePublishingAuthById({ params, body: { fallbackURL: 'https://a.test' } }),
  ],
]

describe('a token that is limited to a site', () => {
  it.each(opening)('opens the spaces that it shows only with these: %s', async (_name, call, { isPublished } = {}) => {
    if (isPublished) await publish()
    expect(await refused(() => call(limited()))).toBe('forbidden')
    await expect(call(limited())).rejects.toMatchObject({ message: expect.stringContaining('needs a token for that') })
    expect(await refused(() => call(limited(...spaces)))).toBeUndefined()
  })

  it('activates no link, and learns no key', async () => {
    await publish()
    await admin().updateSiteShareLinkById({ params: linkAt(), body: { active: false } })
    const activate = (client: Client) => client.updateSiteShareLinkById({ params: linkAt(), body: { active: true } })
    expect(await refused(() => activate(limited()))).toBe('forbidden')
    expect((await activate(limited(...spaces))).urls.published).toBeDefined()
    const urlsFor = async (client: Client) =>
      (await client.listSiteShareLinks({ params })).items.map(({ urls }) => urls.published)
    expect([await urlsFor(limited()), await urlsFor(limited(...spaces))]).toEqual([[undefined], await urlsFor(admin())])
  })

  it('lets nobody in who signs in as a member', async () => {
    await admin().updateSiteById({ params, body: { visibility: 'visitor-auth' } })
    const grant = (client: Client) =>
      client.inviteToSite({ params, body: { role: 'read', users: ['a-member'] } } as never)
    expect(await refused(() => grant(limited()))).toBe('forbidden')
  })

  it('runs the site: its settings, its structure, and what closes something', async () => {
    await publish()
    const client = limited()
    await client.updateSiteById({ params, body: { title: 'Better', visibility: 'visitor-auth' } })
    const renamed = await client.updateSiteSpaceById({ params: siteSpaceAt(ids.siteSpace), body: { title: 'Guide' } })
    expect(renamed).toMatchObject({ title: 'Guide', space: { id: spaces[0] } })
    const body = { position: { after: { type: 'site-space' as const, siteSpace: ids.draft } } }
    await client.moveSiteSpace({ params: siteSpaceAt(ids.siteSpace), body } as never)
    await client.updateSiteShareLinkById({ params: linkAt(), body: { active: false } })
    await client.unpublishSite({ params })
    await client.deleteSiteSpaceById({ params: siteSpaceAt(ids.siteSpace) })
    expect((await client.getSiteById({ params })).siteSpaces).toBe(2)
  })

  it('lists the structure of the site, as its owner sees it', async () => {
    const [, secrets = ''] = spaces
    const titles = async (client: Client) =>
      (await client.listSiteSpaces({ params })).items.map(({ space, title }) => [space.id, title])
    expect(await titles(limited())).toEqual(await titles(admin()))
    expect(await titles(limited())).toHaveLength(3)
    publishing.content.setRole(secrets, 'a-admin', null)
    expect(await titles(limited())).toHaveLength(2)
  })

  it('adds no space that it is not for', async () => {
    const spaceId = publishing.content.aSpace('Other')
    const adding = (client: Client) => client.addSpaceToSite({ params, body: { spaceId } })
    expect(await refused(() => adding(limited(...spaces)))).toBe('not_found')
    const instead = () => limited().updateSiteSpaceById({ params: siteSpaceAt(ids.siteSpace), body: { spaceId } })
    expect(await refused(instead)).toBe('not_found')
    expect(await refused(() => adding(limited(spaceId)))).toBeUndefined()
  })
})

describe('who manages a site, and cannot read a space that it shows', () => {
  const writes: [string, (client: Client) => Promise<unknown>][] = [
    ['update', client => client.updateSiteSpaceById({ params: siteSpaceAt(ids.siteSpace), body: { title: 'New' } })],
    [
      'move',
      client =>
        client.moveSiteSpace({
          params: siteSpaceAt(ids.siteSpace),
          body: { position: { after: { type: 'site-space', siteSpace: ids.draft } } },
        } as never),
    ],
    [
      'sort',
      client =>
        client.sortSiteStructure({
          params,
          body: {
            item: { type: 'site-space', id: ids.siteSpace },
            position: { after: { type: 'site-space', id: ids.draft } },
          },
        } as never),
    ],
    ['duplicate', client => client.duplicateSiteSpace({ params: siteSpaceAt(ids.siteSpace), body: { draft: true } })],
  ]

  it.each(writes)('is refused before anything changes: %s', async (_name, call) => {
    const [first = ''] = spaces
    publishing.content.setRole(first, 'a-create', null)
    expect(await refused(() => call(publishing.as('create')))).toBe('not_found')
  })

  it.each(writes)('is refused for a space in the trash before anything changes: %s', async (_name, call) => {
    const [first = ''] = spaces
    publishing.content.setDeleted(first, true)
    await eventually(async () => expect(await refused(() => call(publishing.as('create')))).toBe('not_found'))
  })
})
