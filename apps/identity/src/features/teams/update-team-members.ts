import { identityEvents } from '@recto/contracts'
import { type Db, type Transaction } from '@recto/database'
import type { Membership, Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { inviteEmails } from '../../invites/invite-emails'
import * as pending from '../../invites/pending-invites.repository'
import * as members from '../../members/members.repository'
import { canAdminister } from '../../organizations/organizations.policy'
import * as organizations from '../../organizations/organizations.repository'
import { namedIn, planTeamChange, type TeamChange, type TeamPlan } from '../../members/team-change.rules'
import * as places from '../../members/team-members.repository'

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

/** Does what was planned. */
export async function applyPlan(tx: Transaction, which: Which, plan: TeamPlan): Promise<void> {
  await places.set(tx, which, plan.set)
  await places.remove(tx, which, plan.remove)
  await pending.removeFromTeam(tx, which, plan.withdraw)
  await tx.publish(identityEvents.actorChanged, {
    userIds: [...plan.set.map(({ userId }) => userId), ...plan.remove],
  })
  if (plan.invite.length === 0) return
  const { defaultRole } = await organizations.get(tx, which.organization)
  const invited = plan.invite.map(({ email, ...place }) => ({
    email,
    role: defaultRole as Role | null,
    place: { team: which.team, ...place },
  }))
  await inviteEmails(tx, which.organization, invited)
}
