import { expect } from '@jest/globals'
import { createId } from '@recto/operation'
import type { Role } from '@recto/actor'
import type { TokenScope } from '@recto/contracts-shared'
import { anOrganization, type TestUser } from '../factories.ts'
import type { ScimSetup } from './endpoint.ts'

/** A user as clients send them. */
export const sentUser = (name: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@corp.test`,
  name: { givenName: name, familyName: 'Smith' },
  emails: [{ value: `${name}@corp.test`, type: 'work', primary: true }],
  active: true,
  ...more,
})

/** A token of a service account that provisions an organization. */
export async function aScimToken(
  { id: organizationId, admin }: { id: string; admin: TestUser },
  { role = 'admin', scopes = ['scim'] }: { role?: Role; scopes?: TokenScope[] } = {},
): Promise<string> {
  const client = await admin.client()
  const account = await client.createServiceAccount({
    params: { organizationId },
    body: { name: 'Provisioning', role },
  })
  const { token } = await client.createServiceAccountToken({
    params: { organizationId, serviceAccountId: account.id },
    body: { name: 'client', scopes },
  })
  return token
}

/** An organization with a client that provisions it. */
export async function aProvisionedOrganization(setup: ScimSetup, options?: { adminEmail: string }) {
  const organization = await anOrganization(setup.identity, options)
  const send = setup.as(await aScimToken(organization))
  const admin = await organization.admin.client()
  const create = async (body: object): Promise<string> => {
    const reply = await send({ method: 'POST', path: '/Users', body })
    expect([reply.status, reply.body]).toMatchObject([201, { id: expect.any(String) }])
    return reply.body.id
  }
  return {
    ...organization,
    send,
    create,
    createNamed: (name: string, more: object = {}) => create(sentUser(name, more)),
    patch: (id: string, ...Operations: object[]) =>
      send({ method: 'PATCH', path: `/Users/${id}`, body: { schemas: [], Operations } }),
    member: (userId: string) =>
      admin.getMemberInOrganizationById({ params: { organizationId: organization.id, userId } }),
  }
}

/** The ids of a list. */
export const idsOf = (reply: { body: { Resources: { id: string }[] } }) => reply.body.Resources.map(({ id }) => id)

/** A name that nobody has. */
export const unique = () => createId().toLowerCase()
