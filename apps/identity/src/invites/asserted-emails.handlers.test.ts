import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { anOrganization, aTeam, aUser } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentityClient, type IdentitySetup } from '../test/identity-setup.ts'
import { aKeyPair, type KeyPair } from '../test/saml/certificate.ts'
import { aSignOn, type SignOn } from '../test/saml/sign-on.ts'

/** Three organizations with an identity provider each: `own` asserts the email first, then perhaps `other`, and `third` never. */
const names = ['own', 'other', 'third'] as const
type Name = (typeof names)[number]

let identity: IdentitySetup
let platform: IdentityClient
let on: Record<Name, SignOn>
let keys: KeyPair
let domain: string
let email: string
beforeAll(async () => {
  identity = await anIdentity()
  platform = await identity.as(adminToken)
  keys = aKeyPair()
})
beforeEach(async () => {
  domain = `${createId().toLowerCase()}.test`
  email = `${createId().toLowerCase()}@${domain}`
  const [own, other, third] = await Promise.all(
    names.map(async title => {
      const organization = await anOrganization(identity, { title: `the ${title}`, emailDomains: [domain] })
      return aSignOn(identity, { organization, keys, defaultRole: 'read' })
    }),
  )
  on = { own, other, third } as Record<Name, SignOn>
})
afterAll(() => identity.stop())

const here = (name: Name) => ({ organizationId: on[name].organization.id })
const adminOf = (name: Name) => on[name].organization.admin.client()
const invite = async (name: Name, sso = false) =>
  (await adminOf(name)).inviteUsersToOrganization({
    params: here(name),
    body: { emails: [email], role: 'review', sso },
  })
const byName = async (holds: (name: Name) => Promise<boolean>) => {
  const held = await Promise.all(names.map(holds))
  return names.filter((_name, at) => held[at]).join(' ')
}
/** Where the email is a member's, and in which role, and where it is invited. */
async function standing() {
  const rolesIn = async (name: Name) => {
    const query = { search: email }
    const { items } = await (await adminOf(name)).listMembersInOrganizationById({ params: here(name), query })
    return items.map(({ role, teams }) => `${role} ${teams}`)
  }
  const roles = (await Promise.all(names.map(rolesIn))).flat()
  return {
    members: await byName(async name => (await rolesIn(name)).length > 0),
    roles: [...new Set(roles)].join(),
    invited: await byName(async name => {
      const { items } = await (await adminOf(name)).listPendingInvites({ params: here(name) })
      return items.some(pending => pending.email === email)
    }),
  }
}
const signIn = (name: Name) => on[name].token(email)
const createUser = () => platform.createUser({ body: { email, displayName: 'Grace' } })
/** A client of the user whose email was asserted, with a token of the platform. */
async function withToken() {
  const { id } = await (await identity.as(await signIn('own'))).getAuthenticatedUser()
  const { token } = await platform.createTokenForUser({ params: { userId: id }, body: { name: 'ci' } })
  return identity.as(token)
}

describe('whose invites an email accepts:', () => {
  const accepted = 'review 1'
  const all = 'own other third'
  it.each<[string, () => Promise<unknown>, { members: string; invited: string }]>([
    ['a sign-in accepts those of its organization', () => signIn('own'), { members: 'own', invited: 'other third' }],
    [
      'a second sign-in elsewhere accepts those of that organization',
      async () => [await signIn('own'), await signIn('other')],
      { members: 'own other', invited: 'third' },
    ],
    [
      'two sign-ins at once accept those of their organizations',
      () => Promise.all([signIn('own'), signIn('other')]),
      { members: 'own other', invited: 'third' },
    ],
    ['the creation of a user accepts all', createUser, { members: all, invited: '' }],
    [
      'the creation of a user after a sign-in accepts all',
      async () => [await signIn('own'), await createUser()],
      { members: all, invited: '' },
    ],
    ['a refused sign-in accepts none', () => failure(on.own.post('<a/>')), { members: '', invited: all }],
    ['a token for the user accepts none', withToken, { members: 'own', invited: 'other third' }],
    [
      'an update of the user accepts none, and changes no email',
      async () => {
        const user = await withToken()
        const { id } = await user.getAuthenticatedUser()
        const body = { displayName: 'Eve', email: 'other@recto.test' }
        expect(await user.updateUserById({ params: { userId: id }, body })).toMatchObject({ email })
      },
      { members: 'own', invited: 'other third' },
    ],
    [
      'the domain of the email joins none but that of the sign-in',
      async () => {
        const user = await withToken()
        const params = { emailDomain: domain }
        const { organizations } = await user.getOrganizationsForEmailDomain({ params })
        expect(organizations.map(({ title }) => title)).toEqual(['the own'])
        expect(await failure(user.joinOrganization({ params: here('other') }))).toBe('not_found')
      },
      { members: 'own', invited: 'other third' },
    ],
    [
      'another invite accepts none',
      async () => {
        await signIn('own')
        expect(await invite('other')).toEqual({ users: [], invited: 1 })
        expect(await invite('third', true)).toEqual({ users: [], invited: 1, failedSSOEmails: [] })
      },
      { members: 'own', invited: 'other third' },
    ],
  ])('%s', async (_way, act, expected) => {
    for (const name of names) {
      await invite(name)
      const teamId = await aTeam(identity, on[name].organization)
      const params = { ...here(name), teamId }
      await (await adminOf(name)).updateMembersInOrganizationTeam({ params, body: { add: [email] } })
    }
    await act()
    expect(await standing()).toEqual({ ...expected, roles: expected.members && accepted })
  })

  it('a link accepts none, and makes a member by itself', async () => {
    await invite('other')
    await invite('third')
    const user = await withToken()
    const { id } = await (
      await adminOf('other')
    ).createOrganizationInvite({ params: here('other'), body: { role: 'read' } })
    await user.joinOrganizationWithInvite({ params: { ...here('other'), inviteId: id } })
    expect(await standing()).toEqual({ members: 'own other', roles: 'read 0', invited: 'other third' })
  })

  it('a user whom a platform administrator created is a member at once of those who invite them later', async () => {
    const { id } = await createUser()
    expect((await invite('other')).users).toEqual([id])
    expect(await standing()).toMatchObject({ members: 'other', invited: '' })
    expect(await failure(createUser())).toBe('conflict')
  })

  it('a user whose email was asserted is one at once in that organization, and elsewhere once they were created', async () => {
    await signIn('own')
    const client = await adminOf('own')
    const [member] = (await client.listMembersInOrganizationById({ params: here('own'), query: { search: email } }))
      .items
    await client.removeMemberFromOrganizationById({ params: { ...here('own'), userId: member?.id ?? '' } })
    expect((await invite('own')).users).toEqual([member?.id])
    expect((await invite('other')).users).toEqual([])
    expect(await createUser()).toMatchObject({ id: member?.id, email, displayName: 'Grace' })
    expect((await invite('third')).users).toEqual([member?.id])
    expect(await standing()).toEqual({ members: 'own other third', roles: 'review 0', invited: '' })
    expect(await failure(createUser())).toBe('conflict')
  })

  it('an email that is asserted elsewhere, and not invited, is refused', async () => {
    await signIn('own')
    expect(await failure(signIn('other'))).toBe('unauthenticated')
    expect(await standing()).toMatchObject({ members: 'own', invited: '' })
  })

  it('an invite does not survive the removal of the member', async () => {
    await invite('other')
    const user = await withToken()
    const client = await adminOf('other')
    const { id } = await client.createOrganizationInvite({ params: here('other'), body: { role: 'read' } })
    await user.joinOrganizationWithInvite({ params: { ...here('other'), inviteId: id } })
    const { id: userId } = await user.getAuthenticatedUser()
    await client.removeMemberFromOrganizationById({ params: { ...here('other'), userId } })
    expect(await standing()).toMatchObject({ members: 'own', invited: '' })
    expect(await failure(signIn('other'))).toBe('unauthenticated')
  })
})

it('a member by domain is one whose email the platform administrator or the organization asserted', async () => {
  const user = await aUser(identity, { email })
  await (await user.client()).joinOrganization({ params: here('other') })
  expect(await standing()).toMatchObject({ members: 'other' })
})
