import { query, transact } from '@recto/database'
import { recordReader } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anOrganization, joinOrganization } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { issueToken } from '../users/tokens.rules.ts'
import { insertToken } from './member-records.ts'

let identity: IdentitySetup
beforeAll(async () => {
  identity = await anIdentity()
})
afterAll(() => identity.stop())

it('The record of a limited token in an organization names what of it the token is limited to, and nothing of another', async () => {
  const { id: acme, admin } = await anOrganization(identity)
  const { id: other } = await anOrganization(identity)
  await joinOrganization(identity, { organization: other, userId: admin.id, role: 'read' })
  const ofAcme = { spaces: ['manual'], collections: [], sites: [] }
  const limitedTo = { spaces: ['manual', 'secret'], collections: [], sites: ['docs'] }
  const ofOther = { spaces: ['secret'], collections: [], sites: ['docs'] }
  const request = { name: 'limited', scopes: ['read' as const], limitedTo }
  const allowedAddresses = ['192.0.2.7']
  const { row } = issueToken(
    { ...request, allowedAddresses },
    { userId: admin.id, issuerScopes: ['read'], now: new Date() },
  )
  const read = recordReader('identity', (sql, values) => query(identity.service.db, sql, values))
  await read()
  const limitsIn = new Map([
    [acme, ofAcme],
    [other, ofOther],
  ])
  await transact(
    identity.service.db,
    () => undefined,
    tx => insertToken(tx, row, limitsIn),
  )
  const records = await read()
  const isBound = records.map(({ details }) => details?.['isBoundToAddresses'])
  expect([isBound, JSON.stringify(records).includes('192.0.2.7')]).toEqual([[true, true], false])
  const limits = records.map(({ organization, details }) => [organization, details?.['limitedTo']])
  expect(new Map(limits as [string, object][])).toEqual(limitsIn)
})
