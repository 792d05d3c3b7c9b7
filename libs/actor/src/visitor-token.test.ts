import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { Visitor } from './actor.ts'
import {
  looksLikeVisitorToken,
  signVisitorToken,
  verifyVisitorToken,
  visitorTokenKeys,
  visitorTokenWindow,
} from './visitor-token.ts'

const keys = visitorTokenKeys(['a secret of the tests of 32 characters'])
const [key] = keys
const visitor: Visitor = { organization: 'o', site: 's', version: 3, spaces: ['a', 'b'], claims: { plan: 'pro' } }
const place = { siteSpace: 'ss', space: 'a' }
const windowStart = Math.ceil(Date.now() / visitorTokenWindow) * visitorTokenWindow
const sign = (now: number, changes: Partial<Visitor> = {}) =>
  signVisitorToken({ visitor: { ...visitor, ...changes }, place, now }, keys)
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

describe('the token of a visitor', () => {
  it('is the same within a window, and another for another visitor or window', async () => {
    const first = await sign(windowStart)
    expect(await sign(windowStart + visitorTokenWindow - 1)).toBe(first)
    expect(await sign(windowStart + visitorTokenWindow)).not.toBe(first)
    expect(await sign(windowStart, { claims: { plan: 'free' } })).not.toBe(first)
    expect(await sign(windowStart, { version: 4 })).not.toBe(first)
    expect(await sign(windowStart, { excludesAgents: true })).not.toBe(first)
  })

  it('is valid for at least the 120 seconds that readers need, and makes an actor without any rights of a user', async () => {
    const token = await sign(windowStart + visitorTokenWindow - 1)
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >
    expect(payload).toMatchObject({ kind: 'site', organization: 'o', site: 's', ...place, spaces: ['a', 'b'] })
    expect(payload.claims).toEqual({ plan: 'pro' })
    expect(Number(payload.exp) * 1000 - (windowStart + visitorTokenWindow)).toBeGreaterThan(120_000)
    const verified = await verifyVisitorToken(token, keys)
    expect(verified?.actor).toMatchObject({ kind: 'visitor', visitor, userId: '', scopes: [], memberships: [] })
    expect(verified?.expiresAt).toBe(Number(payload.exp) * 1000)
  })

  it.each([
    ['with its window', {}, 0],
    ['with its window, for what changed before', { since: windowStart - 5 }, 0],
    ['with what changed later', { since: windowStart + 5 }, 5],
  ])('begins %s', async (_when, changes, after) => {
    const verified = await verifyVisitorToken(await sign(windowStart + 10, changes), keys)
    expect(verified?.actor.visitor.since).toBe(windowStart + after)
  })

  it.each<Partial<Visitor>>([
    { excludesAgents: true },
    { previews: true },
    { showsDrafts: true },
    { showsGit: true },
    { revision: 'r' },
  ])('says %j to whoever verifies it', async says =>
    expect((await verifyVisitorToken(await sign(Date.now(), says), keys))?.actor.visitor).toMatchObject(says),
  )

  it('is valid after the secret was rotated, until the one that signed it is dropped', async () => {
    const token = await sign(Date.now())
    const rotated = visitorTokenKeys(['the next secret', 'a secret of the tests of 32 characters'])
    expect(await verifyVisitorToken(token, rotated)).toBeDefined()
    expect(await verifyVisitorToken(token, visitorTokenKeys(['the next secret']))).toBeUndefined()
    const next = await signVisitorToken({ visitor, place, now: Date.now() }, rotated)
    expect(await verifyVisitorToken(next, keys)).toBeUndefined()
  })

  it.each<[string, () => Promise<string> | string]>([
    ['is expired', () => sign(Date.now() - 3 * visitorTokenWindow)],
    [
      'is signed with another key',
      () => signVisitorToken({ visitor, place, now: Date.now() }, visitorTokenKeys(['another'])),
    ],
    ['is not signed', () => `${encoded({ alg: 'none' })}.${encoded({ kind: 'site', exp: 9_999_999_999 })}.`],
    [
      'is signed by another algorithm',
      () => {
        const signed = `${encoded({ alg: 'HS512' })}.${encoded({ kind: 'site', exp: 9_999_999_999 })}`
        return `${signed}.${createHmac('sha512', key).update(signed).digest('base64url')}`
      },
    ],
    [
      'is of another kind',
      () => {
        const signed = `${encoded({ alg: 'HS256' })}.${encoded({ kind: 'user', exp: 9_999_999_999 })}`
        return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
      },
    ],
    ['was changed', async () => (await sign(Date.now())).replace(/\.\w/, '.x')],
    ['is no token', () => 'recto_abc'],
  ])('is refused when it %s', async (_case, token) => {
    expect(await verifyVisitorToken(await token(), keys)).toBeUndefined()
  })
})

it.each([
  ['a.b.c', true],
  ['recto_abc', false],
  ['a.b', false],
  ['a.b.c.d', false],
])('%s looks like one: %s', (token, expected) => {
  expect(looksLikeVisitorToken(token)).toBe(expected)
})
