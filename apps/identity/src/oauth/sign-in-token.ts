import type { Db } from '@recto/database'
import { resolveToken, type ResolvedToken } from '../members/resolve-token.repository.ts'
import type { TokenRow } from '../users/token.entity.ts'
import * as tokens from '../users/tokens.repository.ts'

/** The token that a person has signed in with. What they allow ends with it, and is no more than it may do. */
export interface SignInToken {
  row: TokenRow
  resolved: ResolvedToken
}

/** The token of a sign-in by its id; undefined once it is revoked or expired, or its owner has no organization left that takes it. */
export async function findSignInToken(db: Db, id: string): Promise<SignInToken | undefined> {
  const row = await tokens.find(db, { id })
  if (!row) return undefined
  const resolved = await resolveToken(db, row.hash)
  return resolved && hasPlace(resolved) ? { row, resolved } : undefined
}

/** The token of a sign-in by its hash. */
export async function findSignInTokenByHash(db: Db, hash: string): Promise<SignInToken | undefined> {
  const row = await tokens.findByHash(db, hash)
  return row && findSignInToken(db, row.id)
}

function hasPlace({ platformAdmin, memberships }: ResolvedToken): boolean {
  return platformAdmin || memberships.length > 0
}
