import { joinOrganization } from '../test/factories.ts'
import { createId } from '@recto/operation'
import { hashToken } from '@recto/actor'
import { busClient, onSignal } from '@recto/bus'
import { identityEvents, identityRpc } from '@recto/contracts-identity-bus'
import { query } from '@recto/database'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import * as tokens from './tokens.repository.ts'
import { issueToken } from './tokens.rules.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

async function aUser(): Promise<{ id: string; token: string }> {
  const admin = await identity.as(adminToken)
  const user = await admin.createUser({ body: { email: `${createId()}@recto.test`, displayName: 'Ada' } })
  const { token } = await admin.createTokenForUser({ params: { userId: user.id }, body: { name: 'first' } })
  return { id: user.id, token }
}

describe('users', () => {
  it('the first administrator is the holder of ADMIN_TOKEN', async () => {
    const client = await identity.as(adminToken)
    expect(await client.getAuthenticatedUser()).toMatchObject({
      object: 'user',
      email: 'admin@recto.test',
      displayName: 'Administrator',
    })
  })

  it('are created by a platform administrator', async () => {
    const { id, token } = await aUser()
    const client = await identity.as(token)
    expect(await client.getAuthenticatedUser()).toMatchObject({
      id,
      displayName: 'Ada',
      urls: { location: `http://recto.test/v1/users/${id}` },
    })
    await expect(client.createUser({ body: { email: 'eve@recto.test', displayName: 'Eve' } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(client.createTokenForUser({ params: { userId: id }, body: { name: 'x' } })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it('have a unique e-mail, compared case-insensitively', async () => {
    const admin = await identity.as(adminToken)
    const user = (email: string) => admin.createUser({ body: { email, displayName: 'Twin' } })
    await user('twin@recto.test')
    await expect(user('Twin@Recto.test')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('do not see each other without an organization in common', async () => {
    const [one, other] = await Promise.all([aUser(), aUser()])
    const client = await identity.as(one.token)
    await expect(client.getUserById({ params: { userId: other.id } })).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.getUserById({ params: { userId: 'nobody' } })).rejects.toMatchObject({ code: 'not_found' })
    expect(await client.getUserById({ params: { userId: one.id } })).toMatchObject({ id: one.id })
  })

  it('change their name and picture themselves', async () => {
    const one = await aUser()
    const other = await aUser()
    const client = await identity.as(one.token)
    const change = (userId: string, body: object) => client.updateUserById({ params: { userId }, body })
    expect(await change(one.id, { displayName: 'Grace', photoURL: 'https://recto.test/grace.png' })).toMatchObject({
      displayName: 'Grace',
      photoURL: 'https://recto.test/grace.png',
    })
    expect(await change(one.id, { displayName: 'Hopper' })).toMatchObject({
      displayName: 'Hopper',
      photoURL: 'https://recto.test/grace.png',
    })
    await expect(change(one.id, {})).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body' }] })
    await expect(change(one.id, { displayName: '', photoURL: 'ftp://recto.test' })).rejects.toMatchObject({
      details: [{ path: 'body.displayName' }, { path: 'body.photoURL' }],
    })
    await expect(change(other.id, { displayName: 'Eve' })).rejects.toMatchObject({ code: 'not_found' })
    const { id } = await client.createOrganization({ body: { title: 'Docs' } })
    await joinOrganization(identity, { organization: id, userId: other.id, role: 'read' })
    await expect(
      (await identity.as(one.token)).updateUserById({ params: { userId: other.id }, body: { displayName: 'Eve' } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    expect(
      await (
        await identity.as(adminToken)
      ).updateUserById({ params: { userId: other.id }, body: { displayName: 'Bob' } }),
    ).toMatchObject({ displayName: 'Bob' })
  })

  it('invalid input is refused naming every invalid field, and changes nothing', async () => {
    const admin = await identity.as(adminToken)
    const faulty = admin.createUser({ body: { email: 'no email', displayName: 'a\0b' } })
    await expect(faulty).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.email' }, { path: 'body.displayName', message: 'must not contain NUL' }],
    })
  })
})

describe('tokens', () => {
  it('are shown once, listed without their secret, and revoked', async () => {
    const { token } = await aUser()
    const client = await identity.as(token)
    const made = await client.createToken({ body: { name: 'ci', scopes: ['read'] } })
    expect(made.token).toMatch(/^recto_[0-9A-Za-z]{49}$/)
    expect(await identity.actorOf(made.token)).toMatchObject({ scopes: ['read'] })
    const listed = await client.listTokens()
    expect(listed).toMatchObject({
      count: 2,
      items: [{ id: made.id, name: 'ci', hint: made.token.slice(-4) }, { name: 'first' }],
    })
    expect(JSON.stringify(listed)).not.toContain(made.token)
    expect(await client.deleteToken({ params: { tokenId: made.id } })).toBeUndefined()
    expect(await identity.actorOf(made.token)).toBeNull()
  })

  it('are revoked by their owner only, idempotently', async () => {
    const [one, other] = await Promise.all([aUser(), aUser()])
    const mine = await identity.as(one.token)
    const theirs = await identity.as(other.token)
    const made = await mine.createToken({ body: { name: 'ci' } })
    await theirs.deleteToken({ params: { tokenId: made.id } })
    expect(await identity.actorOf(made.token)).not.toBeNull()
    await mine.deleteToken({ params: { tokenId: made.id } })
    await mine.deleteToken({ params: { tokenId: made.id } })
  })

  it('signal changed actors immediately, and the outbox publishes the event too', async () => {
    const { id, token } = await aUser()
    const heard: string[][] = []
    onSignal(identity.gateway, identityEvents.actorChanged, ({ userIds }) => void heard.push(userIds))
    await identity.gateway.connection.flush()
    const client = await identity.as(token)
    const made = await client.createToken({ body: { name: 'ci' } })
    await client.deleteToken({ params: { tokenId: made.id } })
    expect(heard).toContainEqual([id])
    await eventually(async () => {
      const [row] = await identity.service.db.query(
        `select count(*) as waiting from outbox where done_at is null and not 'events' = any(consumers)`,
      )
      expect(row).toEqual({ waiting: 0 })
    })
  })

  it('name the addresses that they are used from, and issue no token for others', async () => {
    const { token } = await aUser()
    const body = { name: 'office', allowedAddresses: ['192.0.2.0/24'] }
    const made = await (await identity.as(token)).createToken({ body })
    expect(made.allowedAddresses).toEqual(body.allowedAddresses)
    expect(await identity.actorOf(made.token)).toMatchObject({ allowedAddresses: body.allowedAddresses })
    const bound = await identity.as(made.token)
    expect((await bound.createToken({ body: { name: 'derived' } })).allowedAddresses).toEqual(body.allowedAddresses)
    const wider = bound.createToken({ body: { name: 'wider', allowedAddresses: ['0.0.0.0/0'] } })
    await expect(wider).rejects.toMatchObject({ code: 'forbidden' })
    const faulty = bound.createToken({ body: { name: 'faulty', allowedAddresses: ['office'] } })
    await expect(faulty).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('that are limited are found by no version that does not know limits', async () => {
    const { id: userId } = await aUser()
    const limitedTo = { spaces: ['s'], collections: [], sites: [] }
    const request = { name: 'limited', scopes: ['read' as const], limitedTo }
    const { row, token } = issueToken(request, { userId, issuerScopes: ['read'], now: new Date() })
    await tokens.insert(identity.service.db, row)
    expect(await identity.actorOf(token)).toMatchObject({ userId, limitedTo })
    // As the gateway of such a version asks, and as its identity looks.
    const hash = hashToken(token)
    const { resolveToken } = busClient(identity.gateway, identityRpc, { service: 'identity' })
    expect(await resolveToken({ body: { hash } })).toEqual({ actor: null })
    expect(await query(identity.service.db, 'select id from tokens where hash = $1', [hash])).toEqual([])
  })

  it('cannot grant scopes that they lack, and expire', async () => {
    const { token } = await aUser()
    const client = await identity.as(token)
    const reader = await client.createToken({
      body: { name: 'reader', scopes: ['read'], expiresAt: new Date(Date.now() + 300).toISOString() },
    })
    const limited = await identity.as(reader.token)
    await expect(limited.createToken({ body: { name: 'more' } })).rejects.toMatchObject({ code: 'forbidden' })
    await eventually(async () => expect(await identity.actorOf(reader.token)).toBeNull())
  })
})
