import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, signedIn, type TestUser } from '../test/factories.ts'
import { aContentResponder } from '../test/content-responder.ts'
import { aPublishingResponder } from '../test/publishing-responder.ts'
import { adminToken, anIdentity, type IdentityClient, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

interface Accounts {
  organization: string
  admin: TestUser
  client: IdentityClient
  params: { organizationId: string }
}

async function accounts(): Promise<Accounts> {
  const { id, admin } = await anOrganization(identity)
  return { organization: id, admin, client: await admin.client(), params: { organizationId: id } }
}

/** A service account with a token of these scopes. */
async function anAccount(
  { client, params }: Accounts,
  role: 'read' | 'edit' | 'admin' | null,
  scopes: ('read' | 'admin' | 'space:read' | 'organization:read')[] = ['admin'],
) {
  const { id } = await client.createServiceAccount({ params, body: { name: 'Indexer', role } })
  const account = { ...params, serviceAccountId: id }
  const { token, ...created } = await client.createServiceAccountToken({
    params: account,
    body: { name: 'job', scopes },
  })
  return { id, account, token, tokenId: created.id }
}

it('A token of a service account is limited to what the account sees, and not to what its admin sees alone', async () => {
  const content = await aContentResponder(identity)
  const publishing = await aPublishingResponder(identity)
  const owned = await accounts()
  const { account, id } = await anAccount(owned, null)
  const space = content.aSpace(owned.organization)
  const issue = () =>
    owned.client.createServiceAccountToken({
      params: account,
      body: { name: 'agent', limitedTo: { spaces: [space], collections: [], sites: [] } },
    })
  await expect(issue()).rejects.toMatchObject({ code: 'not_found', details: [{ path: 'body.limitedTo.spaces.0' }] })
  content.grant(space, id)
  expect((await issue()).limitedTo?.spaces).toEqual([space])
  await publishing.stop()
  await content.stop()
})

describe('A service account', () => {
  it('belongs to its organization with its role, without single sign-on, and to no other', async () => {
    const owned = await accounts()
    const { id, token } = await anAccount(owned, 'edit', ['space:read'])
    await owned.client.updateOrganizationById({ params: owned.params, body: { sso: true } })
    expect(await identity.actorOf(token)).toEqual({
      userId: id,
      platformAdmin: false,
      scopes: ['space:read'],
      memberships: [{ organization: owned.organization, role: 'edit', teams: [] }],
      serviceAccount: owned.organization,
    })
  })

  it('creates and joins no organization, and signs nobody in', async () => {
    const owned = await accounts()
    const { id, token } = await anAccount(owned, 'admin')
    const client = await identity.as(token)
    expect(await failure(client.createOrganization({ body: { title: 'Mine' } }))).toBe('forbidden')
    const other = await accounts()
    expect(await failure(client.joinOrganization({ params: other.params }))).toBe('forbidden')
    const params = { ...owned.params, userId: id }
    expect(await failure(owned.client.setUserAsSSOMemberForOrganization({ params }))).toBe('not_found')
  })

  it('has an e-mail that no platform administrator, and no invite of another organization, makes a person of', async () => {
    const owned = await accounts()
    const other = await accounts()
    const { id, token } = await anAccount(owned, 'read')
    const { email } = await (await identity.as(token)).getAuthenticatedUser()
    const admin = await identity.as(adminToken)
    expect(await failure(admin.createUser({ body: { email: email ?? '', displayName: 'Eve' } }))).toBe('conflict')
    await other.client.inviteUsersToOrganization({
      params: other.params,
      body: { emails: [email ?? ''], role: 'admin' },
    })
    const actor = await identity.actorOf(token)
    expect([actor?.userId, actor?.memberships.map(({ organization }) => organization)]).toEqual([
      id,
      [owned.organization],
    ])
  })

  it('is made, changed and given tokens by admins alone', async () => {
    const owned = await accounts()
    const { account, tokenId } = await anAccount(owned, 'read')
    const member = await (await aMember(identity, owned.organization, 'create')).client()
    const outsider = (await accounts()).client
    const attempts = (client: IdentityClient) => [
      client.listServiceAccounts({ params: owned.params }),
      client.createServiceAccount({ params: owned.params, body: { name: 'Mine' } }),
      client.getServiceAccount({ params: account }),
      client.updateServiceAccount({ params: account, body: { role: 'admin' } }),
      client.listServiceAccountTokens({ params: account }),
      client.createServiceAccountToken({ params: account, body: { name: 'mine' } }),
      client.deleteServiceAccountToken({ params: { ...account, tokenId } }),
      client.deleteServiceAccount({ params: account }),
    ]
    expect(new Set(await Promise.all(attempts(member).map(failure)))).toEqual(new Set(['forbidden']))
    expect(new Set(await Promise.all(attempts(outsider).map(failure)))).toEqual(new Set(['not_found']))
    expect(await owned.client.listServiceAccounts({ params: owned.params })).toMatchObject({
      count: 1,
      items: [{ object: 'service-account', name: 'Indexer', role: 'read' }],
    })
  })

  it('has tokens with no more scopes than that of the admin who issues them, which outlive it', async () => {
    const owned = await accounts()
    const { account } = await anAccount(owned, 'read')
    const admin = await signedIn(identity, owned.organization, owned.admin)
    const issued = await admin.createServiceAccountToken({ params: account, body: { name: 'job' } })
    expect(issued.expiresAt).toBeUndefined()
    const { token } = await owned.client.createToken({
      body: { name: 'narrow', scopes: ['organization:service-accounts:write', 'space:read'] },
    })
    const narrow = await identity.as(token)
    const issue = (scopes: ('read' | 'space:read' | 'space:write')[]) =>
      narrow.createServiceAccountToken({ params: account, body: { name: 'job', scopes } })
    expect(await failure(issue(['space:write']))).toBe('forbidden')
    expect(await failure(issue(['read']))).toBe('forbidden')
    expect((await issue(['space:read'])).scopes).toEqual(['space:read'])
  })

  it('can do nothing any more once a token is revoked, it is deleted, or it is removed as a member', async () => {
    const owned = await accounts()
    const revoked = await anAccount(owned, 'read')
    const deleted = await anAccount(owned, 'read')
    const removed = await anAccount(owned, 'admin')
    await owned.client.deleteServiceAccountToken({ params: { ...revoked.account, tokenId: revoked.tokenId } })
    await owned.client.deleteServiceAccount({ params: deleted.account })
    await owned.client.removeMemberFromOrganizationById({ params: { ...owned.params, userId: removed.id } })
    for (const { token } of [revoked, deleted, removed]) expect(await identity.actorOf(token)).toBeNull()
    expect(await failure(owned.client.getServiceAccount({ params: deleted.account }))).toBe('not_found')
    const { items } = await owned.client.listServiceAccounts({ params: owned.params })
    expect(items.map(({ id }) => id)).toEqual([revoked.id])
  })

  it('does not count as an admin who remains', async () => {
    const owned = await accounts()
    await anAccount(owned, 'admin')
    const params = { ...owned.params, userId: owned.admin.id }
    expect(await failure(owned.client.removeMemberFromOrganizationById({ params }))).toBe('conflict')
  })

  it('keeps the role that an admin gives it, from its next request on', async () => {
    const owned = await accounts()
    const { account, token } = await anAccount(owned, null)
    const changed = await owned.client.updateServiceAccount({ params: account, body: { role: 'read', name: 'Reader' } })
    expect(changed).toMatchObject({ role: 'read', name: 'Reader' })
    expect((await identity.actorOf(token))?.memberships).toMatchObject([{ role: 'read' }])
  })
})
