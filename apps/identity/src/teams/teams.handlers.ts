import { identityEvents } from '@recto/contracts-identity-bus'
import { teams } from '@recto/contracts-identity'
import { recorded } from '@recto/contracts-shared'
import { type Db, type Transaction } from '@recto/database'
import { roleForbids, type Membership, type Role } from '@recto/actor'
import { createId, Failure, feature, fieldFaults } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { inviteEmails } from '../invites/invite-emails.ts'
import * as pendingInvites from '../invites/pending-invites.repository.ts'
import * as members from '../members/members.repository.ts'
import { canAdminister, canListMembers, requireMembership } from '../organizations/organizations.policy.ts'
import { requireCurrentMembership } from '../members/current-membership.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { presentTeam, presentTeams } from './present-teams.ts'
import { removeTeamMembers, setTeamMembers } from './change-team-members.ts'
import { deleteTeam } from './delete-team.ts'
import * as teamMembers from './team-members.repository.ts'
import { isEmail, identifiersIn, planTeamChange, type TeamChange, type TeamPlan } from './team-change.rules.ts'
import { canManageTeamMembers, teamCan } from './teams.policy.ts'
import * as repository from './teams.repository.ts'
import { requireReadableTeam } from './require-team.ts'

export const teamFeature = feature<BaseContext>()(teams, {
  async listTeamsInOrganizationById({ params, query }, context) {
    const organization = params.organizationId
    requireMembership(context.actor, organization, canListMembers)
    const owner =
      query.owner === undefined ? undefined : await members.get(context.db, { organization, userId: query.owner })
    // Admins of the organization own every team in effect.
    const ownedBy = owner && owner.role !== 'admin' ? owner.userId : undefined
    const page = await repository.list(
      context.db,
      { organization, title: query.title, ownedBy },
      { ...query, cursorKey: context.cursorKey() },
    )
    return { ...page, items: await presentTeams(context, organization, page.items) }
  },

  async createOrganizationTeam({ params, body }, context) {
    const organization = params.organizationId
    requireMembership(context.actor, organization, canAdminister)
    const team = { id: createId(), organizationId: organization, title: body.title, createdAt: new Date() }
    const userIds = [...new Set(body.members)]
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
      await requireMembers(tx, organization, body.members)
      await repository.insert(tx, team)
      tx.record(recorded('team.created', { organization, team: team.id }))
      await setTeamMembers(
        tx,
        { organization, team: team.id },
        userIds.map(userId => ({ userId, role: 'member' })),
      )
      await tx.publish(identityEvents.actorChanged, { userIds })
    })
    context.setLocation(`${context.publicUrl}/v1/orgs/${organization}/teams/${team.id}`)
    return presentTeam(context, { ...team, members: userIds.length })
  },

  async getTeamInOrganizationById({ params }, context) {
    return presentTeam(context, await getReadableTeam(context, params))
  },

  async updateTeamInOrganizationById({ params, body }, context) {
    requireMembership(context.actor, params.organizationId, teamCan.admin)
    const team = await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: teamCan.admin })
      const isRenamed = await repository.rename(tx, teamKey(params), body.title)
      if (isRenamed) tx.record(recorded('team.updated', { ...teamKey(params), details: { fields: ['title'] } }))
      return repository.get(tx, teamKey(params))
    })
    return presentTeam(context, team)
  },

  async removeTeamFromOrganizationById({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      await deleteTeam(tx, teamKey(params))
    })
    return undefined
  },

  async updateMembersInOrganizationTeam({ params, body }, context) {
    await requireTeamManager(context, params)
    await context.transaction(async tx => {
      await pendingInvites.lockEmails(tx, identifiersIn(body).filter(isEmail))
      const membership = await requireCurrentTeamManager(tx, context, params)
      await repository.get(tx, teamKey(params))
      const plan = await planUpdate(tx, { key: teamKey(params), change: body, membership })
      await applyUpdate(tx, teamKey(params), plan)
    })
    return undefined
  },

  async addMemberToOrganizationTeamById({ params, body }, context) {
    await requireTeamManager(context, params)
    await context.transaction(async tx => {
      await requireCurrentTeamManager(tx, context, params)
      await repository.get(tx, teamKey(params))
      await members.get(tx, { organization: params.organizationId, userId: params.userId })
      const role = body.role ?? (await teamMembers.findRole(tx, teamKey(params), params.userId)) ?? 'member'
      await setTeamMembers(tx, teamKey(params), [{ userId: params.userId, role }])
      await tx.publish(identityEvents.actorChanged, { userIds: [params.userId] })
    })
    return undefined
  },

  async deleteMemberFromOrganizationTeamById({ params }, context) {
    await requireTeamManager(context, params)
    await context.transaction(async tx => {
      await requireCurrentTeamManager(tx, context, params)
      await removeTeamMembers(tx, teamKey(params), [params.userId])
      await tx.publish(identityEvents.actorChanged, { userIds: [params.userId] })
    })
    return undefined
  },
})

interface TeamParams {
  organizationId: string
  teamId: string
}

function teamKey({ organizationId, teamId }: TeamParams): repository.TeamKey {
  return { organization: organizationId, team: teamId }
}

/** The team; throws `not_found` when the caller must not see it. */
async function getReadableTeam(context: Context, params: TeamParams): Promise<repository.TeamView> {
  await requireReadableTeam(context, teamKey(params))
  return repository.get(context.db, teamKey(params))
}

/** Throws `forbidden` when the caller does not manage the members of the team. */
async function requireTeamManager(context: Context, params: TeamParams): Promise<void> {
  await checkTeamManager(context.db, requireMembership(context.actor, params.organizationId), {
    ...teamKey(params),
    ...context.actor,
  })
}

/** Like `requireTeamManager`, with the current membership locked until the transaction ends; returns it. */
async function requireCurrentTeamManager(db: Db, context: Context, params: TeamParams): Promise<Membership> {
  const membership = await requireCurrentMembership(db, context.actor, { organization: params.organizationId })
  await checkTeamManager(db, membership, { ...teamKey(params), ...context.actor })
  return membership
}

async function checkTeamManager(
  db: Db,
  membership: Membership,
  { userId, ...key }: repository.TeamKey & { userId: string },
): Promise<void> {
  if (!canManageTeamMembers(membership, await teamMembers.findRole(db, key, userId))) throw roleForbids(membership.role)
}

async function requireMembers(db: Db, organization: string, userIds: string[]): Promise<void> {
  const memberIds = await members.findMemberIds(db, organization, userIds)
  const faults = userIds.flatMap((id, index) =>
    memberIds.has(id) ? [] : [{ path: `body.members.${index}`, message: 'is not a member of the organization' }],
  )
  if (faults.length > 0) throw fieldFaults(faults, 'not_found')
}

interface Update {
  key: repository.TeamKey
  change: TeamChange
  membership: Membership
}

/** Plans a change of a team's members; throws `forbidden` when it invites people and the caller is no admin. */
async function planUpdate(db: Db, { key, change, membership }: Update): Promise<TeamPlan> {
  const people = await members.findByIdOrEmail(db, key.organization, identifiersIn(change))
  const plan = planTeamChange(change, { ...people, current: await teamMembers.listMemberships(db, key) })
  if (plan.invite.length > 0 && !canAdminister(membership))
    throw new Failure('forbidden', 'Only admins can invite people to the organization')
  return plan
}

/** Applies a plan, records it and publishes the change. */
async function applyUpdate(tx: Transaction, key: repository.TeamKey, plan: TeamPlan): Promise<void> {
  await setTeamMembers(tx, key, plan.set)
  await removeTeamMembers(tx, key, plan.remove)
  const { organization, team } = key
  for (const invite of await pendingInvites.withdrawTeamInvites(tx, key, plan.withdraw))
    tx.record(recorded('invite.updated', { organization, invite, team, details: { fields: ['teams'] } }))
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
