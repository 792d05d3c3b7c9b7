import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aUser, signedIn, type TestUser } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { aScimEndpoint, type SendScim } from '../test/scim-endpoint.ts'

let identity: IdentitySetup
let endpoint: Awaited<ReturnType<typeof aScimEndpoint>>
let organization: { id: string; admin: TestUser }
let send: SendScim
beforeAll(async () => {
  identity = await anIdentity()
  endpoint = await aScimEndpoint(identity)
  organization = await anOrganization(identity)
  send = endpoint.as(organization.admin.token)
})
afterAll(async () => {
  await endpoint.stop()
  await identity.stop()
})

const user = (name: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@corp.test`,
  name: { givenName: name, familyName: 'Smith' },
  emails: [{ value: `${name}@corp.test`, type: 'work', primary: true }],
  active: true,
  ...more,
})
const create = async (name: string, more: object = {}) => {
  const reply = await send({ method: 'POST', path: '/Users', body: user(name, more) })
  expect([reply.status, reply.body]).toMatchObject([201, { id: expect.any(String) }])
  return reply.body as { id: string }
}
const patch = (id: string, ...Operations: object[]) =>
  send({
    method: 'PATCH',
    path: `/Users/${id}`,
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations },
  })

it('A user who is created is a member of the organization, with the attributes that were sent', async () => {
  const sent = user('ann', { externalId: '00u1', title: 'Tour guide', nickName: 'A', 'urn:custom:1.0:User': { a: 1 } })
  const { status, headers, body } = await send({ method: 'POST', path: '/Users', body: sent })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`http://recto.test/scim/v2/Users/${body.id}`)
  expect(headers.get('etag')).toBe(body.meta.version)
  expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
  expect(body).toMatchObject({ ...sent, schemas: [...sent.schemas, 'urn:custom:1.0:User'] })
  expect((await send({ path: `/Users/${body.id}` })).body).toEqual(body)
  const admin = await organization.admin.client()
  const member = await admin.getMemberInOrganizationById({
    params: { organizationId: organization.id, userId: body.id },
  })
  expect(member).toMatchObject({ sso: true, disabled: false, role: 'read', user: { displayName: 'ann Smith' } })
})
