import { createToken, hashToken } from '@recto/actor'
import { allows, createId, Failure, type Scope } from '@recto/operation'
import type { TokenRow } from './token.entity'

interface TokenRequest {
  name: string
  scopes: Scope[]
  expiresAt?: string | undefined
}

/** What is known of the token that another one is made with. */
interface Issuer {
  userId: string
  held: string[]
  /** When it ends, milliseconds since the epoch. */
  ends?: number | undefined
  sso?: string | undefined
  now: Date
}

/** Makes a token: it can do no more than the token it is made with, nor elsewhere, nor longer, and must not have expired already. */
export function issueToken(
  request: TokenRequest,
  { userId, held, ends, sso, now }: Issuer,
): { row: TokenRow; token: string } {
  const beyond = request.scopes.find(scope => !allows(held, scope))
  if (beyond) throw new Failure('forbidden', `A token without the scope ${beyond} cannot give it`)
  const longest = ends === undefined ? null : new Date(ends)
  const expiresAt = request.expiresAt === undefined ? longest : new Date(request.expiresAt)
  if (longest && expiresAt && expiresAt > longest)
    throw new Failure('forbidden', `A token that ends at ${longest.toISOString()} cannot make one that ends later`)
  if (expiresAt && expiresAt <= now) {
    const details = [{ path: 'body.expiresAt', message: 'must be in the future' }]
    throw new Failure('invalid_request', 'body.expiresAt: must be in the future', { details })
  }
  const token = createToken()
  return {
    token,
    row: {
      ...describeToken(token),
      name: request.name,
      scopes: request.scopes,
      userId,
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
      ssoOrganization: sso ?? null,
    },
  }
}

/** What is kept of a token: never the token. */
export function describeToken(token: string): Pick<TokenRow, 'id' | 'hash' | 'hint'> {
  return { id: createId(), hash: hashToken(token), hint: token.slice(-4) }
}

export function presentToken(row: TokenRow) {
  return {
    object: 'token' as const,
    id: row.id,
    name: row.name,
    scopes: row.scopes as Scope[],
    createdAt: row.createdAt.toISOString(),
    ...(row.expiresAt && { expiresAt: row.expiresAt.toISOString() }),
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt.toISOString() }),
    hint: row.hint,
  }
}
