import { setTimeout as sleep } from 'node:timers/promises'
import type { Role } from '@recto/actor'
import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aContentResponder, type ContentResponder } from '../test/content-responder.ts'
import { aMember, anOrganization, aUser, signedIn, type TestUser } from '../test/factories.ts'
import { anIdentity, type IdentityClient, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
let content: ContentResponder
let organization: { id: string; admin: TestUser }
let admin: IdentityClient
let domain: string
beforeAll(async () => {
  identity = await anIdentity()
  content = await aContentResponder(identity)
})
beforeEach(async () => {
  domain = `${createId().toLowerCase()}.test`
  organization = await anOrganization(identity, { emailDomains: ['other.test', domain] })
  admin = await organization.admin.client()
})
afterAll(async () => {
  await content.stop()
  await identity.stop()
})

const here = () => ({ organizationId: organization.id })
const aLink = async (role: Role | null = 'edit') =>
  (await admin.createOrganizationInvite({ params: here(), body: { role } })).id
const aSpaceLink = async (space: string, level: Role | null = 'comment') =>
  (await admin.createOrganizationInvite({ params: here(), body: { level, space } })).id
const use = (client: IdentityClient, inviteId: string) =>
  client.joinOrganizationWithInvite({ params: { ...here(), inviteId } })
const join = (client: IdentityClient) => client.joinOrganization({ params: here() })
const membershipOf = async ({ token }: TestUser) =>
  (await identity.actorOf(token))?.memberships.find(membership => membership.organization === organization.id)
const remove = ({ id }: TestUser) => admin.removeMemberFromOrganizationById({ params: { ...here(), userId: id } })
const fromDomain = (name = domain) => aUser(identity, { email: `${createId()}@${name}` })

describe('joining with a link', () => {
  it.each<Role | null>(['edit', 'admin', null])('assigns its role %s, effective from the next request', async role => {
    const user = await aUser(identity)
    expect(await use(await user.client(), await aLink(role))).toEqual({})
    expect(await membershipOf(user)).toMatchObject({ role })
  })

  it('assigns the current role of the link', async () => {
    const user = await aUser(identity)
    const inviteId = await aLink('admin')
    await admin.updateOrganizationInviteById({ params: { ...here(), inviteId }, body: { role: 'read' } })
    await use(await user.client(), inviteId)
    expect(await membershipOf(user)).toMatchObject({ role: 'read' })
  })

  it.each<Role>(['read', 'create'])('does not change a member who is %s', async role => {
    const user = await aMember(identity, organization.id, role)
    const inviteId = await aLink('edit')
    for (let times = 0; times < 2; times += 1) expect(await use(await user.client(), inviteId)).toEqual({})
    expect(await membershipOf(user)).toMatchObject({ role })
  })

  it('to a space adds a guest who can read it', async () => {
    const user = await aUser(identity)
    const space = content.aSpace(organization.id)
    await use(await user.client(), await aSpaceLink(space))
    expect(await membershipOf(user)).toMatchObject({ role: null })
    expect(content.grantedRole(space, user.id)).toBe('comment')
  })

  it('to a space grants its level to members too, and never lowers a grant', async () => {
    const user = await aMember(identity, organization.id, 'read')
    const space = content.aSpace(organization.id)
    for (const level of ['edit', 'comment'] as const) await use(await user.client(), await aSpaceLink(space, level))
    expect(content.grantedRole(space, user.id)).toBe('edit')
    expect(await membershipOf(user)).toMatchObject({ role: 'read' })
  })

  it.each<Role | undefined>(['read', undefined])(
    'to a space does not restore a revoked grant of a member who is %s',
    async role => {
      const user = role ? await aMember(identity, organization.id, role) : await aUser(identity)
      const space = content.aSpace(organization.id)
      const client = await user.client()
      const inviteId = await aSpaceLink(space, 'edit')
      await use(client, inviteId)
      content.revoke(space, user.id)
      expect(await use(client, inviteId)).toEqual({})
      expect(content.grantedRole(space, user.id)).toBeUndefined()
    },
  )

  it('to a space without a level adds a guest without a grant', async () => {
    const user = await aUser(identity)
    const space = content.aSpace(organization.id)
    await use(await user.client(), await aSpaceLink(space, null))
    expect(await membershipOf(user)).toMatchObject({ role: null })
    expect(content.grantedRole(space, user.id)).toBeUndefined()
  })

  it('is not_found when the link is unknown, deleted, of another organization or turned off, or its target is deleted', async () => {
    const client = await (await aUser(identity)).client()
    const missing = { code: 'not_found', message: 'There is no such invite' }
    const deleted = await aLink()
    const space = content.aSpace(organization.id)
    await admin.deleteOrganizationInviteById({ params: { ...here(), inviteId: deleted } })
    const gone = await aSpaceLink(space)
    content.remove(space)
    const elsewhere = await anOrganization(identity)
    const foreign = await (
      await elsewhere.admin.client()
    ).createOrganizationInvite({ params: { organizationId: elsewhere.id }, body: { role: 'read' } })
    for (const inviteId of ['nothing', deleted, gone, foreign.id])
      await expect(use(client, inviteId)).rejects.toMatchObject(missing)
    const off = await aLink()
    await admin.updateOrganizationById({ params: here(), body: { inviteLinks: false } })
    await expect(use(client, off)).rejects.toMatchObject(missing)
    await admin.updateOrganizationById({ params: here(), body: { inviteLinks: true } })
    expect(await use(client, off)).toEqual({})
  })

  it('does not readmit a removed member, while another link does', async () => {
    const user = await aUser(identity)
    const space = content.aSpace(organization.id)
    for (const inviteId of [await aLink(), await aSpaceLink(space)]) {
      await use(await user.client(), inviteId)
      await remove(user)
      await expect(use(await user.client(), inviteId)).rejects.toMatchObject({
        code: 'conflict',
        message: 'You have joined with this invite before',
      })
      expect(await membershipOf(user)).toBeUndefined()
    }
    await use(await user.client(), await aLink('read'))
    expect(await membershipOf(user)).toMatchObject({ role: 'read' })
  })

  it('does not raise the grant of a removed member', async () => {
    const user = await aUser(identity)
    const space = content.aSpace(organization.id)
    const inviteId = await aSpaceLink(space, 'read')
    await use(await user.client(), inviteId)
    await remove(user)
    await admin.updateOrganizationInviteById({ params: { ...here(), inviteId }, body: { level: 'admin' } })
    expect(await failure(use(await user.client(), inviteId))).toBe('conflict')
    expect(content.grantedRole(space, user.id)).toBe('read')
  })

  it('changes nothing while content is unavailable, and works when it is available again', async () => {
    const user = await aUser(identity)
    const inviteId = await aSpaceLink(content.aSpace(organization.id), 'read')
    await content.stop()
    expect(await failure(use(await user.client(), inviteId))).toBe('unavailable')
    expect(await membershipOf(user)).toBeUndefined()
    content = await aContentResponder(identity)
    const other = await aSpaceLink(content.aSpace(organization.id), 'read')
    expect(await use(await user.client(), other)).toEqual({})
  })
})

describe('joining by e-mail domain', () => {
  it('adds a member with the default role', async () => {
    await admin.updateOrganizationById({ params: here(), body: { defaultRole: 'review' } })
    const user = await fromDomain(domain.toUpperCase())
    expect(await join(await user.client())).toBeUndefined()
    expect(await membershipOf(user)).toMatchObject({ role: 'review' })
  })

  it('does not change existing members', async () => {
    const user = await fromDomain()
    const client = await (await fromDomain()).client()
    await join(await user.client())
    await admin.updateMemberInOrganizationById({ params: { ...here(), userId: user.id }, body: { role: 'create' } })
    await join(await user.client())
    expect(await membershipOf(user)).toMatchObject({ role: 'create' })
    for (let times = 0; times < 2; times += 1) expect(await join(client)).toBeUndefined()
    expect(await join(await (await aMember(identity, organization.id)).client())).toBeUndefined()
  })

  it('is not_found for other domains, as for an unknown organization', async () => {
    const users = [await fromDomain(`docs.${domain}`), await fromDomain(`not-${domain}`), await aUser(identity)]
    for (const user of users) {
      const client = await user.client()
      await expect(join(client)).rejects.toMatchObject({ code: 'not_found', message: 'There is no such organization' })
      await expect(client.joinOrganization({ params: { organizationId: 'nothing' } })).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is no such organization',
      })
      expect(await membershipOf(user)).toBeUndefined()
    }
  })
})

describe('joining and single sign-on', () => {
  it('a token issued by single sign-on cannot join', async () => {
    const elsewhere = await anOrganization(identity)
    const user = await aMember(identity, elsewhere.id, 'admin', { email: `${createId()}@${domain}` })
    const client = await signedIn(identity, elsewhere.id, user)
    expect([await failure(use(client, await aLink())), await failure(join(client))]).toEqual(['forbidden', 'forbidden'])
    expect(await membershipOf(user)).toBeUndefined()
  })

  it('an organization that requires it is joined by its sign-in only', async () => {
    const user = await fromDomain()
    const inviteId = await aLink()
    const spaceLink = await aSpaceLink(content.aSpace(organization.id))
    await admin.updateOrganizationById({ params: here(), body: { sso: true } })
    const client = await user.client()
    const refused = { code: 'forbidden', message: expect.stringContaining('single sign-on') }
    const attempts = [use(client, inviteId), use(client, spaceLink), join(client)]
    await Promise.all(attempts.map(attempt => expect(attempt).rejects.toMatchObject(refused)))
    expect(await failure(join(await (await aUser(identity)).client()))).toBe('not_found')
    await admin.updateOrganizationById({ params: here(), body: { sso: false } })
    expect(await membershipOf(user)).toBeUndefined()
  })

  it('members whose token lacks it are refused, and admins are not', async () => {
    const member = await aMember(identity, organization.id, 'read')
    const space = content.aSpace(organization.id)
    const inviteId = await aSpaceLink(space)
    await admin.updateOrganizationById({ params: here(), body: { sso: true } })
    expect([await failure(use(await member.client(), inviteId)), await failure(join(await member.client()))]).toEqual([
      'forbidden',
      'forbidden',
    ])
    expect(content.grantedRole(space, member.id)).toBeUndefined()
    expect([await use(admin, inviteId), await join(admin)]).toEqual([{}, undefined])
  })
})

describe('concurrently', () => {
  it('joining twice with one link creates one membership', async () => {
    const links = [await aLink('edit'), await aSpaceLink(content.aSpace(organization.id))]
    for (const inviteId of links) {
      for (let turn = 0; turn < 8; turn += 1) {
        const user = await aUser(identity)
        const client = await user.client()
        const uses = [0, 0, turn, turn + 1].map(place => sleep(place).then(() => use(client, inviteId)))
        expect(await Promise.all(uses)).toEqual([{}, {}, {}, {}])
        const { memberships } = (await identity.actorOf(user.token)) ?? {}
        expect(memberships).toEqual([
          { organization: organization.id, role: inviteId === links[0] ? 'edit' : null, teams: [] },
        ])
        await remove(user)
        expect(await failure(use(client, inviteId))).toBe('conflict')
      }
    }
  })

  it('joining with two links and by domain creates one membership', async () => {
    const one = await aLink('edit')
    const two = await aLink('read')
    const user = await fromDomain()
    const client = await user.client()
    expect(await Promise.all([use(client, one), use(client, two), join(client)])).toEqual([{}, {}, undefined])
    expect((await identity.actorOf(user.token))?.memberships).toHaveLength(1)
  })

  it('joining while the link is deleted either succeeds or is not_found', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => aUser(identity)))
    const clients = await Promise.all(users.map(user => user.client()))
    for (let turn = 0; turn < 10; turn += 1) {
      const inviteId = await aLink()
      const joining = clients.map((client, place) => sleep(place).then(() => failure(use(client, inviteId))))
      await sleep(turn)
      await admin.deleteOrganizationInviteById({ params: { ...here(), inviteId } })
      const codes = await Promise.all(joining)
      expect([undefined, 'not_found']).toEqual(expect.arrayContaining(codes))
      const joined = await Promise.all(users.map(async user => (await membershipOf(user)) !== undefined))
      expect(joined).toEqual(codes.map(code => code === undefined))
      await Promise.all(users.map(remove))
    }
  })
})
