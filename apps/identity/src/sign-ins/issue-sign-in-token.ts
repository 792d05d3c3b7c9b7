import { actorOf, scopeGroups } from '@recto/operation'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import * as organizations from '../organizations/organizations.repository.ts'
import * as tokens from '../users/tokens.repository.ts'
import { issueToken, type SignInOrigin } from '../users/tokens.rules.ts'
import type { SignedIn } from './signed-in-page.ts'

interface CompletedSignIn {
  userId: string
  email: string
  /** The label of the provider, which the token is named after. */
  label: string
  signIn: SignInOrigin
  expiresAt: Date
  now: Date
}

/** Issues the token of a sign-in, and records it. Resolves to what the page at its end shows. */
export async function issueSignInToken(
  tx: Transaction,
  { userId, email, label, signIn, expiresAt, now }: CompletedSignIn,
): Promise<SignedIn> {
  const request = { name: `Single sign-on (${label})`, scopes: [...scopeGroups], expiresAt: expiresAt.toISOString() }
  const { row, token } = issueToken(request, { userId, issuerScopes: [...scopeGroups], signIn, now })
  await tokens.insert(tx, row)
  const { organization, provider, oidc } = signIn
  const origin = oidc ? { oidcProvider: oidc.provider } : { ...(provider && { samlProvider: provider }) }
  const place = { organization, user: userId, token: row.id, ...origin }
  tx.record(recorded('member.signed-in', { ...place, actor: actorOf({ userId }) }))
  const { title } = await organizations.get(tx, organization)
  return { email, organization: title, token, tokenId: row.id, expiresAt }
}
