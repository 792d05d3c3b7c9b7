import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { replySchemas } from '@recto/testing'
import { aPublishing, organization, type PublishingSetup } from '../../test/publishing-setup.ts'

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
