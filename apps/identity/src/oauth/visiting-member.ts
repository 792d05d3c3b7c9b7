import type { Role } from '@recto/actor'
import type { VisitingMember } from '@recto/contracts-identity-bus'
import * as users from '../users/users.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import type { OAuthSessionRow } from './session.entity.ts'
import * as sessions from './sessions.repository.ts'
import { findSignInToken } from './sign-in-token.ts'
import { mayReadSites } from './visit.rules.ts'

/** A member of an organization, and their session. */
interface Visiting {
  member: VisitingMember
  row: OAuthSessionRow
}

/**
 * The member of an organization whose session this is; undefined once it has ended, or when its user is no member there, or reads no
 * sites, with the token of the sign-in.
 */
export async function findVisiting(
  { db, oauthTtl }: Pick<BaseContext, 'db' | 'oauthTtl'>,
  { session, organization }: { session: string; organization: string },
): Promise<Visiting | undefined> {
  const row = await sessions.find(db, { uid: session })
  const signIn = row?.tokenId ? await findSignInToken(db, row.tokenId) : undefined
  const membership = signIn?.resolved.memberships.find(each => each.organization === organization)
  if (!row || !signIn || !membership || !mayReadSites(signIn.resolved.scopes)) return undefined
  const { id: user, email, displayName: name } = await users.get(db, signIn.row.userId)
  const endsAt = row.createdAt.getTime() + oauthTtl.session * 1000
  const { role, teams } = membership
  return { member: { session, endsAt, user, email, name, role: role as Role | null, teams }, row }
}
