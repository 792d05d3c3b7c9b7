import { Failure } from '@recto/operation'
import { requireMembership } from '../organizations/organizations.policy.ts'
import type { Context } from '../shared/context.ts'
import { findRole } from './team-members.repository.ts'
import { teamCan } from './teams.policy.ts'
import type { TeamKey } from './teams.repository.ts'

/** Throws `not_found` when the caller must not see the team; whether it exists is not checked. */
export async function requireReadableTeam(context: Context, key: TeamKey): Promise<void> {
  const { actor } = context
  const membership = requireMembership(actor, key.organization)
  if (!teamCan.view(membership, await findRole(context.db, key, actor.userId)))
    throw new Failure('not_found', 'There is no such team')
}
