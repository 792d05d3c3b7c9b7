import { collectionPermissions, collections, lifecycle, spacePermissions, spaces } from '@recto/contracts-content'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, sendOk, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { checkedReplies } from './walk.ts'

const { checked, publishedOf } = checkedReplies()

let stack: Installation
let organization: { id: string; admin: Person }
beforeAll(async () => {
  stack = await sharedStack()
  organization = await anOrganization(stack)
})

const O = '/orgs/{organizationId}'
const C = '/collections/{collectionId}'
const S = '/spaces/{spaceId}'
const admin = () => organization.admin.client
const role = (name: string | null) => name as never

async function aCollection(title: string, parent?: string): Promise<string> {
  return checked(
    `POST ${O}/collections`,
    await admin().orgs.createCollection(organization.id, { title, ...(parent !== undefined && { parent }) }),
  ).id
}

async function aSpace(title: string, parent?: string): Promise<string> {
  return checked(
    `POST ${O}/spaces`,
    await admin().orgs.createSpace(organization.id, { title, ...(parent !== undefined && { parent }) } as never),
  ).id
}

async function titlesIn(collection: string): Promise<string[]> {
  const { items } = checked(`GET ${C}/spaces`, await admin().collections.listSpacesInCollectionById(collection))
  return items.map(({ title }) => title)
}

/** A member and a team, to be given roles. */
async function somebody(): Promise<{ person: Person; team: string }> {
  const person = await aMember(stack, organization, null)
  const { data: team } = await admin().orgs.createOrganizationTeam(organization.id, {
    title: 'Writers',
    members: [person.id],
  })
  return { person, team: team.id }
}

describe('the published client', () => {
  it('creates nested collections, and changes them', async () => {
    const outer = await aCollection('Outer')
    const inner = await aCollection('Inner', outer)
    const changed = checked(
      `PATCH ${C}`,
      await admin().collections.updateCollectionById(inner, {
        title: 'Guides',
        description: 'How to',
        defaultLevel: role('edit'),
      } as never),
    )
    expect(changed).toMatchObject({
      title: 'Guides',
      description: 'How to',
      parent: outer,
      defaultLevel: 'edit',
      permissions: { view: true, admin: true, create: true },
    })
    expect(checked(`GET ${C}`, await admin().collections.getCollectionById(inner))).toEqual(changed)
    const list = async (nested: boolean) =>
      checked(
        `GET ${O}/collections`,
        await admin().orgs.listCollectionsInOrganizationById(organization.id, { nested }),
      ).items.map(({ id }) => id)
    expect(await list(true)).toEqual(expect.arrayContaining([inner, outer]))
    expect(await list(false)).not.toContain(inner)
  })

  it('creates spaces, and changes them', async () => {
    const parent = await aCollection('Products')
    const space = await aSpace('Manual', parent)
    const changed = checked(
      `PATCH ${S}`,
      await admin().spaces.updateSpaceById(space, {
        title: 'Handbook',
        emoji: '1f4d6',
        editMode: 'locked',
        language: 'de',
      } as never),
    )
    expect(changed).toMatchObject({
      title: 'Handbook',
      emoji: '1f4d6',
      editMode: 'locked',
      language: 'de',
      parent,
      visibility: 'in-collection',
      permissions: { admin: true, edit: true },
    })
    expect(checked(`GET ${S}`, await admin().spaces.getSpaceById(space))).toEqual(changed)
    const { items } = checked(
      `GET ${O}/spaces`,
      await admin().orgs.listSpacesInOrganizationById(organization.id, { limit: 1 }),
    )
    expect(items).toEqual([changed])
  })

  it('orders and moves spaces and collections', async () => {
    const here = await aCollection('Here')
    const there = await aCollection('There')
    const one = await aSpace('One', here)
    const two = await aSpace('Two', here)
    const three = await aSpace('Three', here)
    checked(
      `POST ${S}/move`,
      await admin().spaces.moveSpace(three, {
        position: { before: { type: 'space', space: two }, after: { type: 'space', space: one } },
      } as never),
    )
    expect(await titlesIn(here)).toEqual(['One', 'Three', 'Two'])
    expect(checked(`POST ${S}/move`, await admin().spaces.moveSpace(one, { parent: there }))).toMatchObject({
      parent: there,
    })
    expect([await titlesIn(here), await titlesIn(there)]).toEqual([['Three', 'Two'], ['One']])
    expect(
      checked(
        `POST ${C}/move`,
        await admin().collections.moveCollection(there, {
          parent: here,
          position: { before: { type: 'space', space: three } },
        } as never),
      ),
    ).toMatchObject({ parent: here })
    await expect(admin().collections.moveCollection(here, { parent: there })).rejects.toMatchObject({ code: 400 })
    await expect(admin().spaces.moveSpace(one, { parent: there })).rejects.toMatchObject({ code: 409 })
  })

  it('copies, deletes and restores a space', async () => {
    const space = await aSpace('Manual')
    expect(checked(`POST ${S}/duplicate`, await admin().spaces.duplicateSpace(space))).toMatchObject({
      title: 'Manual (copy)',
    })
    checked(`DELETE ${S}`, await admin().spaces.deleteSpaceById(space))
    expect(checked(`GET ${S}`, await admin().spaces.getSpaceById(space))).toMatchObject({
      deletedAt: expect.any(String),
    })
    await expect(admin().spaces.updateSpaceById(space, { title: 'No' } as never)).rejects.toMatchObject({ code: 409 })
    expect(checked(`POST ${S}/restore`, await admin().spaces.restoreSpace(space))).not.toHaveProperty('deletedAt')
    checked(`DELETE ${S}`, await admin().spaces.deleteSpaceById('nothing'))
  })

  it('deletes a collection with everything in it', async () => {
    const collection = await aCollection('Old')
    const inner = await aCollection('Older', collection)
    const space = await aSpace('Oldest', collection)
    checked(`DELETE ${C}`, await admin().collections.deleteCollectionById(collection))
    checked(`DELETE ${C}`, await admin().collections.deleteCollectionById(collection))
    for (const gone of [collection, inner])
      await expect(admin().collections.getCollectionById(gone)).rejects.toMatchObject({ code: 404 })
    const restored = checked(`POST ${S}/restore`, await admin().spaces.restoreSpace(space))
    expect(restored).not.toHaveProperty('parent')
  })

  it('transfers spaces and collections to another organization', async () => {
    const target = await sendOk<{ id: string }>(stack, organization.admin, {
      method: 'POST',
      path: '/orgs',
      body: { title: 'Other' },
    })
    const space = await aSpace('Gift')
    const collection = await aCollection('Gifts')
    const inside = await aSpace('Inside', collection)
    expect(
      checked(`POST ${S}/transfer`, await admin().spaces.transferSpace(space, { organization: target.id })),
    ).toMatchObject({ organization: target.id })
    expect(
      checked(
        `POST ${C}/transfer`,
        await admin().collections.transferCollection(collection, { organization: target.id }),
      ),
    ).toMatchObject({ organization: target.id })
    expect(checked(`GET ${S}`, await admin().spaces.getSpaceById(inside))).toMatchObject({
      organization: target.id,
      parent: collection,
    })
    await expect(admin().spaces.transferSpace(space, { organization: target.id })).rejects.toMatchObject({ code: 409 })
    await expect(admin().spaces.transferSpace(inside, { organization: 'nothing' })).rejects.toMatchObject({ code: 404 })
  })

  it('manages permissions of a space', async () => {
    const space = await aSpace('Shared')
    const { person, team } = await somebody()
    const client = admin().spaces
    const path = [space, person.id] as const
    await expect(person.client.spaces.getSpaceById(space)).rejects.toMatchObject({ code: 404 })
    checked(
      `POST ${S}/permissions`,
      await client.inviteToSpace(space, { role: role('read'), users: [person.id], teams: [team] }),
    )
    expect(checked(`GET ${S}`, await person.client.spaces.getSpaceById(space))).toMatchObject({
      permissions: { view: true, edit: false },
    })
    checked(
      `PATCH ${S}/permissions/users/{userId}`,
      await client.updateUserPermissionInSpace(...path, { role: role('edit') }),
    )
    checked(
      `PATCH ${S}/permissions/teams/{teamId}`,
      await client.updateTeamPermissionInSpace(space, team, { role: role('comment') }),
    )
    expect(checked(`GET ${S}/permissions/users`, await client.listUserPermissionsInSpace(space))).toMatchObject({
      count: 1,
      items: [{ permission: 'edit', user: { id: person.id } }],
    })
    expect(checked(`GET ${S}/permissions/teams`, await client.listTeamPermissionsInSpace(space))).toMatchObject({
      count: 1,
      items: [{ permission: 'comment', team: { id: team, spaces: 1 } }],
    })
    expect(
      checked(
        `GET ${S}/permissions/aggregate`,
        await client.listPermissionsAggregateInSpace(space, { role: role('edit') }),
      ),
    ).toMatchObject({ count: 1, items: [{ user: { id: person.id } }] })
    const seen = checked(
      `GET ${O}/members/{userId}/spaces`,
      await admin().orgs.listSpacesForOrganizationMember(organization.id, person.id),
    )
    expect(seen).toMatchObject({ count: 1, items: [{ permission: 'edit', space: { id: space } }] })
    checked(`DELETE ${S}/permissions/users/{userId}`, await client.removeUserFromSpace(...path))
    expect((await person.client.spaces.getSpaceById(space)).data.permissions).toMatchObject({
      comment: true,
      edit: false,
    })
    checked(`DELETE ${S}/permissions/teams/{teamId}`, await client.removeTeamFromSpace(space, team))
    await expect(person.client.spaces.getSpaceById(space)).rejects.toMatchObject({ code: 404 })
  })

  it('manages permissions of a collection', async () => {
    const collection = await aCollection('Shared')
    const { person, team } = await somebody()
    const client = admin().collections
    const space = await aSpace('Inside', collection)
    const path = [collection, person.id] as const
    checked(
      `POST ${C}/permissions`,
      await client.inviteToCollection(collection, { role: role('read'), users: [person.id], teams: [team] }),
    )
    expect((await person.client.spaces.getSpaceById(space)).data.permissions).toMatchObject({ view: true, edit: false })
    checked(
      `PATCH ${C}/permissions/users/{userId}`,
      await client.updateUserPermissionInCollection(...path, { role: role('edit') }),
    )
    checked(
      `PATCH ${C}/permissions/teams/{teamId}`,
      await client.updateTeamPermissionInCollection(collection, team, { role: role('comment') }),
    )
    expect(
      checked(`GET ${C}/permissions/users`, await client.listUserPermissionsInCollection(collection)),
    ).toMatchObject({ count: 1, items: [{ permission: 'edit' }] })
    expect(
      checked(`GET ${C}/permissions/teams`, await client.listTeamPermissionsInCollection(collection)),
    ).toMatchObject({ count: 1, items: [{ permission: 'comment' }] })
    expect(
      checked(`GET ${C}/permissions/aggregate`, await client.listPermissionsAggregateInCollection(collection)),
    ).toMatchObject({ count: 2 })
    checked(`DELETE ${C}/permissions/users/{userId}`, await client.removeUserFromCollection(...path))
    checked(`DELETE ${C}/permissions/teams/{teamId}`, await client.removeTeamFromCollection(collection, team))
    await expect(person.client.spaces.getSpaceById(space)).rejects.toMatchObject({ code: 404 })
  })

  it('has used every published operation of spaces, collections, permissions and lifecycle', () => {
    const { published, unused } = publishedOf({
      ...spaces,
      ...collections,
      ...spacePermissions,
      ...collectionPermissions,
      ...lifecycle,
    })
    expect(unused).toEqual([])
    expect(published.length).toBeGreaterThan(30)
  })
})
