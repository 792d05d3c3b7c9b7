import { query, transact } from '@recto/database'
import { createId } from '@recto/operation'
import type { AdminCommand } from '@recto/service'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { aSignOn } from '../test/saml/sign-on.ts'
import { clientSecrets } from './client-secrets.ts'
import { reencryptSecrets } from './reencrypt-secrets.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

const secret = 'hunter2-hunter2'
const complete = {
  label: 'Entra',
  issuer: 'https://idp.test',
  clientID: 'recto',
  clientSecret: secret,
  emailDomains: ['recto.test'],
}

async function aProvider(body: Partial<typeof complete> = {}) {
  const organization = await anOrganization(identity)
  const client = await organization.admin.client()
  const made = await client.createOidcProvider({
    params: { organizationId: organization.id },
    body: { ...complete, ...body },
  })
  return { organization, client, made, params: { organizationId: organization.id, oidcProviderId: made.id } }
}

/** The events of the record that are about a provider. */
async function recordsOf(provider: string): Promise<string[]> {
  const rows = await query<{ payload: string }>(
    identity.service.db,
    `select payload::text from outbox where payload::text like '%oidc-provider.%' and payload::text like $1
     order by (payload->>'number')::int`,
    [`%${provider}%`],
  )
  return rows.map(({ payload }) => payload)
}

describe('An OpenID provider', () => {
  it('is pending with only a label, and returns the data for configuring the provider', async () => {
    const organization = await anOrganization(identity)
    const client = await organization.admin.client()
    const params = { organizationId: organization.id }
    const made = await client.createOidcProvider({ params, body: { label: 'Entra' } })
    const location = `http://recto.test/v1/orgs/${organization.id}/oidc/${made.id}`
    expect(made).toEqual({
      object: 'oidc-provider',
      id: made.id,
      label: 'Entra',
      issuer: '',
      clientID: '',
      hasClientSecret: false,
      emailDomains: [],
      scopes: ['openid', 'email', 'profile'],
      defaultRole: 'read',
      createdAt: expect.any(String),
      status: 'pending',
      service: {
        startURL: `${location}/start`,
        redirectURL: `${location}/callback`,
        backchannelLogoutURL: `${location}/backchannel-logout`,
      },
      urls: { location },
    })
    expect(await client.getOidcProvider({ params: { ...params, oidcProviderId: made.id } })).toEqual(made)
  })

  it('is active when it is complete, and has its secret in no reply and no record', async () => {
    const { client, params, made } = await aProvider()
    expect(made).toMatchObject({ status: 'active', hasClientSecret: true })
    const updated = await client.updateOidcProvider({ params, body: { label: 'New', clientSecret: 'hunter3-hunter3' } })
    const { items } = await client.listOidcProvidersInOrganization({ params, query: {} })
    const records = await recordsOf(made.id)
    expect(records).toHaveLength(2)
    expect(records[1]).toContain('clientSecret')
    expect(JSON.stringify([made, updated, items, records])).not.toMatch(/hunter/)
    expect(await client.updateOidcProvider({ params, body: { clientSecret: '' } })).toMatchObject({
      status: 'pending',
      hasClientSecret: false,
    })
  })

  it('keeps its secret from another issuer', async () => {
    const { client, params, made } = await aProvider()
    const change = (body: { issuer: string; clientSecret?: string }) => client.updateOidcProvider({ params, body })
    await expect(change({ issuer: 'https://evil.test' })).rejects.toMatchObject({
      details: [{ path: 'body.clientSecret' }],
    })
    expect(await client.getOidcProvider({ params })).toEqual(made)
    expect(await change({ issuer: 'https://next.test', clientSecret: 'other' })).toMatchObject({ status: 'active' })
  })

  it('assigns a role and a team, which can be cleared, and loses a team that is deleted', async () => {
    const { organization, client, params } = await aProvider()
    const teamId = await aTeam(identity, organization, { title: 'Newcomers' })
    const changed = await client.updateOidcProvider({ params, body: { defaultRole: 'edit', defaultTeam: teamId } })
    expect(changed).toMatchObject({ defaultRole: 'edit', defaultTeam: { id: teamId, title: 'Newcomers' } })
    await client.removeTeamFromOrganizationById({ params: { organizationId: organization.id, teamId } })
    expect((await client.getOidcProvider({ params })).defaultTeam).toBeUndefined()
    expect((await client.updateOidcProvider({ params, body: { defaultRole: null } })).defaultRole).toBeNull()
  })

  it('is listed newest first, in pages', async () => {
    const { client, params, made } = await aProvider()
    const second = await client.createOidcProvider({ params, body: { label: 'Okta' } })
    const first = await client.listOidcProvidersInOrganization({ params, query: { limit: 1 } })
    expect(first).toMatchObject({ items: [second], count: 2 })
    const rest = await client.listOidcProvidersInOrganization({ params, query: { page: first.next?.page } })
    expect(rest).toEqual({ items: [made], count: 2 })
  })

  it('is deleted, and a second time without an error', async () => {
    const { client, params } = await aProvider()
    await client.deleteOidcProvider({ params })
    await client.deleteOidcProvider({ params })
    expect(await failure(client.getOidcProvider({ params }))).toBe('not_found')
  })

  it.each<[string, Record<string, unknown>, string, string]>([
    ['no label', { label: '' }, 'invalid_request', 'body.label'],
    ['an issuer without TLS', { issuer: 'http://idp.test' }, 'invalid_request', 'body.issuer'],
    ['an issuer that is no URL', { issuer: 'idp.test' }, 'invalid_request', 'body.issuer'],
    ['a domain with a wildcard', { emailDomains: ['*.test'] }, 'invalid_request', 'body.emailDomains.0'],
    ['an e-mail as a domain', { emailDomains: ['a@b.test'] }, 'invalid_request', 'body.emailDomains.0'],
    ['a scope with a space', { scopes: ['a b'] }, 'invalid_request', 'body.scopes.0'],
    ['a team of nobody', { defaultTeam: createId() }, 'not_found', 'body.defaultTeam'],
  ])('with %s is refused, and changes nothing', async (_what, body, code, path) => {
    const { organization, client, params, made } = await aProvider()
    const create = { params: { organizationId: organization.id }, body: { ...complete, ...body } }
    await expect(client.createOidcProvider(create)).rejects.toMatchObject({ code, details: [{ path }] })
    await expect(client.updateOidcProvider({ params, body })).rejects.toMatchObject({ code, details: [{ path }] })
    const { items } = await client.listOidcProvidersInOrganization({ params, query: {} })
    expect(items).toEqual([made])
  })

  it('is for admins alone, of its organization', async () => {
    const { organization, params } = await aProvider()
    const member = await (await aMember(identity, organization.id, 'create')).client()
    const stranger = await (await anOrganization(identity)).admin.client()
    for (const [client, code] of [
      [member, 'forbidden'],
      [stranger, 'not_found'],
    ] as const) {
      expect(await failure(client.listOidcProvidersInOrganization({ params, query: {} }))).toBe(code)
      expect(await failure(client.createOidcProvider({ params, body: { label: 'Mine' } }))).toBe(code)
      expect(await failure(client.getOidcProvider({ params }))).toBe(code)
      expect(await failure(client.updateOidcProvider({ params, body: {} }))).toBe(code)
      expect(await failure(client.deleteOidcProvider({ params }))).toBe(code)
    }
  })

  it('that is pending starts nothing, completes nothing and signs nobody out', async () => {
    const { params } = await aProvider({ emailDomains: [] })
    const anybody = await identity.as('nobody')
    expect(await failure(anybody.startOidcSignIn({ params }))).toBe('not_found')
    expect(await failure(anybody.completeOidcSignIn({ params, query: {} }))).toBe('not_found')
    expect(await failure(anybody.startOidcLogout({ params }))).toBe('not_found')
    expect(await failure(anybody.receiveOidcLogout({ params, body: { logout_token: 'a' } }))).toBe('not_found')
  })
})

it('Providers of SAML and of OpenID that are active are listed together with where a sign-in starts', async () => {
  const { organization, client, params, made } = await aProvider()
  const saml = await aSignOn(identity, { organization })
  await client.createOidcProvider({ params, body: { label: 'Later' } })
  const { items } = await client.listSSOProviderLoginsInOrganization({ params })
  const samlLogin = {
    id: saml.provider,
    label: 'Okta',
    startURL: expect.stringContaining(`/saml/${saml.provider}/start`),
  }
  expect(items).toEqual([samlLogin, { id: made.id, label: 'Entra', startURL: made.service.startURL }])
})

it('Secrets are encrypted with the present secret of the installation by a command', async () => {
  const { made } = await aProvider()
  const { db } = identity.service
  const former = 'a-former-secret-of-32-characters-or-more-for-tests'
  await query(db, 'update oidc_providers set client_secret = $2 where id = $1', [
    made.id,
    clientSecrets.seal(secret, made.id, [former]),
  ])
  const present = 'the-present-secret-of-32-characters-for-tests'
  const printed: string[] = []
  await query(db, 'update oidc_providers set client_secret = null where id <> $1', [made.id])
  const context: Parameters<AdminCommand>[1] = {
    db,
    print: line => void printed.push(line),
    transaction: work => transact(db, () => undefined, work),
  }
  await reencryptSecrets([present, former])([], context)
  const [row] = await query<{ sealed: Buffer }>(
    db,
    'select client_secret as sealed from oidc_providers where id = $1',
    [made.id],
  )
  expect(clientSecrets.unseal(row?.sealed ?? Buffer.from(''), made.id, [present])).toBe(secret)
  expect(printed).toEqual(['The client secrets of 1 OpenID providers are encrypted with the present secret.'])
})
