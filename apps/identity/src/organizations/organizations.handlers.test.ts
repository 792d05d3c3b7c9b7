import { createId } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

async function aUser(): Promise<string> {
  const admin = await identity.as(adminToken)
  const user = await admin.createUser({ body: { email: `${createId()}@recto.test`, displayName: 'Ada' } })
  const { token } = await admin.createTokenForUser({ params: { userId: user.id }, body: { name: 'first' } })
  return token
}

describe('organizations', () => {
  it('whoever creates one is its admin at once', async () => {
    const token = await aUser()
    const client = await identity.as(token)
    const made = await client.createOrganization({ body: { title: 'Docs', useCase: 'productDocs', emailDomains: ['recto.test'] } })
    expect(made).toMatchObject({ object: 'organization', title: 'Docs', type: 'business', permissions: { view: true, admin: true } })
    expect(await identity.actorOf(token)).toMatchObject({ memberships: [{ organization: made.id, role: 'admin', teams: [] }] })
    const member = await identity.as(token)
    expect(await member.getOrganizationById({ params: { organizationId: made.id } })).toEqual(made)
  })

  it('do not exist for those outside', async () => {
    const made = await (await identity.as(await aUser())).createOrganization({ body: { title: 'Hidden' } })
    const stranger = await identity.as(await aUser())
    const seen = await stranger.getOrganizationById({ params: { organizationId: made.id } }).catch((error: Error) => error.message)
    const absent = await stranger.getOrganizationById({ params: { organizationId: 'nothing' } }).catch((error: Error) => error.message)
    expect(seen).toBe(absent)
    expect(await stranger.listOrganizationsForAuthenticatedUser()).toEqual({ items: [], count: 0 })
  })

  it('are listed newest first, in pages that stay stable while others are made', async () => {
    const token = await aUser()
    const titles = ['one', 'two', 'three', 'four', 'five'].map(title => `the ${title}`)
    for (const title of titles) await (await identity.as(token)).createOrganization({ body: { title } })
    const client = await identity.as(token)
    const first = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 2 } })
    expect([first.items.map(({ title }) => title), first.count]).toEqual([['the five', 'the four'], 5])
    await client.createOrganization({ body: { title: 'later' } })
    const second = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 3, page: first.next?.page } })
    expect(second.items.map(({ title }) => title)).toEqual(['the three', 'the two', 'the one'])
    expect(second.next).toBeUndefined()
  })

  it.each([
    [{ limit: 1001 }, 'query.limit'],
    [{ limit: -1 }, 'query.limit'],
    [{ page: 'made-up' }, 'query.page'],
  ])('a list refuses %j', async (query, path) => {
    const client = await identity.as(await aUser())
    const refused = client.listOrganizationsForAuthenticatedUser({ query })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
  })

  it.each([
    [{ title: 'x' }, 'body.title'],
    [{ title: 'x'.repeat(256) }, 'body.title'],
    [{ title: 'fine', emailDomains: ['not a domain'] }, 'body.emailDomains.0'],
  ])('creating refuses %j', async (body, path) => {
    const client = await identity.as(await aUser())
    await expect(client.createOrganization({ body })).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
  })

  it('count the title in code points', async () => {
    const client = await identity.as(await aUser())
    expect(await client.createOrganization({ body: { title: '📚'.repeat(255) } })).toMatchObject({ title: '📚'.repeat(255) })
  })

  it('answers what it is', async () => {
    const client = await identity.as(await aUser())
    expect(await client.getApiInformation()).toEqual({ version: '1', build: 'test' })
  })
})
