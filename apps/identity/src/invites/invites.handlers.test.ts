import type { Role } from '@recto/actor'
import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser, signedIn, type TestUser } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentityClient, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
let organization: { id: string; admin: TestUser }
let admin: IdentityClient
beforeAll(async () => void (identity = await anIdentity()))
beforeEach(async () => {
  organization = await anOrganization(identity)
  admin = await organization.admin.client()
})
afterAll(() => identity.stop())

type Body = Parameters<IdentityClient['inviteUsersToOrganization']>[0]['body']
const here = () => ({ organizationId: organization.id })
const anEmail = () => `${createId()}@recto.test`.toLowerCase()
const invite = (body: Body, as = admin) => as.inviteUsersToOrganization({ params: here(), body })
const waiting = () => admin.listPendingInvites({ params: here() })
const member = (userId: string) => admin.getMemberInOrganizationById({ params: { ...here(), userId } })

describe('inviting by e-mail', () => {
  it('adds existing users as members at once, effective from their next request', async () => {
    const one = await aUser(identity)
    const two = await aUser(identity)
    const outcome = await invite({
      emails: [one.email.toUpperCase(), { email: two.email, role: 'create' }],
      role: 'comment',
    })
    expect(outcome).toEqual({ users: [one.id, two.id], invited: 2 })
    expect([await member(one.id), await member(two.id)]).toMatchObject([
      { role: 'comment', sso: false },
      { role: 'create', sso: false },
    ])
    expect(await identity.actorOf(one.token)).toMatchObject({
      memberships: [{ organization: organization.id, role: 'comment' }],
    })
    expect(await waiting()).toEqual({ items: [], count: 0 })
  })

  it('keeps e-mails without a user pending until a user is created, who becomes a member with that role', async () => {
    const email = anEmail()
    const other = anEmail()
    expect(await invite({ emails: [{ email: email.toUpperCase(), role: null }, other], role: 'review' })).toEqual({
      users: [],
      invited: 2,
    })
    const { items } = await waiting()
    const pending = { object: 'pending-invite', id: expect.any(String), sso: false, createdAt: expect.any(String) }
    expect(items.toSorted((a, b) => (a.role ?? '').localeCompare(b.role ?? ''))).toEqual([
      { ...pending, email, role: null },
      { ...pending, email: other, role: 'review' },
    ])
    const user = await aUser(identity, { email: other })
    expect(await identity.actorOf(user.token)).toMatchObject({
      memberships: [{ organization: organization.id, role: 'review' }],
    })
    expect(await waiting()).toMatchObject({ count: 1, items: [{ email }] })
  })

  it('assigns the default role of the organization when the request has none', async () => {
    const one = await aUser(identity)
    const two = await aUser(identity)
    await invite({ emails: [one.email] })
    await admin.updateOrganizationById({ params: here(), body: { defaultRole: null } })
    await invite({ emails: [two.email] })
    expect([(await member(one.id)).role, (await member(two.id)).role]).toEqual(['read', null])
  })

  it('invites each email once, by its first entry', async () => {
    const user = await aUser(identity)
    const email = anEmail()
    const outcome = await invite({
      emails: [
        { email: user.email, role: 'edit' },
        { email: user.email.toUpperCase(), role: 'admin' },
        email,
        email.toUpperCase(),
      ],
    })
    expect(outcome).toEqual({ users: [user.id], invited: 2 })
    expect(await member(user.id)).toMatchObject({ role: 'edit' })
    expect(await waiting()).toMatchObject({ count: 1 })
  })

  it('does not change existing members', async () => {
    const before = await aMember(identity, organization.id, 'create')
    await (await before.client()).createOrganization({ body: { title: 'Elsewhere' } })
    const outcome = await invite({
      emails: [
        { email: before.email, role: 'read' },
        { email: organization.admin.email, role: null },
      ],
      sso: true,
    })
    expect(outcome).toEqual({ users: [], invited: 0, failedSSOEmails: [] })
    expect([await member(before.id), await member(organization.admin.id)]).toMatchObject([
      { role: 'create', sso: false },
      { role: 'admin', sso: false },
    ])
  })

  it('updates the role of an e-mail that is already invited, and keeps its team', async () => {
    const email = anEmail()
    const teamId = await aTeam(identity, organization)
    await admin.updateMembersInOrganizationTeam({ params: { ...here(), teamId }, body: { add: [email] } })
    await invite({ emails: [{ email, role: 'edit' }] })
    expect(await waiting()).toMatchObject({ count: 1, items: [{ email, role: 'edit' }] })
    const user = await aUser(identity, { email })
    expect(await identity.actorOf(user.token)).toMatchObject({ memberships: [{ role: 'edit', teams: [teamId] }] })
  })

  it('is allowed for admins, forbidden for other members and not_found for outsiders', async () => {
    const body = { emails: [anEmail()] }
    const below = await aMember(identity, organization.id, 'create')
    const outside = await aUser(identity)
    const calls = (client: IdentityClient) => [
      client.inviteUsersToOrganization({ params: here(), body }),
      client.listPendingInvites({ params: here() }),
      client.deletePendingInvite({ params: { ...here(), inviteId: 'any' } }),
    ]
    const refused = async (user: TestUser) => Promise.all(calls(await user.client()).map(failure))
    expect(await refused(below)).toEqual(['forbidden', 'forbidden', 'forbidden'])
    expect(await refused(outside)).toEqual(['not_found', 'not_found', 'not_found'])
    expect(await waiting()).toMatchObject({ count: 0 })
    expect(await invite(body, await signedIn(identity, organization.id, organization.admin))).toMatchObject({
      invited: 1,
    })
  })

  it.each<[unknown, string]>([
    [{ emails: [] }, 'body.emails'],
    [{ emails: ['fine@recto.test', 'no e-mail'] }, 'body.emails.1'],
    [{ emails: [' spaced@recto.test'] }, 'body.emails.0'],
    [{ emails: [{ email: 'fine@recto.test' }] }, 'body.emails.0'],
    [{ emails: ['fine@recto.test'], role: 'owner' }, 'body.role'],
    [{ emails: Array.from({ length: 1001 }, (_, at) => `user-${at}@recto.test`) }, 'body.emails'],
  ])('refuses a wrong body and changes nothing, case %#', async (body, path) => {
    await expect(invite(body as Body)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: expect.stringContaining(path) }],
    })
    expect(await waiting()).toMatchObject({ count: 0 })
  })

  it('accepts a thousand e-mails in one request', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => aUser(identity)))
    const emails = [...users.map(({ email }) => email), ...Array.from({ length: 995 }, anEmail)]
    const outcome = await invite({ emails })
    expect(outcome).toEqual({ users: users.map(({ id }) => id), invited: 1000 })
    expect(await waiting()).toMatchObject({ count: 995 })
  })
})

describe('inviting to single sign-on', () => {
  it('skips platform administrators and members of other organizations, and lists them', async () => {
    const fresh = await aUser(identity)
    const elsewhere = (await anOrganization(identity)).admin
    const here = anEmail()
    const platform = 'Admin@Recto.Test'
    const outcome = await invite({ emails: [fresh.email, elsewhere.email.toUpperCase(), platform, here], sso: true })
    expect(outcome).toMatchObject({ invited: 4, failedSSOEmails: [elsewhere.email.toUpperCase(), platform] })
    const { id } = await (await identity.as(adminToken)).getAuthenticatedUser()
    expect(outcome.users).toEqual([fresh.id, elsewhere.id, id])
    expect([await member(fresh.id), await member(elsewhere.id), await member(id)]).toMatchObject([
      { sso: true },
      { sso: false },
      { sso: false },
    ])
    expect(await waiting()).toMatchObject({ items: [{ email: here, sso: true }] })
    expect(await member((await aUser(identity, { email: here })).id)).toMatchObject({ sso: true })
  })
})

describe('pending invites', () => {
  it('can be deleted idempotently, and then add no member', async () => {
    const email = anEmail()
    await invite({ emails: [email] })
    const [pending] = (await waiting()).items
    const params = { ...here(), inviteId: pending?.id ?? '' }
    const elsewhere = await anOrganization(identity)
    await (
      await elsewhere.admin.client()
    ).deletePendingInvite({ params: { organizationId: elsewhere.id, inviteId: params.inviteId } })
    expect(await waiting()).toMatchObject({ count: 1 })
    for (let times = 0; times < 2; times += 1) expect(await admin.deletePendingInvite({ params })).toBeUndefined()
    expect(await waiting()).toEqual({ items: [], count: 0 })
    expect(await identity.actorOf((await aUser(identity, { email })).token)).toMatchObject({ memberships: [] })
  })

  it('are listed in pages, newest first', async () => {
    const emails = [anEmail(), anEmail(), anEmail()]
    for (const email of emails) await invite({ emails: [email] })
    const first = await admin.listPendingInvites({ params: here(), query: { limit: 2 } })
    const second = await admin.listPendingInvites({ params: here(), query: { limit: 2, page: first.next?.page } })
    expect([...first.items, ...second.items].map(({ email }) => email)).toEqual(emails.toReversed())
    expect([first.count, second.next]).toEqual([3, undefined])
  })
})

describe('concurrently', () => {
  it('the same email invited twice has one pending invite', async () => {
    const email = anEmail()
    const roles: Role[] = ['read', 'edit']
    const outcomes = await Promise.all(roles.map(role => invite({ emails: [{ email, role }, anEmail()] })))
    expect(outcomes.map(({ invited }) => invited)).toEqual([2, 2])
    expect((await waiting()).items.filter(pending => pending.email === email)).toHaveLength(1)
  })

  it('the same user invited twice is added once', async () => {
    const user = await aUser(identity)
    const outcomes = await Promise.all([invite({ emails: [user.email] }), invite({ emails: [user.email] })])
    expect(outcomes.flatMap(({ users }) => users)).toEqual([user.id])
  })

  it('a user who is created while being invited is a member', async () => {
    const platform = await identity.as(adminToken)
    for (let turn = 0; turn < 20; turn += 1) {
      const email = anEmail()
      const [user] = await Promise.all([
        platform.createUser({ body: { email, displayName: 'Ada' } }),
        invite({ emails: [email, anEmail()], role: 'edit' }),
      ])
      expect(await member(user.id)).toMatchObject({ role: 'edit' })
    }
    expect((await waiting()).count).toBe(20)
  })

  it('one e-mail in upper and lower case creates one user', async () => {
    const platform = await identity.as(adminToken)
    for (let turn = 0; turn < 5; turn += 1) {
      const email = anEmail()
      await invite({ emails: [email] })
      const made = [email, email.toUpperCase()].map(spelling =>
        platform.createUser({ body: { email: spelling, displayName: 'Twin' } }),
      )
      expect((await Promise.all(made.map(failure))).toSorted()).toEqual(['conflict', undefined])
    }
    expect(await admin.listMembersInOrganizationById({ params: here(), query: { search: 'Twin' } })).toMatchObject({
      count: 5,
    })
  })
})
