import { hashToken } from '@recto/actor'
import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { fromNow } from '../test/saml/identity-provider.ts'
import { aSignOn, tokenOn } from '../test/saml/sign-on.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

const anEmail = () => `${createId().toLowerCase()}@recto.test`
/** The fields of an actor that differ between two tokens of a user. */
const ofToken = { expiresAt: expect.any(Number), ssoToken: expect.any(String) }
const admin = () => identity.as(adminToken)

describe('a subject without an account', () => {
  it('becomes a user and a member with the role and team of the provider, and gets a token for the organization', async () => {
    const organization = await anOrganization(identity, { title: 'Docs & more' })
    const team = await aTeam(identity, organization)
    const on = await aSignOn(identity, { organization, defaultRole: 'edit', defaultTeam: team })
    const email = anEmail()
    const page = await on.post(await on.answers(email.toUpperCase()))
    expect(page).toContain(`<strong id="email">${email}</strong>`)
    expect(page).toContain('<h1>Signed in to Docs &amp; more</h1>')
    const person = await identity.as(tokenOn(page))
    const user = await person.getAuthenticatedUser()
    expect(user).toMatchObject({ email, displayName: 'Ada Lovelace' })
    expect(await identity.actorOf(tokenOn(page))).toEqual({
      userId: user.id,
      platformAdmin: false,
      expiresAt: expect.any(Number),
      scopes: ['read', 'write', 'admin'],
      memberships: [{ organization: organization.id, role: 'edit', teams: [team] }],
      sso: organization.id,
      ssoToken: expect.any(String),
    })
    const params = { organizationId: organization.id, userId: user.id }
    expect(await person.getMemberInOrganizationById({ params })).toMatchObject({
      role: 'edit',
      sso: true,
      disabled: false,
      teams: 1,
    })
  })

  it('becomes a guest when the provider assigns no role, and is named after their e-mail without a display name', async () => {
    const on = await aSignOn(identity, { defaultRole: null })
    const email = anEmail()
    const token = await on.token(email, { says: { attrFirst: '', attrLast: '' } })
    expect(await identity.actorOf(token)).toMatchObject({
      memberships: [{ organization: on.organization.id, role: null, teams: [] }],
    })
    expect(await (await identity.as(token)).getAuthenticatedUser()).toMatchObject({ displayName: email.split('@')[0] })
  })

  it('signs in again as the same user after changes of name and provider', async () => {
    const on = await aSignOn(identity)
    const email = anEmail()
    const first = await identity.actorOf(await on.token(email))
    await (
      await on.organization.admin.client()
    ).updateOrganizationSAMLProvider({ params: on.params, body: { defaultRole: 'admin' } })
    const again = await on.token(email, { says: { attrFirst: 'Eve' } })
    expect(await identity.actorOf(again)).toEqual({ ...first, ...ofToken })
    expect(await (await identity.as(again)).getAuthenticatedUser()).toMatchObject({ displayName: 'Ada Lovelace' })
  })

  it('gets the role of a pending invite, its team and that of the provider, and can sign in again', async () => {
    const organization = await anOrganization(identity)
    const invited = await aTeam(identity, organization, { title: 'Invited' })
    const grantedTeam = await aTeam(identity, organization, { title: 'Given' })
    const on = await aSignOn(identity, { organization, defaultRole: 'read', defaultTeam: grantedTeam })
    const email = anEmail()
    const client = await organization.admin.client()
    await client.inviteUsersToOrganization({
      params: { organizationId: organization.id },
      body: { emails: [email], role: 'review' },
    })
    await client.updateMembersInOrganizationTeam({
      params: { organizationId: organization.id, teamId: invited },
      body: { memberships: { [email]: { role: 'owner' } } },
    })
    const first = await identity.actorOf(await on.token(email))
    expect(first?.memberships.map(({ role, teams }) => ({ role, teams: teams.toSorted() }))).toEqual([
      { role: 'review', teams: [invited, grantedTeam].toSorted() },
    ])
    expect(await identity.actorOf(await on.token(email))).toEqual({ ...first, ...ofToken })
  })

  it('becomes one user in concurrent first sign-ins', async () => {
    const on = await aSignOn(identity)
    const email = anEmail()
    const documents = await Promise.all(Array.from({ length: 4 }, () => on.answers(email)))
    const pages = await Promise.all(documents.map(on.post))
    const actors = await Promise.all(pages.map(page => identity.actorOf(tokenOn(page))))
    expect(new Set(actors.map(actor => actor?.userId)).size).toBe(1)
  })

  it('becomes one user when created concurrently with the sign-in', async () => {
    const on = await aSignOn(identity)
    for (let turn = 0; turn < 5; turn += 1) {
      const email = anEmail()
      const document = await on.answers(email)
      const ends = await Promise.allSettled([
        on.post(document),
        (await admin()).createUser({ body: { email, displayName: 'Ada' } }),
      ])
      const codes = ends.map(end => (end.status === 'rejected' ? (end.reason as { code: string }).code : 'done'))
      expect([
        ['done', 'done'],
        ['unauthenticated', 'done'],
      ]).toContainEqual(codes)
    }
  })
})

describe('a member', () => {
  it('can sign in after an admin makes them an SSO member, and keeps role and teams', async () => {
    const on = await aSignOn(identity, { defaultRole: 'admin' })
    const member = await aMember(identity, on.organization.id, 'comment')
    expect(await failure(on.token(member.email))).toBe('unauthenticated')
    await (
      await on.organization.admin.client()
    ).setUserAsSSOMemberForOrganization({ params: { organizationId: on.organization.id, userId: member.id } })
    expect(await identity.actorOf(await on.token(member.email))).toMatchObject({
      userId: member.id,
      memberships: [{ role: 'comment', teams: [] }],
    })
  })

  it('has access when the organization requires single sign-on', async () => {
    const on = await aSignOn(identity)
    const member = await aMember(identity, on.organization.id)
    const client = await on.organization.admin.client()
    const params = { organizationId: on.organization.id }
    await client.setUserAsSSOMemberForOrganization({ params: { ...params, userId: member.id } })
    await client.updateOrganizationById({ params, body: { sso: true } })
    expect(await failure((await member.client()).getOrganizationById({ params }))).toBe('forbidden')
    const person = await identity.as(await on.token(member.email))
    expect(await person.getOrganizationById({ params })).toMatchObject({ id: params.organizationId })
  })

  it('cannot use the token in their other organizations', async () => {
    const on = await aSignOn(identity)
    const email = anEmail()
    await on.token(email)
    await (await admin()).createUser({ body: { email, displayName: 'Ada' } })
    const elsewhere = await anOrganization(identity)
    const body = { emails: [{ email, role: 'admin' as const }] }
    const invited = await (
      await elsewhere.admin.client()
    ).inviteUsersToOrganization({ params: { organizationId: elsewhere.id }, body })
    expect(invited.users).toHaveLength(1)
    const person = await identity.as(await on.token(email))
    expect(await failure(person.getOrganizationById({ params: { organizationId: elsewhere.id } }))).toBe('not_found')
    expect(await failure(person.createOrganization({ body: { title: 'Mine' } }))).toBe('forbidden')
  })
})

describe('the token', () => {
  it('is named after the provider, is valid for a day, and is stored as a hash only', async () => {
    const on = await aSignOn(identity, { label: 'Entra' })
    const token = await on.token(anEmail())
    const { items } = await (await identity.as(token)).listTokens({ query: {} })
    expect(items).toMatchObject([{ name: 'Single sign-on (Entra)', hint: token.slice(-4) }])
    const life = Date.parse(items[0]?.expiresAt ?? '') - Date.now()
    expect([life > 86_390_000, life <= 86_400_000]).toEqual([true, true])
    expect(hashToken(token)).not.toContain(token)
  })

  it('expires with the session at the identity provider if that is sooner', async () => {
    const on = await aSignOn(identity)
    const end = fromNow(3600)
    const edit = (xml: string) =>
      xml.replace(
        '<saml:AttributeStatement>',
        `<saml:AuthnStatement AuthnInstant="${fromNow(0)}" SessionNotOnOrAfter="${end}"/>$&`,
      )
    const page = await on.post(await on.answers(anEmail(), { edit }))
    expect(page).toContain(`<time id="expires">${end}</time>`)
  })

  it('is valid for the configured time', async () => {
    const short = await anIdentity({ environment: { SSO_TOKEN_TTL: '60' } })
    try {
      const token = await (await aSignOn(short)).token(anEmail())
      const { items } = await (await short.as(token)).listTokens({ query: {} })
      expect(Date.parse(items[0]?.expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(60_000)
    } finally {
      await short.stop()
    }
  })
})

describe('identity providers', () => {
  it('may sign the response as well', async () => {
    const on = await aSignOn(identity)
    expect(await on.token(anEmail(), { sign: 'both' })).toMatch(/^recto_/)
  })

  it.each([
    'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  ])('may send the e-mail as %s', async NameIDFormat => {
    const on = await aSignOn(identity)
    expect(await on.token(anEmail(), { says: { NameIDFormat } })).toMatch(/^recto_/)
  })

  it('may sign with SHA-512 and respond without a destination', async () => {
    const on = await aSignOn(identity)
    const edit = (xml: string) => xml.replace(/ Destination="[^"]*"/, '')
    expect(await on.token(anEmail(), { edit, algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512' })).toMatch(
      /^recto_/,
    )
  })

  it('may be two in one organization, each accepting responses to its own requests', async () => {
    const okta = await aSignOn(identity)
    const entra = await aSignOn(identity, { organization: okta.organization, label: 'Entra' })
    const email = anEmail()
    const first = await identity.actorOf(await okta.token(email))
    const second = await identity.actorOf(await entra.token(email))
    expect(second).toEqual({ ...first, ...ofToken })
  })

  it('may change their certificate, after which the old one is refused', async () => {
    const on = await aSignOn(identity)
    const other = await aSignOn(identity)
    const old = await on.answers(anEmail())
    await (
      await on.organization.admin.client()
    ).updateOrganizationSAMLProvider({ params: on.params, body: { certificate: other.keys.certificate } })
    expect(await failure(on.post(old))).toBe('unauthenticated')
    expect(await on.token(anEmail(), { keys: other.keys })).toMatch(/^recto_/)
  })
})

it('cannot take over a user of another organization by asserting their e-mail', async () => {
  const on = await aSignOn(identity)
  const user = await aUser(identity)
  expect(await failure(on.token(user.email))).toBe('unauthenticated')
  expect((await identity.actorOf(user.token))?.memberships).toEqual([])
})
