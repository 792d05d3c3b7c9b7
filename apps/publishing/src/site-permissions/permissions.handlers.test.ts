import type { Role } from '@recto/actor'
import { identityEvents } from '@recto/contracts-identity-bus'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { replySchemas } from '@recto/testing'
import { aPublisher } from '../test/a-publisher.ts'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
/** The client of before knows no roles that a site decides. */
const today = replySchemas('gitbook-api-today')

let publishing: PublishingSetup
let identity: IdentityResponder
let params: { organizationId: string; siteId: string }
beforeAll(async () => {
  publishing = await aPublishing()
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
  identity.setMember('ada', 'create')
  identity.setMember('bob', 'read', ['writers'])
  identity.setMember('guest', null)
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})
beforeEach(async () => {
  const site = await ada().createSite({ params: { organizationId: organization } })
  params = { organizationId: organization, siteId: site.id }
})

const ada = () => publishing.as('create', 'ada')
const boss = () => publishing.as('admin')
const bob = () => publishing.as('read', 'bob', ['writers'])
const guest = () => publishing.as(null, 'guest')
const invite = (body: { role: Role | null; users?: string[]; teams?: string[] }, client = ada()) =>
  client.inviteToSite({ params, body })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
const rightsOf = async (client: ReturnType<typeof ada>) => {
  const { permissions } = await client.getSiteById({ params })
  return Object.entries(permissions).flatMap(([name, may]) => (may ? [name] : []))
}

describe('a grant', () => {
  it('raises a member, and its revocation lowers them', async () => {
    expect(await rightsOf(bob())).toEqual(['view', 'access', 'viewAdaptiveSchema'])
    await invite({ role: 'create', teams: ['writers'] })
    expect(await rightsOf(bob())).toContain('editAdaptiveSchema')
    expect(await bob().updateSiteById({ params, body: { title: 'Ours' } })).toMatchObject({ title: 'Ours' })
    await ada().updateTeamPermissionInSite({ params: { ...params, teamId: 'writers' }, body: { role: 'edit' } })
    expect(await failure(bob().updateSiteById({ params, body: { title: 'Ours' } }))).toBe('forbidden')
    await ada().removeTeamFromSite({ params: { ...params, teamId: 'writers' } })
    expect(await rightsOf(bob())).not.toContain('edit')
  })

  it('lets a guest see the site, in lists too', async () => {
    const listed = async () => (await guest().listSites({ params: { organizationId: organization } })).items
    expect(await listed()).toEqual([])
    await invite({ role: 'read', users: ['guest'] })
    expect((await listed()).map(({ id }) => id)).toEqual([params.siteId])
    await ada().removeUserFromSite({ params: { ...params, userId: 'guest' } })
    expect(await failure(guest().getSiteById({ params }))).toBe('not_found')
  })

  it('is listed with the user, or the team, that holds it', async () => {
    await invite({ role: 'edit', users: ['bob', 'guest'], teams: ['writers'] })
    const users = await ada().listUserPermissionsInSite({ params })
    expect(schemas.validateReply('listUserPermissionsInSite', 200, users)).toEqual([])
    expect(users.items.map(({ user, permission }) => [user.id, permission]).toSorted()).toEqual([
      ['bob', 'edit'],
      ['guest', 'edit'],
    ])
    const teams = await ada().listTeamPermissionsInSite({ params })
    expect(schemas.validateReply('listTeamPermissionsInSite', 200, teams)).toEqual([])
    expect(teams.items).toMatchObject([{ permission: 'edit', team: { id: 'writers', spaces: 2 } }])
  })

  it('to somebody outside the organization is refused, and nobody is granted anything', async () => {
    await expect(invite({ role: 'read', users: ['bob', 'nobody'], teams: ['nobody-team'] })).rejects.toMatchObject({
      code: 'not_found',
      details: [{ path: 'body.users.1' }, { path: 'body.teams.0' }],
    })
    expect((await ada().listUserPermissionsInSite({ params })).count).toBe(0)
    const change = ada().updateUserPermissionInSite({ params: { ...params, userId: 'bob' }, body: { role: 'read' } })
    expect(await failure(change)).toBe('not_found')
  })

  it('ends with the membership or the team; a later one stays', async () => {
    await invite({ role: 'edit', users: ['guest', 'bob'], teams: ['writers'] })
    const publisher = await aPublisher(publishing.natsUrlFor('identity'), 'identity')
    const later = new Date(Date.now() + 60_000).toISOString()
    const earlier = new Date(Date.now() - 60_000).toISOString()
    await publisher.publish(async tx => {
      await tx.publish(identityEvents.memberRemoved, { organization, user: 'guest', at: later })
      await tx.publish(identityEvents.memberRemoved, { organization, user: 'bob', at: earlier })
      await tx.publish(identityEvents.teamDeleted, { organization, team: 'writers', at: later })
    })
    await publisher.allAcknowledged()
    await publisher.stop()
    expect((await ada().listUserPermissionsInSite({ params })).items.map(({ user }) => user.id)).toEqual(['bob'])
    expect((await ada().listTeamPermissionsInSite({ params })).count).toBe(0)
  })
})

describe('nobody', () => {
  it('below `create` manages permissions, whom a site is closed to least of all', async () => {
    const denied = publishing.as('review', 'bob', ['writers'])
    expect(await failure(invite({ role: 'read', users: ['bob'] }, denied))).toBe('forbidden')
    expect(await failure(denied.listUserPermissionsInSite({ params }))).toBe('forbidden')
    expect(await failure(denied.removeUserFromSite({ params: { ...params, userId: 'ada' } }))).toBe('forbidden')
    await boss().updateSiteById({ params, body: { defaultLevel: null } })
    expect(await failure(invite({ role: 'read', users: ['bob'] }, denied))).toBe('not_found')
  })

  it('grants more than they have, or changes what is above them', async () => {
    expect(await failure(invite({ role: 'admin', users: ['ada'] }))).toBe('forbidden')
    await invite({ role: 'admin', users: ['bob'] }, boss())
    expect(await failure(invite({ role: 'read', users: ['bob'] }))).toBe('forbidden')
    expect(await failure(ada().removeUserFromSite({ params: { ...params, userId: 'bob' } }))).toBe('forbidden')
    expect(await failure(ada().updateSiteById({ params, body: { defaultLevel: 'admin' } }))).toBe('forbidden')
    expect(await failure(ada().deleteSiteById({ params }))).toBe('forbidden')
    await bob().deleteSiteById({ params })
    expect(await failure(ada().getSiteById({ params }))).toBe('not_found')
  })

  it('raises or lowers an admin by a grant that hides another', async () => {
    await invite({ role: 'admin', teams: ['writers'] }, boss())
    expect(await failure(invite({ role: 'read', users: ['bob'] }))).toBe('forbidden')
    await invite({ role: 'read', users: ['bob'] }, boss())
    expect(await failure(ada().removeUserFromSite({ params: { ...params, userId: 'bob' } }))).toBe('forbidden')
    await boss().removeUserFromSite({ params: { ...params, userId: 'bob' } })
    expect(await failure(bob().deleteSiteById({ params }))).toBeUndefined()
  })
})

describe('the default level', () => {
  it('inherits at first, so that members have their role in the organization', async () => {
    const site = await bob().getSiteById({ params })
    expect([site.defaultLevel, site.appliedType]).toEqual(['inherit', site.type])
  })

  it('raises all members, and no guest', async () => {
    await ada().updateSiteById({ params, body: { defaultLevel: 'create' } })
    expect(await rightsOf(bob())).toContain('admin')
    expect(await failure(guest().getSiteById({ params }))).toBe('not_found')
  })

  it('null closes the site to all but its creator, who is granted their role, and admins', async () => {
    await boss().updateSiteById({ params, body: { defaultLevel: null } })
    expect(await failure(bob().getSiteById({ params }))).toBe('not_found')
    expect(await rightsOf(ada())).toContain('admin')
    const listed = async (client: ReturnType<typeof ada>) =>
      (await client.listSites({ params: { organizationId: organization } })).items.map(({ id }) => id)
    expect(await listed(bob())).not.toContain(params.siteId)
    expect(await listed(ada())).toContain(params.siteId)
    expect(await listed(boss())).toContain(params.siteId)
    await bob().deleteSiteById({ params })
    expect(await rightsOf(boss())).toContain('admin')
  })
})

describe('listPermissionsAggregateInSite', () => {
  it('says what decides each role', async () => {
    await invite({ role: 'edit', users: ['guest'], teams: ['writers'] })
    const list = await bob().listPermissionsAggregateInSite({ params, query: { sort: 'name', order: 'asc' } })
    expect(today.validateReply('listPermissionsAggregateInSite', 200, list)).toEqual([])
    const { siteId: site } = params
    expect(list.items.map(({ user, permission, origin }) => [user.id, permission, origin])).toEqual([
      ['ada', 'create', { type: 'organization', organization }],
      ['bob', 'edit', { type: 'site', site, reason: 'team', team: 'writers' }],
      ['guest', 'edit', { type: 'site', site, reason: 'member' }],
    ])
    expect(await failure(guest().listPermissionsAggregateInSite({ params }))).toBe('forbidden')
  })

  it.each<[object, string[]]>([
    [{}, ['guest', 'bob', 'ada']],
    [{ order: 'asc' }, ['ada', 'bob', 'guest']],
    [{ role: 'guest' }, ['guest']],
    [{ role: 'edit' }, ['guest', 'bob']],
    [{ team: 'writers' }, ['bob']],
    [{ search: 'a', sort: 'name' }, ['ada']],
    [{ sort: 'lastSeenAt', order: 'asc' }, ['ada', 'bob', 'guest']],
  ])('filters and orders by %j', async (query, expected) => {
    await invite({ role: 'edit', users: ['guest', 'bob'] })
    const list = await ada().listPermissionsAggregateInSite({ params, query })
    expect(list.items.map(({ user }) => user.id)).toEqual(expected)
  })
})
