import type { Account, KoaContextWithOIDC } from 'oidc-provider'
import { findSignInToken, type SignInToken } from './sign-in-token.ts'
import * as clients from '../grants/clients.repository.ts'
import { currentWork } from './current-work.ts'

/** A sign-in, which is what the library knows as an account: what it allows ends with it. */
export interface SignInAccount extends Account {
  userId: string
}

/** The account of a sign-in; undefined once it has ended, or when tokens are wanted for a program of an organization that its user has left. */
export async function accountOf(
  ctx: KoaContextWithOIDC,
  id: string,
  source?: unknown,
): Promise<SignInAccount | undefined> {
  const { db } = currentWork().context
  const signIn = await findSignInToken(db, id)
  const clientId = ctx.oidc.client?.clientId
  const isForMembers = source && clientId !== undefined && ctx.oidc.route !== 'introspection'
  if (!signIn || (isForMembers && !(await mayUse(signIn, clientId)))) return undefined
  return { accountId: id, userId: signIn.row.userId, claims: () => Promise.resolve({ sub: signIn.row.userId }) }
}

/** Whether a program is for a user: that of an organization is for its members. */
export async function mayUse({ resolved }: SignInToken, clientId: string): Promise<boolean> {
  const client = await clients.find(currentWork().context.db, clientId)
  const organization = client?.organizationId
  return organization == null || resolved.memberships.some(membership => membership.organization === organization)
}
