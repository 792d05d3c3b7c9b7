import { identityEvents } from '@recto/contracts-identity-bus'
import { migrate, query, transact, type Transaction } from '@recto/database'
import { startDatabaseService, type RunningService } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, eventually, type TestDatabase } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { contentDatabase } from '../database.ts'
import { aContent, aGrant, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
let database: TestDatabase
let identity: RunningService

/** Starts a service with an outbox that has the name and the permissions of identity. */
async function startIdentity(): Promise<RunningService> {
  const log = createLog({ service: 'identity', level: 'silent' })
  const api = { operations: {}, handlers: {} }
  return startDatabaseService({
    secret: ['a secret of at least 32 characters'],
    name: 'identity',
    natsUrl: content.natsUrlFor('identity'),
    database: contentDatabase(database.url, { poolSize: 3 }),
    log,
    api,
    build: () => ({ context: base => base }),
    redeliverAfter: 0.5,
  })
}
beforeAll(async () => {
  content = await aContent()
  database = await aDatabase({ template: 'content', migrate: async url => void (await migrate(contentDatabase(url))) })
  identity = await startIdentity()
})
afterAll(async () => {
  await identity.stop()
  await database.drop()
  await content.stop()
})

const removedAt = new Date()
const before = new Date(removedAt.getTime() - 1)
const after = new Date(removedAt.getTime() + 1)
/** Publishes an event as identity does, and returns the id of the message. */
async function publish(write: (tx: Transaction) => Promise<void>): Promise<string | undefined> {
  const published: string[] = []
  await transact(identity.db, ({ id }) => published.push(id), write)
  return published[0]
}
const remove = (user: string, of = organization) =>
  publish(tx => tx.publish(identityEvents.memberRemoved, { organization: of, user, at: removedAt.toISOString() }))
const waitForDelivery = () =>
  eventually(async () =>
    expect(
      await query(identity.db, `select id from outbox where done_at is null and not 'content' = any(acknowledged_by)`),
    ).toEqual([]),
  )
const sees = async (space: string, who: { user?: string; teams?: string[] }) => {
  const { items } = await content
    .as(null, who)
    .listSpacesInOrganizationById({ params: { organizationId: organization } })
  return items.some(({ id }) => id === space)
}

it('A removed member does not regain old grants by joining again, and keeps later grants', async () => {
  const old = await aSpace(content)
  const fresh = await aSpace(content)
  await aGrant(content, { space: old, user: 'ada', role: 'admin', createdAt: before })
  await aGrant(content, { space: fresh, user: 'ada', role: 'read', createdAt: after })
  await aGrant(content, { space: old, user: 'bob', role: 'read', createdAt: before })
  await remove('ada', 'another organization')
  await waitForDelivery()
  expect([await sees(old, { user: 'ada' }), await sees(fresh, { user: 'ada' })]).toEqual([true, true])
  await remove('ada')
  await waitForDelivery()
  expect([
    await sees(old, { user: 'ada' }),
    await sees(fresh, { user: 'ada' }),
    await sees(old, { user: 'bob' }),
  ]).toEqual([false, true, true])
})

it('A grant made after the removal is kept when the event arrives late', async () => {
  const space = await aSpace(content)
  await aGrant(content, { space, user: 'eve', role: 'read', createdAt: before })
  await content.access.grantSpace({ body: { organization, space, user: 'eve', standing: null, level: 'read' } })
  await remove('eve')
  await waitForDelivery()
  expect(await sees(space, { user: 'eve' })).toBe(true)
})

it('A deleted team loses its grants, and a user with the same id keeps theirs', async () => {
  const space = await aSpace(content)
  for (const subject of [{ team: 'reds' }, { team: 'blues' }, { user: 'reds' }])
    await aGrant(content, { space, ...subject, role: 'read', createdAt: before })
  await publish(tx =>
    tx.publish(identityEvents.teamDeleted, { organization, team: 'reds', at: removedAt.toISOString() }),
  )
  await waitForDelivery()
  expect([
    await sees(space, { teams: ['reds'] }),
    await sees(space, { teams: ['blues'] }),
    await sees(space, { user: 'reds' }),
  ]).toEqual([false, true, true])
})

it('A removal is not lost when the stream is deleted', async () => {
  const space = await aSpace(content)
  await aGrant(content, { space, user: 'leaver', role: 'read', createdAt: before })
  expect(await sees(space, { user: 'leaver' })).toBe(true)
  await content.service.stop()
  const id = await remove('leaver')
  await eventually(async () =>
    expect(
      await query(identity.db, 'select id from outbox where id = $1 and dispatches > 0 and done_at is null', [id]),
    ).toHaveLength(1),
  )
  await content.operator.manager.streams.delete('EVENTS')
  const again = await content.startAgain()
  await waitForDelivery()
  expect(await sees(space, { user: 'leaver' })).toBe(false)
  await again.stop()
})
