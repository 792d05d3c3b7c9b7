import { Failure } from '@recto/operation'
import type { Context } from '../shared/context'
import { requireIn } from '../organizations/organizations.policy'
import { roleOf } from './team-members.repository'
import { teamCan } from './teams.policy'

/** For who may not see a team it does not exist. */
export async function requireTeamView(context: Context, which: { organization: string; team: string }): Promise<void> {
  const { actor } = context
  const membership = requireIn(actor, which.organization)
  if (!teamCan.view(membership, await roleOf(context.db, which, actor.userId)))
    throw new Failure('not_found', 'There is no such team')
}
