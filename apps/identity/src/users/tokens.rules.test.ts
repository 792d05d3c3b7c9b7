import { hashToken } from '@recto/actor'
import { type Scope } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { issueToken, presentToken } from './tokens.rules'

const now = new Date('2026-01-01T00:00:00Z')
const issue = (scopes: Scope[], held: string[], expiresAt?: string) =>
  issueToken({ name: 'ci', scopes, expiresAt }, { userId: 'me', held, now })

describe('issueToken', () => {
  it('keeps the hash of the token and shows its last characters only', () => {
    const { row, token } = issue(['read'], ['admin'])
    expect(row.hash).toBe(hashToken(token))
    expect(JSON.stringify(presentToken(row))).not.toContain(token.slice(0, -4))
    expect(presentToken(row).hint).toBe(token.slice(-4))
  })

  it.each<[Scope[], string[], boolean]>([
    [['read'], ['read'], true],
    [['write'], ['read'], false],
    [['read', 'write', 'admin'], ['admin'], true],
    [['admin'], ['read', 'write'], false],
  ])('gives %j from a token with %j: %s', (scopes, held, allowed) => {
    const attempt = () => issue(scopes, held)
    if (allowed) expect(attempt).not.toThrow()
    else expect(attempt).toThrow('cannot give it')
  })

  it.each<[string | undefined, string | undefined]>([
    [undefined, '2026-02-01T00:00:00.000Z'],
    ['2026-01-15T00:00:00Z', '2026-01-15T00:00:00.000Z'],
    ['2026-02-01T00:00:00Z', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01T00:00:01Z', undefined],
  ])('made with a token that ends in February and asked to end at %s ends at %s', (expiresAt, expected) => {
    const make = () =>
      issueToken(
        { name: 'ci', scopes: ['read'], expiresAt },
        { userId: 'me', held: ['read'], ends: Date.parse('2026-02-01T00:00:00Z'), now },
      )
    if (expected) expect(make().row.expiresAt?.toISOString()).toBe(expected)
    else expect(make).toThrow('cannot make one that ends later')
  })

  it('refuses an expiry that has passed', () => {
    expect(() => issue(['read'], ['read'], '2025-12-31T23:59:59Z')).toThrow('must be in the future')
    expect(issue(['read'], ['read'], '2026-01-02T00:00:00Z').row.expiresAt).toEqual(new Date('2026-01-02T00:00:00Z'))
  })
})
