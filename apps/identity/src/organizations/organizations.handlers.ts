import { identityEvents, organizations } from '@recto/contracts'
import { tellEvent } from '@recto/database'
import { implement, membershipIn } from '@recto/operation'
import { actorOf, type Context } from '../context.ts'
import { organizationsWithOwn } from '../teams/team-members.repository.ts'
import * as users from '../users/users.repository.ts'
import type { OrganizationRow } from './organization.entity.ts'
import { canAdminister, isMember, requireIn, requireWholeAccount } from './organizations.policy.ts'
import * as repository from './organizations.repository.ts'
import { requireStill } from './standing.ts'
import { change, domainOf, emailDomain, found } from './organizations.rules.ts'
import { presentOrganization } from './present.ts'

export const organizationHandlers = implement<Context>()(organizations, {
  async listOrganizationsForAuthenticatedUser({ query }, context) {
    const { memberships, ssoRequired = [] } = actorOf(context)
    const ids = [...memberships.map(({ organization }) => organization), ...ssoRequired]
    const page = await repository.listAmong(context.db, ids, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: await present(page.items, context) }
  },

  async getOrganizationById({ params }, context) {
    requireIn(actorOf(context), params.organizationId)
    return presentOne(await repository.get(context.db, params.organizationId), context)
  },

  async createOrganization({ body }, context) {
    const actor = actorOf(context)
    requireWholeAccount(actor)
    const organization = found(body)
    const member = {
      organizationId: organization.id,
      userId: actor.userId,
      role: 'admin',
      disabled: false,
      sso: false,
      joinedAt: organization.createdAt,
      lastSeenAt: null,
    }
    const told = await context.db.transaction(async db => {
      await repository.insert(db, organization, member)
      await tellEvent(db, identityEvents.organizationCreated, {
        organization: organization.id,
        createdBy: actor.userId,
      })
      return tellEvent(db, identityEvents.actorChanged, { userIds: [actor.userId] })
    })
    context.signal(told)
    const membership = { organization: organization.id, role: 'admin' as const, teams: [] }
    return presentOrganization(organization, { membership, ownsTeam: false, publicUrl: context.publicUrl })
  },

  async updateOrganizationById({ params, body }, context) {
    requireIn(actorOf(context), params.organizationId, canAdminister)
    const { changed, told } = await context.db.transaction(async db => {
      await requireStill(db, actorOf(context), { organization: params.organizationId, can: canAdminister })
      const before = await repository.get(db, params.organizationId)
      const after = change(before, body)
      await repository.save(db, after)
      const event = { userIds: [], organizations: [after.id] }
      return {
        changed: after,
        told: before.sso === after.sso ? undefined : await tellEvent(db, identityEvents.actorChanged, event),
      }
    })
    if (told) context.signal(told)
    return presentOne(changed, context)
  },

  async getOrganizationsForEmailDomain({ params }, context) {
    const actor = actorOf(context)
    const domain = domainOf(params.emailDomain)
    const user = await users.get(context.db, actor.userId)
    const isTheirs = actor.platformAdmin || (!actor.sso && emailDomain(user.email) === domain)
    const found = await repository.listByDomain(context.db, domain)
    return {
      organizations: await present(
        found.filter(({ id }) => isTheirs || isMember(actor, id)),
        context,
      ),
    }
  },
})

async function presentOne(row: OrganizationRow, context: Context) {
  const [presented] = await present([row], context)
  return presented as NonNullable<typeof presented>
}

/** One more query for the whole page: in which of them the caller owns a team. */
async function present(rows: OrganizationRow[], context: Context) {
  const actor = actorOf(context)
  const own = await organizationsWithOwn(
    context.db,
    actor.userId,
    rows.map(({ id }) => id),
  )
  return rows.map(row => {
    const membership = actor.ssoRequired?.includes(row.id) ? undefined : membershipIn(actor, row.id)
    return presentOrganization(row, { membership, ownsTeam: own.has(row.id), publicUrl: context.publicUrl })
  })
}
