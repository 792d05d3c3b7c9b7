import { identityEvents } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { recordForUser } from '../members/member-records.ts'
import type { OAuthGrantRow } from '../grants/grant.entity.ts'
import * as grants from '../grants/grants.repository.ts'

/** Why a grant ends: its user or an admin ends it, its program gives it back, a code or a token of it was used twice, or the program is deleted. */
export type GrantEnd = 'user' | 'admin' | 'program' | 'replay' | 'client'

/** Ends a grant: its codes and tokens are gone, and gateways forget them at once. False when it was not there any more. */
export async function endGrant(tx: Transaction, grant: OAuthGrantRow, reason: GrantEnd): Promise<boolean> {
  if (!(await grants.remove(tx, grant.id))) return false
  await tx.publish(identityEvents.actorChanged, { userIds: [grant.userId] })
  await recordOfGrant(tx, grant, place => recorded('oauth-grant.ended', { ...place, details: { reason } }))
  return true
}

/** Records a change of a grant: in each organization of its user, or only in that whose single sign-on it came from. */
export async function recordOfGrant(
  tx: Transaction,
  { id: oauthGrant, userId: user, ssoOrganization: organization }: OAuthGrantRow,
  entryIn: (place: { organization: string; user: string; oauthGrant: string }) => ReturnType<typeof recorded>,
): Promise<void> {
  if (organization) tx.record(entryIn({ organization, user, oauthGrant }))
  else await recordForUser(tx, user, place => entryIn({ ...place, oauthGrant }))
}
