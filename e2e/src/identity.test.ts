import { api } from '@recto/contracts'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { certificate } from './fixtures/certificate.ts'
import { aMember, anOrganization, aPerson, sendRaw, type Person, type RawRequest } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { checkedReplies } from './walk.ts'

const { checked, publishedOf } = checkedReplies()

let stack: Installation
let organization: { id: string; admin: Person }
beforeAll(async () => {
  stack = await sharedStack()
  organization = await anOrganization(stack, { emailDomains: ['joiners.test'] })
})

const O = '/orgs/{organizationId}'
const admin = () => organization.admin.client
const role = (name: string | null) => name as never

describe('the published client', () => {
  it('reads and changes organizations', async () => {
    const client = admin()
    checked('GET /', await client.getApiInformation())
    checked('GET /orgs', await client.orgs.listOrganizationsForAuthenticatedUser())
    const another = { method: 'POST', path: '/orgs', body: { title: 'Another' } }
    const { status, body: data } = await sendRaw(stack.url, organization.admin, another)
    checked('POST /orgs', { status, data })
    const changed = checked(
      `PATCH ${O}`,
      await client.orgs.updateOrganizationById(organization.id, {
        title: 'Manual',
        defaultRole: role('comment'),
        logo: 'https://recto.test/logo.png',
        hostname: 'manual',
        ai: false,
      }),
    )
    expect(changed).toMatchObject({
      title: 'Manual',
      defaultRole: 'comment',
      hostname: 'manual',
      permissions: { admin: true, listMembers: true, listTeams: true, createContent: true },
    })
    expect(checked(`GET ${O}`, await client.orgs.getOrganizationById(organization.id))).toEqual(changed)
    const joinable = checked(
      'GET /email-domains/{emailDomain}/orgs',
      await client.emailDomains.getOrganizationsForEmailDomain('joiners.test'),
    )
    expect(joinable.organizations).toEqual([changed])
  })

  it('reads and changes users', async () => {
    const { id, client } = organization.admin
    checked('GET /user', await client.user.getAuthenticatedUser())
    expect(
      checked('PATCH /users/{userId}', await client.users.updateUserById(id, { displayName: 'Grace' })),
    ).toMatchObject({ displayName: 'Grace' })
    expect(checked('GET /users/{userId}', await client.users.getUserById(id))).toMatchObject({ displayName: 'Grace' })
  })

  it('reads and changes members', async () => {
    const client = admin()
    const member = await aMember(stack, organization, 'read')
    await client.orgs.createOrganizationTeam(organization.id, { title: 'Readers', members: [member.id] })
    await member.client.orgs.createSpace(organization.id, { title: 'Not theirs' } as never).catch(() => undefined)
    await client.orgs.createSpace(organization.id, { title: 'Seen' } as never)
    const list = checked(
      `GET ${O}/members`,
      await client.orgs.listMembersInOrganizationById(organization.id, {
        search: member.email,
        sort: 'joinedAt',
        order: 'asc',
      }),
    )
    expect(list).toMatchObject({ count: 1, items: [{ id: member.id, role: 'read', spaces: 1, teams: 1 }] })
    checked(
      `GET ${O}/members`,
      await client.orgs.listMembersInOrganizationById(organization.id, {
        sort: 'lastSeenAt',
        role: 'admin' as never,
        limit: 1,
      }),
    )
    checked(`GET ${O}/members/{userId}`, await client.orgs.getMemberInOrganizationById(organization.id, member.id))
    expect(
      checked(
        `PATCH ${O}/members/{userId}`,
        await client.orgs.updateMemberInOrganizationById(organization.id, member.id, { role: role(null) }),
      ),
    ).toMatchObject({ role: null, spaces: 0 })
    expect(
      checked(
        `POST ${O}/members/{userId}/sso`,
        await client.orgs.setUserAsSsoMemberForOrganization(organization.id, member.id),
      ),
    ).toMatchObject({ sso: true })
    expect(
      checked(
        `GET ${O}/members/{userId}/teams`,
        await client.orgs.listTeamsForOrganizationMember(organization.id, member.id, { title: 'READ' }),
      ),
    ).toMatchObject({ items: [{ team: { title: 'Readers' }, member: { role: 'member' } }] })
    const claims = checked(
      `POST ${O}/ping`,
      await member.client.orgs.updateOrganizationMemberLastSeenAt(organization.id),
    )
    expect(claims).toEqual({
      serviceVisitorClaims: claims.gitbookVisitorClaims,
      gitbookVisitorClaims: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    // A request body is ignored, and the returned claims are no access token.
    const ping = { method: 'POST', path: `/orgs/${organization.id}/ping`, body: { serviceVisitorClaims: 5 } }
    expect(await sendRaw(stack.url, member, ping)).toMatchObject({
      status: 200,
      body: { serviceVisitorClaims: expect.any(String) },
    })
    for (const path of ['/user', `/orgs/${organization.id}`, `/orgs/${organization.id}/members`]) {
      expect(
        (await sendRaw(stack.url, { token: claims.gitbookVisitorClaims ?? '' }, { method: 'GET', path })).status,
      ).toBe(401)
    }
    checked(
      `DELETE ${O}/members/{userId}`,
      await client.orgs.removeMemberFromOrganizationById(organization.id, member.id),
    )
    checked(
      `DELETE ${O}/members/{userId}`,
      await client.orgs.removeMemberFromOrganizationById(organization.id, member.id),
    )
  })

  it('reads and changes teams and their members', async () => {
    const client = admin()
    const one = await aMember(stack, organization, 'read')
    const two = await aMember(stack, organization, 'edit')
    const team = checked(
      `PUT ${O}/teams`,
      await client.orgs.createOrganizationTeam(organization.id, { title: 'Writers', members: [one.id] }),
    )
    const path = [organization.id, team.id] as const
    expect(
      checked(
        `PATCH ${O}/teams/{teamId}`,
        await client.orgs.updateTeamInOrganizationById(...path, { title: 'Editors' }),
      ),
    ).toMatchObject({ title: 'Editors', members: 1 })
    checked(`GET ${O}/teams/{teamId}`, await client.orgs.getTeamInOrganizationById(...path))
    expect(
      checked(`GET ${O}/teams`, await client.orgs.listTeamsInOrganizationById(organization.id, { title: 'edit' })),
    ).toMatchObject({ count: 1 })
    checked(
      `PUT ${O}/teams/{teamId}/members`,
      await client.orgs.updateMembersInOrganizationTeam(...path, {
        add: [two.email],
        remove: [one.id],
        memberships: { [two.id]: { role: 'owner' as never } },
      }),
    )
    checked(
      `PUT ${O}/teams/{teamId}/members/{userId}`,
      await client.orgs.addMemberToOrganizationTeamById(...path, one.id, undefined as never),
    )
    const members = checked(
      `GET ${O}/teams/{teamId}/members`,
      await client.orgs.listTeamMembersInOrganizationById(...path),
    )
    expect(members.items.map(item => [item.organization.id, item.team.role])).toEqual([
      [one.id, 'member'],
      [two.id, 'owner'],
    ])
    checked(
      `DELETE ${O}/teams/{teamId}/members/{userId}`,
      await client.orgs.deleteMemberFromOrganizationTeamById(...path, one.id),
    )
    checked(`DELETE ${O}/teams/{teamId}`, await client.orgs.removeTeamFromOrganizationById(...path))
    checked(`DELETE ${O}/teams/{teamId}`, await client.orgs.removeTeamFromOrganizationById(...path))
  })

  it('invites users, who join', async () => {
    const client = admin()
    const person = await aPerson(stack)
    const byLink = await aPerson(stack)
    const byDomain = await aPerson(stack, { email: 'ada@joiners.test' })
    const invited = checked(
      `POST ${O}/invites`,
      await client.orgs.inviteUsersToOrganization(organization.id, {
        emails: [person.email, { email: 'later@recto.test', role: role('review') }],
      }),
    )
    expect(invited).toEqual({ users: [person.id], invited: 2 })
    const later = await aPerson(stack, { email: 'Later@recto.test' })
    expect((await client.orgs.getMemberInOrganizationById(organization.id, later.id)).data.role).toBe('review')
    const invite = checked(
      `POST ${O}/link-invites`,
      await client.orgs.createOrganizationInvite(organization.id, { role: role('read') }),
    )
    checked(
      `PATCH ${O}/link-invites/{inviteId}`,
      await client.orgs.updateOrganizationInviteById(organization.id, invite.id, { role: role('edit') }),
    )
    checked(`GET ${O}/link-invites/{inviteId}`, await client.orgs.getOrganizationInviteLink(organization.id, invite.id))
    checked(`GET ${O}/link-invites`, await client.orgs.listOrganizationInviteLinks(organization.id))
    checked(
      `POST ${O}/invites/{inviteId}`,
      await byLink.client.orgs.joinOrganizationWithInvite(organization.id, invite.id),
    )
    checked(`POST ${O}/join`, await byDomain.client.orgs.joinOrganization(organization.id))
    const roles = await Promise.all(
      [byLink, byDomain].map(
        async ({ id }) => (await client.orgs.getMemberInOrganizationById(organization.id, id)).data.role,
      ),
    )
    expect(roles).toEqual(['edit', 'comment'])
    checked(
      `DELETE ${O}/link-invites/{inviteId}`,
      await client.orgs.deleteOrganizationInviteById(organization.id, invite.id),
    )
  })

  it('invites a user to a space, who sees only this space', async () => {
    const client = admin()
    const open = await client.orgs.createSpace(organization.id, { title: 'Open' } as never)
    const closed = await client.orgs.createSpace(organization.id, { title: 'Closed' } as never)
    const invite = checked(
      `POST ${O}/link-invites`,
      await client.orgs.createOrganizationInvite(organization.id, { level: role('edit'), space: open.data.id }),
    )
    expect(invite).toMatchObject({ level: 'edit', redundant: true, space: { id: open.data.id } })
    const guest = await aPerson(stack)
    await guest.client.orgs.joinOrganizationWithInvite(organization.id, invite.id)
    expect((await guest.client.spaces.getSpaceById(open.data.id)).data.permissions).toMatchObject({
      view: true,
      edit: true,
      merge: false,
    })
    expect((await guest.client.orgs.listSpacesInOrganizationById(organization.id)).data).toMatchObject({
      count: 1,
      items: [{ id: open.data.id }],
    })
    await expect(guest.client.spaces.getSpaceById(closed.data.id)).rejects.toMatchObject({ code: 404 })
    expect((await client.orgs.getMemberInOrganizationById(organization.id, guest.id)).data).toMatchObject({
      role: null,
      spaces: 1,
    })
    await client.orgs.removeMemberFromOrganizationById(organization.id, guest.id)
    await expect(guest.client.spaces.getSpaceById(open.data.id)).rejects.toMatchObject({ code: 404 })
  })

  it('reads and changes SAML providers', async () => {
    const client = admin()
    const provider = checked(
      `POST ${O}/saml`,
      await client.orgs.createOrganizationSamlProvider(organization.id, { label: 'Login' }),
    )
    expect(provider).toMatchObject({ status: 'pending', service: { startURL: expect.stringContaining(provider.id) } })
    const changed = checked(
      `PATCH ${O}/saml/{samlProviderId}`,
      await client.orgs.updateOrganizationSamlProvider(organization.id, provider.id, {
        ssoURL: 'https://idp.example/sso',
        entityID: 'https://idp.example',
      }),
    )
    expect(
      checked(
        `GET ${O}/saml/{samlProviderId}`,
        await client.orgs.getOrganizationSamlProviderById(organization.id, provider.id),
      ),
    ).toEqual(changed)
    expect(
      checked(`GET ${O}/saml`, await client.orgs.listSamlProvidersInOrganizationById(organization.id)),
    ).toMatchObject({ count: 1 })
    expect(checked(`GET ${O}/sso`, await client.orgs.listSsoProviderLoginsInOrganization(organization.id))).toEqual({
      items: [],
    })
    const signIn = `/orgs/${organization.id}/saml/${provider.id}`
    const metadata = await sendRaw(stack.url, undefined, { method: 'GET', path: `${signIn}/metadata` })
    expect([metadata.status, metadata.body]).toEqual([200, expect.stringContaining(provider.service.acsURL)])
    await client.orgs.updateOrganizationSamlProvider(organization.id, provider.id, { certificate })
    const refused: [RawRequest, number][] = [
      [{ method: 'POST', path: `${signIn}/acs`, form: { SAMLResponse: 'bm90aGluZw==' } }, 401],
      [{ method: 'POST', path: `${signIn}/acs`, form: { other: 'field' } }, 400],
      [{ method: 'GET', path: `/orgs/${organization.id}/saml/nothing/start` }, 404],
    ]
    for (const [sending, status] of refused) {
      const { headers, body, ...reply } = await sendRaw(stack.url, undefined, sending)
      expect([reply.status, headers.get('content-type'), headers.get('content-security-policy')]).toEqual([
        status,
        'text/html; charset=utf-8',
        expect.stringContaining("default-src 'none'"),
      ])
      for (const said of ['<h1>You are not signed in</h1>', `<code id="request">${headers.get('x-request-id')}</code>`])
        expect(body).toContain(said)
      expect(body).not.toContain('SAMLResponse')
    }
    expect((await sendRaw(stack.url, undefined, { method: 'GET', path: `${signIn}/start` })).status).toBe(302)
    checked(
      `DELETE ${O}/saml/{samlProviderId}`,
      await client.orgs.deleteOrganizationSamlProvider(organization.id, provider.id),
    )
  })

  it('has used every published operation of identity', () => {
    const { published, unused } = publishedOf(api.identity)
    expect(unused).toEqual([])
    expect(published.length).toBeGreaterThan(30)
  })
})
