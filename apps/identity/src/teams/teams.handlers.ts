import { identityEvents, teams } from '@recto/contracts'
import { tellEvent, type Db } from '@recto/database'
import { createId, Failure, implement, type Membership } from '@recto/operation'
import { actorOf, type Context } from '../context.ts'
import { lockEmails } from '../invites/pending.repository.ts'
import * as members from '../members/members.repository.ts'
import { canAdminister, canListPeople, notAllowed, requireIn } from '../organizations/organizations.policy.ts'
import { requireStill } from '../organizations/standing.ts'
import { acceptedPlan, applyPlan } from './changing.ts'
import { presentTeam, presentTeams } from './present.ts'
import * as places from './team-members.repository.ts'
import { isEmail, namedIn } from './team-change.rules.ts'
import { canManageTeamMembers, teamCan } from './teams.policy.ts'
import * as repository from './teams.repository.ts'
import { requireTeamView } from './viewing.ts'

export const teamHandlers = implement<Context>()(teams, {
  async listTeamsInOrganizationById({ params, query }, context) {
    const organization = params.organizationId
    requireIn(actorOf(context), organization, canListPeople)
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
    requireIn(actorOf(context), organization, canAdminister)
    const team = { id: createId(), organizationId: organization, title: body.title, createdAt: new Date() }
    const userIds = [...new Set(body.members)]
    const told = await context.db.transaction(async db => {
      await requireStill(db, actorOf(context), { organization, can: canAdminister })
      await requireMembers(db, organization, body.members)
      await repository.insert(db, team)
      await places.set(
        db,
        { organization, team: team.id },
        userIds.map(userId => ({ userId, role: 'member' })),
      )
      return tellEvent(db, identityEvents.actorChanged, { userIds })
    })
    context.signal(told)
    context.locate(`${context.publicUrl}/v1/orgs/${organization}/teams/${team.id}`)
    return presentTeam(context, { ...team, members: userIds.length })
  },

  async getTeamInOrganizationById({ params }, context) {
    return presentTeam(context, await viewed(context, params))
  },

  async updateTeamInOrganizationById({ params, body }, context) {
    requireIn(actorOf(context), params.organizationId, teamCan.admin)
    const team = await context.db.transaction(async db => {
      await requireStill(db, actorOf(context), { organization: params.organizationId, can: teamCan.admin })
      await repository.rename(db, whichIn(params), body.title)
      return repository.get(db, whichIn(params))
    })
    return presentTeam(context, team)
  },

  async removeTeamFromOrganizationById({ params }, context) {
    requireIn(actorOf(context), params.organizationId, canAdminister)
    const told = await context.db.transaction(async db => {
      await requireStill(db, actorOf(context), { organization: params.organizationId, can: canAdminister })
      const userIds = await repository.remove(db, whichIn(params))
      if (!userIds) return []
      const deleted = { organization: params.organizationId, team: params.teamId, at: new Date().toISOString() }
      return [
        await tellEvent(db, identityEvents.actorChanged, { userIds }),
        await tellEvent(db, identityEvents.teamDeleted, deleted),
      ]
    })
    told.forEach(context.signal)
    return undefined
  },

  async updateMembersInOrganizationTeam({ params, body }, context) {
    await requireManager(context, params)
    const told = await context.db.transaction(async db => {
      await lockEmails(db, namedIn(body).filter(isEmail))
      const membership = await requireManagerStill(db, context, params)
      await repository.get(db, whichIn(params))
      const plan = await acceptedPlan(db, { which: whichIn(params), change: body, membership })
      return applyPlan(db, whichIn(params), plan)
    })
    told.forEach(context.signal)
    return undefined
  },

  async addMemberToOrganizationTeamById({ params, body }, context) {
    await requireManager(context, params)
    const told = await context.db.transaction(async db => {
      await requireManagerStill(db, context, params)
      await repository.get(db, whichIn(params))
      await members.get(db, { organization: params.organizationId, userId: params.userId })
      const role = body.role ?? (await places.roleOf(db, whichIn(params), params.userId)) ?? 'member'
      await places.set(db, whichIn(params), [{ userId: params.userId, role }])
      return tellEvent(db, identityEvents.actorChanged, { userIds: [params.userId] })
    })
    context.signal(told)
    return undefined
  },

  async deleteMemberFromOrganizationTeamById({ params }, context) {
    await requireManager(context, params)
    const told = await context.db.transaction(async db => {
      await requireManagerStill(db, context, params)
      await places.remove(db, whichIn(params), [params.userId])
      return tellEvent(db, identityEvents.actorChanged, { userIds: [params.userId] })
    })
    context.signal(told)
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
  await requireRight(context.db, requireIn(actorOf(context), params.organizationId), {
    ...whichIn(params),
    ...actorOf(context),
  })
}

/** The same as it is now, until the transaction ends; gives the membership. */
async function requireManagerStill(db: Db, context: Context, params: Which): Promise<Membership> {
  const membership = await requireStill(db, actorOf(context), { organization: params.organizationId })
  await requireRight(db, membership, { ...whichIn(params), ...actorOf(context) })
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
