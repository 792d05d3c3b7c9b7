import { hashToken } from '@recto/actor'
import type { TokenScope } from '@recto/contracts-shared'
import { describe, expect, it } from '@jest/globals'
import { issueToken, presentToken } from './tokens.rules.ts'

const now = new Date('2026-01-01T00:00:00Z')
const issue = (scopes: TokenScope[], issuerScopes: string[], expiresAt?: string) =>
  issueToken({ name: 'ci', scopes, expiresAt }, { userId: 'me', issuerScopes, now })

describe('issueToken', () => {
  it('stores the hash of the token and shows its last four characters only', () => {
    const { row, token } = issue(['read'], ['admin'])
    expect(row.hash).toBe(hashToken(token))
    expect(JSON.stringify(presentToken(row))).not.toContain(token.slice(0, -4))
    expect(presentToken(row).hint).toBe(token.slice(-4))
  })

  it('stores a token that is limited so that it is not found by its hash alone', () => {
    const limitedTo = { spaces: ['s'], collections: [], sites: [] }
    const request = { name: 'ci', scopes: ['read' as const], limitedTo }
    const { row, token } = issueToken(request, { userId: 'me', issuerScopes: ['read'], now })
    expect(row).toMatchObject({ hash: `limited:${hashToken(token)}`, limitedTo })
  })

  it.each<[TokenScope[], string[], boolean]>([
    [['read'], ['read'], true],
    [['write'], ['read'], false],
    [['read', 'write', 'admin'], ['admin'], true],
    [['admin'], ['read', 'write'], false],
    [['space:read', 'space:write'], ['write'], true],
    [['space:write'], ['read'], false],
    [['user:tokens:write'], ['write'], false],
    [['space:read'], ['space:read'], true],
    [['space:read'], ['space:write'], false],
    [['read'], ['space:read', 'site:read'], false],
  ])('grants %j from a token with %j: %s', (scopes, held, allowed) => {
    const attempt = () => issue(scopes, held)
    if (allowed) expect(attempt).not.toThrow()
    else expect(attempt).toThrow('cannot grant it')
  })

  it.each<[string | undefined, string | undefined]>([
    [undefined, '2026-02-01T00:00:00.000Z'],
    ['2026-01-15T00:00:00Z', '2026-01-15T00:00:00.000Z'],
    ['2026-02-01T00:00:00Z', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01T00:00:01Z', undefined],
  ])(
    'issued with a token that expires in February, a token requested to expire at %s expires at %s',
    (expiresAt, expected) => {
      const make = () =>
        issueToken(
          { name: 'ci', scopes: ['read'], expiresAt },
          { userId: 'me', issuerScopes: ['read'], issuerExpiresAt: Date.parse('2026-02-01T00:00:00Z'), now },
        )
      if (expected) expect(make().row.expiresAt?.toISOString()).toBe(expected)
      else expect(make).toThrow('must not be after')
    },
  )

  it('refuses an expiry that has passed', () => {
    expect(() => issue(['read'], ['read'], '2025-12-31T23:59:59Z')).toThrow('must be in the future')
    expect(issue(['read'], ['read'], '2026-01-02T00:00:00Z').row.expiresAt).toEqual(new Date('2026-01-02T00:00:00Z'))
  })

  it.each<[string[] | undefined, string[] | undefined, string[] | null | 'refused']>([
    [undefined, undefined, null],
    [['192.0.2.0/24'], undefined, ['192.0.2.0/24']],
    [undefined, ['192.0.2.0/24'], ['192.0.2.0/24']],
    [['192.0.2.0/24'], ['192.0.2.0/24', '2001:db8::1'], ['192.0.2.0/24']],
    [['192.0.2.7'], ['192.0.2.0/24'], 'refused'],
    [['192.0.2.0/24', '0.0.0.0/0'], ['192.0.2.0/24'], 'refused'],
  ])('allows %j from a token with %j: %j', (allowedAddresses, issuerAddresses, expected) => {
    const attempt = () =>
      issueToken(
        { name: 'ci', scopes: ['read'], allowedAddresses },
        { userId: 'me', issuerScopes: ['read'], issuerAddresses, now },
      )
    if (expected === 'refused') expect(attempt).toThrow('is not in the list of the issuing token')
    else expect(attempt().row.allowedAddresses).toEqual(expected)
  })
})
