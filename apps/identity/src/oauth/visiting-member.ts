import type { Role } from '@recto/actor'
import * as users from '../users/users.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import * as sessions from './sessions.repository.ts'
import { findSignInToken } from './sign-in-token.ts'

/** A member of an organization by their session, as its sites know them. */
export interface VisitingMember {
  session: string
  endsAt: number
  user: string
  email: string
  name: string
  role: Role | null
  teams: string[]
}

/** The member of an organization whose session this is; null once it has ended, or its user is no member there with the token of the sign-in. */
export async function findVisitingMember(
  { db, oauthTtl }: Pick<BaseContext, 'db' | 'oauthTtl'>,
  { session, organization }: { session: string; organization: string },
): Promise<VisitingMember | null> {
  const row = await sessions.find(db, { uid: session })
  const signIn = row?.tokenId ? await findSignInToken(db, row.tokenId) : undefined
  const membership = signIn?.resolved.memberships.find(each => each.organization === organization)
  if (!row || !signIn || !membership) return null
  const { id: user, email, displayName: name } = await users.get(db, signIn.row.userId)
  const endsAt = row.createdAt.getTime() + oauthTtl.session * 1000
  return { session, endsAt, user, email, name, role: membership.role as Role | null, teams: membership.teams }
}
