import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser, type TestUser } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { aKeyPair } from '../test/saml/certificate.ts'
import { readRequest, ssoURL } from '../test/saml/identity-provider.ts'
import { aSignOn } from '../test/saml/sign-on.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

const { certificate, key } = aKeyPair()
const complete = { label: 'Okta', ssoURL, entityID: 'https://idp.test', certificate }

async function aProvider(body: Partial<typeof complete> = {}) {
  const organization = await anOrganization(identity)
  const client = await organization.admin.client()
  const made = await client.createOrganizationSAMLProvider({
    params: { organizationId: organization.id },
    body: { ...complete, ...body },
  })
  return { organization, client, made, params: { organizationId: organization.id, samlProviderId: made.id } }
}

describe('a SAML provider', () => {
  it('is pending with only a label, and returns the data for configuring the identity provider', async () => {
    const organization = await anOrganization(identity)
    const client = await organization.admin.client()
    const made = await client.createOrganizationSAMLProvider({
      params: { organizationId: organization.id },
      body: { label: 'Okta' },
    })
    const location = `http://recto.test/v1/orgs/${organization.id}/saml/${made.id}`
    expect(made).toEqual({
      object: 'saml-provider',
      id: made.id,
      label: 'Okta',
      ssoURL: 'about:blank',
      entityID: '',
      certificate: '',
      defaultRole: 'read',
      createdAt: expect.any(String),
      status: 'pending',
      service: { startURL: `${location}/start`, acsURL: `${location}/acs`, entityID: `${location}/metadata` },
      urls: { location },
    })
    expect(
      await client.getOrganizationSAMLProviderById({
        params: { organizationId: organization.id, samlProviderId: made.id },
      }),
    ).toEqual(made)
  })

  it('is active with entity id, address and a usable certificate, and pending without one of them', async () => {
    const { client, params, made } = await aProvider({ certificate: '' })
    expect(made).toMatchObject({ status: 'pending', certificate: '' })
    expect(await client.updateOrganizationSAMLProvider({ params, body: { certificate } })).toMatchObject({
      ...complete,
      status: 'active',
    })
    expect(await client.updateOrganizationSAMLProvider({ params, body: { label: 'Entra' } })).toMatchObject({
      ...complete,
      label: 'Entra',
      status: 'active',
    })
    expect(await client.updateOrganizationSAMLProvider({ params, body: { entityID: '' } })).toMatchObject({
      entityID: '',
      status: 'pending',
    })
  })

  it('assigns a role and a team, which can be cleared', async () => {
    const { organization, client, params } = await aProvider()
    const team = await aTeam(identity, organization, { title: 'Newcomers' })
    const changed = await client.updateOrganizationSAMLProvider({
      params,
      body: { defaultRole: 'edit', defaultTeam: team },
    })
    expect(changed).toMatchObject({
      defaultRole: 'edit',
      defaultTeam: { object: 'team', id: team, title: 'Newcomers' },
    })
    const cleared = await client.updateOrganizationSAMLProvider({
      params,
      body: { defaultRole: null, defaultTeam: null },
    })
    expect([cleared.defaultRole, cleared.defaultTeam]).toEqual([null, undefined])
  })

  it('loses its default team when the team is deleted', async () => {
    const { organization, client, params } = await aProvider()
    const teamId = await aTeam(identity, organization)
    await client.updateOrganizationSAMLProvider({ params, body: { defaultTeam: teamId } })
    await client.removeTeamFromOrganizationById({ params: { organizationId: organization.id, teamId } })
    expect((await client.getOrganizationSAMLProviderById({ params })).defaultTeam).toBeUndefined()
  })

  it('is listed newest first, in pages', async () => {
    const {
      organization,
      client,
      params: { organizationId },
      made,
    } = await aProvider()
    const team = await aTeam(identity, organization)
    const second = await client.createOrganizationSAMLProvider({
      params: { organizationId },
      body: { label: 'Entra', defaultTeam: team },
    })
    const first = await client.listSAMLProvidersInOrganizationById({ params: { organizationId }, query: { limit: 1 } })
    expect(first).toMatchObject({ items: [second], count: 2 })
    expect(
      await client.listSAMLProvidersInOrganizationById({
        params: { organizationId },
        query: { page: first.next?.page },
      }),
    ).toEqual({ items: [made], count: 2 })
  })

  it('is deleted idempotently', async () => {
    const { client, params } = await aProvider()
    await client.deleteOrganizationSAMLProvider({ params })
    await client.deleteOrganizationSAMLProvider({ params })
    expect(await failure(client.getOrganizationSAMLProviderById({ params }))).toBe('not_found')
  })

  it.each([
    ['a label too long', { label: 'a'.repeat(31) }, 'invalid_request', 'body.label'],
    ['an address that is none', { ssoURL: 'javascript:alert(1)' }, 'invalid_request', 'body.ssoURL'],
    ['a certificate that cannot be read', { certificate: 'soon' }, 'invalid_request', 'body.certificate'],
    [
      'a second certificate of a short key',
      { certificate: certificate + aKeyPair('rsa-1024').certificate },
      'invalid_request',
      'body.certificate',
    ],
    ['a private key', { certificate: key }, 'invalid_request', 'body.certificate'],
    ['a team that is not there', { defaultTeam: 'nothing' }, 'not_found', 'body.defaultTeam'],
  ])('refuses %s and is not changed', async (_case, body, code, path) => {
    const { client, params, made } = await aProvider()
    const refused = expect.objectContaining({ code, details: [expect.objectContaining({ path })] })
    await expect(client.updateOrganizationSAMLProvider({ params, body })).rejects.toEqual(refused)
    await expect(client.createOrganizationSAMLProvider({ params, body: { ...complete, ...body } })).rejects.toEqual(
      refused,
    )
    expect(await client.listSAMLProvidersInOrganizationById({ params, query: {} })).toEqual({ items: [made], count: 1 })
  })

  it('refuses a team of another organization', async () => {
    const { client, params } = await aProvider()
    const elsewhere = await aTeam(identity, await anOrganization(identity))
    await expect(
      client.updateOrganizationSAMLProvider({ params, body: { defaultTeam: elsewhere } }),
    ).rejects.toMatchObject({ code: 'not_found', details: [{ path: 'body.defaultTeam' }] })
  })
})

describe('permissions', () => {
  const standing: [string, (organization: string) => Promise<TestUser>, string][] = [
    ['a member', organization => aMember(identity, organization, 'create'), 'forbidden'],
    ['a guest', organization => aMember(identity, organization, null), 'forbidden'],
    ['somebody outside', () => aUser(identity), 'not_found'],
  ]

  it.each(standing)('%s can neither read nor change providers', async (_who, person, code) => {
    const { organization, params } = await aProvider()
    const client = await (await person(organization.id)).client()
    const calls = [
      client.listSAMLProvidersInOrganizationById({ params, query: {} }),
      client.createOrganizationSAMLProvider({ params, body: complete }),
      client.getOrganizationSAMLProviderById({ params }),
      client.updateOrganizationSAMLProvider({ params, body: { label: 'Mine' } }),
      client.deleteOrganizationSAMLProvider({ params }),
    ]
    expect(await Promise.all(calls.map(failure))).toEqual(Array.from({ length: 5 }, () => code))
  })

  it('an admin of another organization cannot access a provider through their own organization id', async () => {
    const { made } = await aProvider()
    const other = await anOrganization(identity)
    const client = await other.admin.client()
    const params = { organizationId: other.id, samlProviderId: made.id }
    const calls = [
      client.getOrganizationSAMLProviderById({ params }),
      client.updateOrganizationSAMLProvider({ params, body: {} }),
      client.startSamlSignIn({ params }),
      client.getSamlServiceMetadata({ params }),
    ]
    expect(await Promise.all(calls.map(failure))).toEqual(calls.map(() => 'not_found'))
    await client.deleteOrganizationSAMLProvider({ params })
    expect(
      await (
        await identity.as('nobody')
      ).getSamlServiceMetadata({
        params: { organizationId: made.urls.location.split('/')[5] ?? '', samlProviderId: made.id },
      }),
    ).toContain(made.id)
  })

  it.each(standing)('%s and the list of logins', async (who, person, code) => {
    const {
      organization,
      client: admin,
      made,
      params: { organizationId },
    } = await aProvider()
    await admin.createOrganizationSAMLProvider({ params: { organizationId }, body: { label: 'Not yet' } })
    const user = await person(organization.id)
    await admin.updateOrganizationById({ params: { organizationId }, body: { sso: true } })
    // With SSO required, the token is refused elsewhere in this organization.
    expect(await failure((await user.client()).getOrganizationById({ params: { organizationId } }))).toBe(
      who === 'somebody outside' ? 'not_found' : 'forbidden',
    )
    const logins = (await user.client()).listSSOProviderLoginsInOrganization({ params: { organizationId } })
    if (code === 'not_found') expect(await failure(logins)).toBe('not_found')
    else expect(await logins).toEqual({ items: [{ id: made.id, label: 'Okta', startURL: made.service.startURL }] })
  })
})

describe('starting a sign-in', () => {
  it('redirects to the identity provider with a valid authentication request', async () => {
    const on = await aSignOn(identity)
    const location = await on.start()
    expect(location).toMatch(/^https:\/\/idp\.test\/sso\?tenant=docs&SAMLRequest=[^&]+$/)
    const base = `http://recto.test/v1/orgs/${on.organization.id}/saml/${on.provider}`
    expect(await readRequest({ keys: on.keys, metadata: on.metadata, location })).toMatchObject({
      request: {
        id: expect.stringMatching(/^_\w{20}$/),
        destination: ssoURL,
        assertionConsumerServiceUrl: `${base}/acs`,
      },
      issuer: `${base}/metadata`,
      nameIDPolicy: { format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
    })
  })

  it('is not_found for a pending provider, whose metadata is readable', async () => {
    const { params, made } = await aProvider({ certificate: '' })
    const anybody = await identity.as('nobody')
    expect(await failure(anybody.startSamlSignIn({ params }))).toBe('not_found')
    expect(await failure(anybody.receiveSamlResponse({ params, body: { SAMLResponse: 'PGEvPg==' } }))).toBe('not_found')
    const metadata = await anybody.getSamlServiceMetadata({ params })
    for (const said of [
      `entityID="${made.service.entityID}"`,
      `Location="${made.service.acsURL}"`,
      'WantAssertionsSigned="true"',
      'AuthnRequestsSigned="false"',
    ])
      expect(metadata).toContain(said)
    expect(await anybody.getSamlServiceMetadata({ params })).toBe(metadata)
  })

  it('responds identically for providers that do not exist', async () => {
    const { params } = await aProvider({ entityID: '' })
    const anybody = await identity.as('nobody')
    const said = (call: Promise<unknown>) => call.catch((error: Error) => error.message)
    const absent = { organizationId: params.organizationId, samlProviderId: createId() }
    expect(await said(anybody.startSamlSignIn({ params }))).toBe(
      await said(anybody.startSamlSignIn({ params: absent })),
    )
    expect(await said(anybody.startSamlSignIn({ params: { ...params, organizationId: createId() } }))).toBe(
      await said(anybody.startSamlSignIn({ params: absent })),
    )
    expect(await failure(anybody.getSamlServiceMetadata({ params: absent }))).toBe('not_found')
  })

  it('signs the request when a key is configured, and declares it in the metadata', async () => {
    const sp = aKeyPair('rsa', { commonName: 'recto.test' })
    const signing = await anIdentity({
      environment: {
        SAML_SIGNING_KEY: sp.key,
        SAML_SIGNING_CERTIFICATE: sp.certificate.replaceAll('\n', String.raw`\n`),
      },
    })
    try {
      const on = await aSignOn(signing)
      const location = await on.start()
      expect(new URL(location).searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
      expect(on.metadata).toContain('AuthnRequestsSigned="true"')
      const { request } = await readRequest({ keys: on.keys, metadata: on.metadata, location, isSigned: true })
      expect(request).toMatchObject({ destination: ssoURL })
      const forged = location.replace(/Signature=.{8}/, 'Signature=AAAAAAAA')
      await expect(
        readRequest({ keys: on.keys, metadata: on.metadata, location: forged, isSigned: true }),
      ).rejects.toThrow()
    } finally {
      await signing.stop()
    }
  })
})
