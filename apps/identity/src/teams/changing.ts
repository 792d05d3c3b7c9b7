import { identityEvents } from '@recto/contracts'
import { tellEvent, type Db, type OutgoingMessage } from '@recto/database'
import { Failure, type Membership, type Role } from '@recto/operation'
import { inviteEmails } from '../invites/inviting.ts'
import * as pending from '../invites/pending.repository.ts'
import * as members from '../members/members.repository.ts'
import { canAdminister } from '../organizations/organizations.policy.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { namedIn, planTeamChange, type TeamChange, type TeamPlan } from './team-change.rules.ts'
import * as places from './team-members.repository.ts'

interface Which {
  organization: string
  team: string
}

interface Request {
  which: Which
  change: TeamChange
  membership: Membership
}

/** Plans a change of a team's members; an e-mail of nobody is an invite, which is for who may invite. */
export async function acceptedPlan(db: Db, { which, change, membership }: Request): Promise<TeamPlan> {
  const named = await members.named(db, which.organization, namedIn(change))
  const plan = planTeamChange(change, { ...named, current: await places.placesIn(db, which) })
  if (plan.invite.length > 0 && !canAdminister(membership))
    throw new Failure('forbidden', 'Only an admin invites people to the organization')
  return plan
}

/** Does what was planned; returns what to signal after the commit. */
export async function applyPlan(db: Db, which: Which, plan: TeamPlan): Promise<OutgoingMessage[]> {
  await places.set(db, which, plan.set)
  await places.remove(db, which, plan.remove)
  await pending.removeFromTeam(db, which, plan.withdraw)
  const changed = await tellEvent(db, identityEvents.actorChanged, {
    userIds: [...plan.set.map(({ userId }) => userId), ...plan.remove],
  })
  if (plan.invite.length === 0) return [changed]
  const { defaultRole } = await organizations.get(db, which.organization)
  const invited = plan.invite.map(({ email, ...place }) => ({
    email,
    role: defaultRole as Role | null,
    place: { team: which.team, ...place },
  }))
  return [changed, ...(await inviteEmails(db, which.organization, invited)).told]
}
