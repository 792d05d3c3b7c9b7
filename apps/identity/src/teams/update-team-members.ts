import { identityEvents } from '@recto/contracts'
import { type Db, type Transaction } from '@recto/database'
import type { Membership, Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { inviteEmails } from '../invites/invite-emails.ts'
import * as pending from '../invites/pending-invites.repository.ts'
import * as members from '../members/members.repository.ts'
import { canAdminister } from '../organizations/organizations.policy.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { identifiersIn, planTeamChange, type TeamChange, type TeamPlan } from './team-change.rules.ts'
import * as teamMembers from './team-members.repository.ts'
import type { TeamKey } from './teams.repository.ts'

interface Update {
  key: TeamKey
  change: TeamChange
  membership: Membership
}

/** Plans a change of a team's members; throws `forbidden` when it invites people and the caller is no admin. */
export async function planUpdate(db: Db, { key, change, membership }: Update): Promise<TeamPlan> {
  const people = await members.findByIdOrEmail(db, key.organization, identifiersIn(change))
  const plan = planTeamChange(change, { ...people, current: await teamMembers.listMemberships(db, key) })
  if (plan.invite.length > 0 && !canAdminister(membership))
    throw new Failure('forbidden', 'Only admins can invite people to the organization')
  return plan
}

/** Applies a plan and publishes the change. */
export async function applyUpdate(tx: Transaction, key: TeamKey, plan: TeamPlan): Promise<void> {
  await teamMembers.upsert(tx, key, plan.set)
  await teamMembers.remove(tx, key, plan.remove)
  await pending.withdrawTeamInvites(tx, key, plan.withdraw)
  await tx.publish(identityEvents.actorChanged, {
    userIds: [...plan.set.map(({ userId }) => userId), ...plan.remove],
  })
  if (plan.invite.length === 0) return
  const { defaultRole } = await organizations.get(tx, key.organization)
  const invited = plan.invite.map(({ email, ...team }) => ({
    email,
    role: defaultRole as Role | null,
    team: { team: key.team, ...team },
  }))
  await inviteEmails(tx, key.organization, invited)
}
