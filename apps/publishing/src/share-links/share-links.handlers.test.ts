import { busClient } from '@recto/bus'
import { publishingRpc } from '@recto/contracts-publishing-bus'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { replySchemas } from '@recto/testing'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()

let publishing: PublishingSetup
let params: { organizationId: string; siteId: string }
beforeAll(async () => {
  publishing = await aPublishing()
  const { id } = await publishing.as('create').createSite({ params: { organizationId: organization }, body: {} })
  params = { organizationId: organization, siteId: id }
})
afterAll(() => publishing.stop())

const client = () => publishing.as('create')
const link = (shareLinkId: string) => ({ ...params, shareLinkId })

it('share links are found by a part of their name or key', async () => {
  await client().publishSite({ params })
  const friends = await client().createSiteShareLink({ params, body: { name: 'My Friends' } })
  const family = await client().createSiteShareLink({ params, body: { name: 'Family' } })
  const search = async (text: string) =>
    (await client().listSiteShareLinks({ params, query: { search: text } })).items.map(({ id }) => id)
  const key = friends.urls.published?.split('/').at(-2) ?? ''
  expect(await search('my FRIENDS')).toEqual([friends.id])
  expect(await search(key.slice(3, 12))).toEqual([friends.id])
  expect(await search('')).toEqual([family.id, friends.id])
  expect(await search('%')).toEqual([])
  for (const shareLinkId of [friends.id, family.id])
    await client().deleteSiteShareLinkById({ params: link(shareLinkId) })
  await client().unpublishSite({ params })
})

it('share links are created, listed, renamed, revoked and deleted', async () => {
  const created = await client().createSiteShareLink({ params, body: { name: 'Friends' } })
  expect(schemas.validateReply('createSiteShareLink', 201, created)).toEqual([])
  expect(created).toMatchObject({ object: 'share-link', name: 'Friends', active: true, urls: {} })
  const { basename } = await client().publishSite({ params })
  const listed = await client().listSiteShareLinks({ params })
  expect(schemas.validateReply('listSiteShareLinks', 200, listed)).toEqual([])
  expect(listed.items[0]?.urls.published).toMatch(new RegExp(`^https://${basename}\\.docs\\.test/\\w{20}/$`))

  const revoked = await client().updateSiteShareLinkById({ params: link(created.id), body: { active: false } })
  expect(schemas.validateReply('updateSiteShareLinkById', 200, revoked)).toEqual([])
  expect(revoked).toMatchObject({ name: 'Friends', active: false })
  const renamed = await client().updateSiteShareLinkById({ params: link(created.id), body: { name: 'Family' } })
  expect(renamed).toMatchObject({ name: 'Family', active: false })
  await expect(client().updateSiteShareLinkById({ params: link(created.id), body: {} })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await client().deleteSiteShareLinkById({ params: link(created.id) })
  await client().deleteSiteShareLinkById({ params: link(created.id) })
  await expect(
    client().updateSiteShareLinkById({ params: link(created.id), body: { active: true } }),
  ).rejects.toMatchObject({ code: 'not_found', message: 'There is no such share link' })
})

describe('the tokens of a site', () => {
  const closedVersion = async () => {
    const { sites } = await busClient(publishing.gateway, publishingRpc, { service: 'publishing' }).listClosedSites({
      body: {},
    })
    return sites.find(({ site }) => site === params.siteId)?.closedVersion ?? 0
  }
  const aLink = async (active: boolean) => {
    const { id } = await client().createSiteShareLink({ params, body: { name: 'Friends' } })
    if (!active) await client().updateSiteShareLinkById({ params: link(id), body: { active } })
    return id
  }
  const update = (id: string, body: { name?: string; active?: boolean }) =>
    client().updateSiteShareLinkById({ params: link(id), body })

  it.each<[string, boolean, boolean, (id: string) => Promise<unknown>]>([
    ['a rename', true, false, id => update(id, { name: 'Family' })],
    ['a rename with `active` as it is', true, false, id => update(id, { name: 'Family', active: true })],
    ['a revocation', true, true, id => update(id, { active: false })],
    ['a revocation with a rename', true, true, id => update(id, { name: 'Family', active: false })],
    ['a second revocation', false, false, id => update(id, { active: false })],
    ['a reactivation', false, false, id => update(id, { active: true })],
    ['a deletion', true, true, id => client().deleteSiteShareLinkById({ params: link(id) })],
    ['the deletion of a revoked link', false, false, id => client().deleteSiteShareLinkById({ params: link(id) })],
    ['the deletion of no link', true, false, () => client().deleteSiteShareLinkById({ params: link('nothing') })],
  ])('after %s of a link (active: %s) have ended: %s', async (_case, active, isClosing, change) => {
    const id = await aLink(active)
    const before = await closedVersion()
    await change(id)
    expect((await closedVersion()) > before).toBe(isClosing)
  })
})

it('share links are secrets: they are shown to those who can create them', async () => {
  for (const role of ['read', 'review'] as const)
    await expect(publishing.as(role).listSiteShareLinks({ params })).rejects.toMatchObject({ code: 'forbidden' })
})

it('a link of another site is none of this one', async () => {
  const other = await client().createSite({ params: { organizationId: organization }, body: {} })
  const { id } = await client().createSiteShareLink({ params: { ...params, siteId: other.id }, body: { name: '' } })
  await expect(client().updateSiteShareLinkById({ params: link(id), body: { active: false } })).rejects.toMatchObject({
    code: 'not_found',
  })
})
