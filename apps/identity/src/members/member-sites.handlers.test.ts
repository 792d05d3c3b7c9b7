import { busClient } from '@recto/bus'
import { peopleCalls } from '@recto/contracts-identity-bus'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { aPublishingResponder, type PublishingResponder } from '../test/publishing-responder.ts'

const schemas = replySchemas()

let identity: IdentitySetup
let publishing: PublishingResponder
beforeAll(async () => {
  identity = await anIdentity()
  publishing = await aPublishingResponder(identity)
})
afterAll(async () => {
  await publishing.stop()
  await identity.stop()
})

it('Members have the number of sites that they see, as publishing counts them', async () => {
  const organization = await anOrganization(identity)
  for (let count = 0; count < 3; count++) publishing.aSite(organization.id)
  const client = await organization.admin.client()
  const page = await client.listMembersInOrganizationById({ params: { organizationId: organization.id } })
  expect(schemas.validateReply('listMembersInOrganizationById', 200, page)).toEqual([])
  expect(page.items.map(({ sites }) => sites)).toEqual([3])
})

it('Members have no sites while publishing does not answer', async () => {
  const organization = await anOrganization(identity)
  publishing.aSite(organization.id)
  await publishing.stop()
  const client = await organization.admin.client()
  const page = await client.listMembersInOrganizationById({ params: { organizationId: organization.id } })
  expect(page.items.map(({ sites }) => sites)).toEqual([0])
  publishing = await aPublishingResponder(identity)
})

it('searchMemberships finds members by name or e-mail, with their teams and times', async () => {
  const organization = await anOrganization(identity)
  const guest = await aMember(identity, organization.id, null)
  const team = await aTeam(identity, organization, { members: [guest] })
  const bus = await identity.connectAs('publishing')
  const people = busClient(bus, peopleCalls, { service: 'identity' })
  const search = async (text?: string) => {
    const { members } = await people.searchMemberships({ body: { organization: organization.id, search: text } })
    return members
  }
  expect((await search()).map(({ user }) => user).toSorted()).toEqual([organization.admin.id, guest.id].toSorted())
  expect(await search(guest.email.toUpperCase())).toEqual([
    { user: guest.id, role: null, teams: [team], name: expect.any(String), joinedAt: expect.any(String) },
  ])
  expect(await search('nobody@nowhere')).toEqual([])
  await bus.drain()
})
