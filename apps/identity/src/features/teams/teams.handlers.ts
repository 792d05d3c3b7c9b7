import { identityEvents, teams } from '@recto/contracts'
import { type Db } from '@recto/database'
import type { Membership } from '@recto/actor'
import { createId, Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../../shared/context'
import { lockEmails } from '../../invites/pending-invites.repository'
import * as members from '../../members/members.repository'
import { canAdminister, canListPeople, notAllowed, requireIn } from '../../organizations/organizations.policy'
import { requireStill } from '../../members/current-membership'
import { acceptedPlan, applyPlan } from './update-team-members'
import { presentTeam, presentTeams } from '../../members/present-teams'
import * as places from '../../members/team-members.repository'
import { isEmail, namedIn } from '../../members/team-change.rules'
import { canManageTeamMembers, teamCan } from '../../members/teams.policy'
import * as repository from '../../members/teams.repository'
import { requireTeamView } from '../../members/require-team'

export const teamFeature = feature<BaseContext>()(teams, {
  async listTeamsInOrganizationById({ params, query }, context) {
    const organization = params.organizationId
    requireIn(context.actor, organization, canListPeople)
    const owner =
      query.owner === undefined ? undefined : await members.get(context.db, { organization, userId: query.owner })
    // Who administers the organization can manage every team.
    const ownedBy = owner && owner.role !== 'admin' ? owner.userId : undefined
    const page = await repository.listOf(
      context.db,
      { organization, title: query.title, ownedBy },
      { ...query, cursorKey: context.cursorKey() },
    )
    return { ...page, items: await presentTeams(context, organization, page.items) }
  },

  async createOrganizationTeam({ params, body }, context) {
    const organization = params.organizationId
    requireIn(context.actor, organization, canAdminister)
    const team = { id: createId(), organizationId: organization, title: body.title, createdAt: new Date() }
    const userIds = [...new Set(body.members)]
    await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization, can: canAdminister })
      await requireMembers(tx, organization, body.members)
      await repository.insert(tx, team)
      await places.set(
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
    return presentTeam(context, await viewed(context, params))
  },

  async updateTeamInOrganizationById({ params, body }, context) {
    requireIn(context.actor, params.organizationId, teamCan.admin)
    const team = await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization: params.organizationId, can: teamCan.admin })
      await repository.rename(tx, whichIn(params), body.title)
      return repository.get(tx, whichIn(params))
    })
    return presentTeam(context, team)
  },

  async removeTeamFromOrganizationById({ params }, context) {
    requireIn(context.actor, params.organizationId, canAdminister)
    await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const userIds = await repository.remove(tx, whichIn(params))
      if (!userIds) return
      const deleted = { organization: params.organizationId, team: params.teamId, at: new Date().toISOString() }
      await tx.publish(identityEvents.actorChanged, { userIds })
      await tx.publish(identityEvents.teamDeleted, deleted)
    })
    return undefined
  },

  async updateMembersInOrganizationTeam({ params, body }, context) {
    await requireManager(context, params)
    await context.transaction(async tx => {
      await lockEmails(tx, namedIn(body).filter(isEmail))
      const membership = await requireManagerStill(tx, context, params)
      await repository.get(tx, whichIn(params))
      const plan = await acceptedPlan(tx, { which: whichIn(params), change: body, membership })
      await applyPlan(tx, whichIn(params), plan)
    })
    return undefined
  },

  async addMemberToOrganizationTeamById({ params, body }, context) {
    await requireManager(context, params)
    await context.transaction(async tx => {
      await requireManagerStill(tx, context, params)
      await repository.get(tx, whichIn(params))
      await members.get(tx, { organization: params.organizationId, userId: params.userId })
      const role = body.role ?? (await places.roleOf(tx, whichIn(params), params.userId)) ?? 'member'
      await places.set(tx, whichIn(params), [{ userId: params.userId, role }])
      await tx.publish(identityEvents.actorChanged, { userIds: [params.userId] })
    })
    return undefined
  },

  async deleteMemberFromOrganizationTeamById({ params }, context) {
    await requireManager(context, params)
    await context.transaction(async tx => {
      await requireManagerStill(tx, context, params)
      await places.remove(tx, whichIn(params), [params.userId])
      await tx.publish(identityEvents.actorChanged, { userIds: [params.userId] })
    })
    return undefined
  },
})

interface Which {
  organizationId: string
  teamId: string
}

function whichIn({ organizationId, teamId }: Which): { organization: string; team: string } {
  return { organization: organizationId, team: teamId }
}

/** The team, for who may see it. */
async function viewed(context: Context, params: Which): Promise<repository.TeamView> {
  await requireTeamView(context, whichIn(params))
  return repository.get(context.db, whichIn(params))
}

/** Refuses who does not manage the members of the team. */
async function requireManager(context: Context, params: Which): Promise<void> {
  await requireRight(context.db, requireIn(context.actor, params.organizationId), {
    ...whichIn(params),
    ...context.actor,
  })
}

/** The same as it is now, until the transaction ends; gives the membership. */
async function requireManagerStill(db: Db, context: Context, params: Which): Promise<Membership> {
  const membership = await requireStill(db, context.actor, { organization: params.organizationId })
  await requireRight(db, membership, { ...whichIn(params), ...context.actor })
  return membership
}

async function requireRight(
  db: Db,
  membership: Membership,
  { userId, ...which }: { organization: string; team: string; userId: string },
): Promise<void> {
  if (!canManageTeamMembers(membership, await places.roleOf(db, which, userId))) throw notAllowed(membership)
}

async function requireMembers(db: Db, organization: string, userIds: string[]): Promise<void> {
  const known = await members.among(db, organization, userIds)
  const details = userIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `body.members.${index}`, message: 'is not a member of the organization' }],
  )
  if (details[0]) throw new Failure('not_found', `${details[0].path}: ${details[0].message}`, { details })
}
