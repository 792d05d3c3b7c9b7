import { query } from '@recto/database'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { identityDatabase } from '../database.ts'
import { seed, seedOrganization } from './seed.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

it('creates an organization of the requested size, with the first administrator as its admin', async () => {
  const organizationId = await seedOrganization(identity.service.db, { members: 50, teams: 20, title: 'Large' })
  const client = await identity.as(adminToken)
  expect(await client.getOrganizationById({ params: { organizationId } })).toMatchObject({
    title: 'Large',
    permissions: { admin: true },
  })
  const { count, items } = await client.listMembersInOrganizationById({ params: { organizationId } })
  expect([count, new Set(items.map(({ role }) => role)).size]).toEqual([50, 7])
  const teams = await client.listTeamsInOrganizationById({ params: { organizationId } })
  expect([teams.count, Math.max(...teams.items.map(({ members }) => members))]).toEqual([20, 20])
})

it('can create several organizations, and the smallest one', async () => {
  const organizationId = await seedOrganization(identity.service.db, { members: 1, teams: 3, title: 'Small' })
  const client = await identity.as(adminToken)
  expect(await client.listMembersInOrganizationById({ params: { organizationId } })).toMatchObject({ count: 1 })
  expect(await client.listTeamsInOrganizationById({ params: { organizationId } })).toMatchObject({
    count: 3,
    items: [{ members: 0 }, { members: 0 }, { members: 0 }],
  })
})

it.each([
  ['--members', '0'],
  ['--members', 'many'],
  ['--teams', '-1'],
  ['--teams', '1.5'],
])('refuses %s %s and creates nothing', async (option, value) => {
  const before = await query(identity.service.db, 'select id from organizations')
  await expect(seed(identityDatabase('postgres://nowhere'), [`${option}=${value}`])).rejects.toThrow(
    `${option} must be an integer`,
  )
  expect(await query(identity.service.db, 'select id from organizations')).toEqual(before)
})
