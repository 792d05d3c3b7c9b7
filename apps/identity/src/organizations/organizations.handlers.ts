import { identityEvents, organizations } from '@recto/contracts'
import { tellEvent } from '@recto/database'
import { createId, Failure, implement, type Actor, type Role } from '@recto/operation'
import { actorOf, type Context } from '../context.ts'
import type { OrganizationRow } from './organization.entity.ts'
import { canViewOrganization, organizationPermissions } from './organizations.policy.ts'
import * as repository from './organizations.repository.ts'

export const organizationHandlers = implement<Context>()(organizations, {
  async listOrganizationsForAuthenticatedUser({ query }, context) {
    const actor = actorOf(context)
    const page = await repository.listOf(context.db, actor.userId, { ...query, secret: context.signingSecret })
    return { ...page, items: page.items.map(row => present(row, { actor, context })) }
  },

  async getOrganizationById({ params }, context) {
    const actor = actorOf(context)
    if (!canViewOrganization(actor, params.organizationId)) throw new Failure('not_found', 'There is no such organization')
    return present(await repository.get(context.db, params.organizationId), { actor, context })
  },

  async createOrganization({ body }, context) {
    const actor = actorOf(context)
    const { organization, member } = found(body, actor.userId)
    const told = await context.db.transaction(async db => {
      await repository.insert(db, organization, member)
      await tellEvent(db, identityEvents.organizationCreated, { organization: organization.id, createdBy: actor.userId })
      return tellEvent(db, identityEvents.actorChanged, { userIds: [actor.userId] })
    })
    context.signal(told)
    const admin: Actor = { ...actor, memberships: [...actor.memberships, { organization: organization.id, role: 'admin', teams: [] }] }
    return present(organization, { actor: admin, context })
  },
})

/** A new organization, with whoever makes it as its admin. */
function found(request: { title: string; type: string; useCase?: string | undefined; emailDomains: string[] }, userId: string) {
  const now = new Date()
  const organization: OrganizationRow = {
    id: createId(),
    title: request.title,
    type: request.type,
    useCase: request.useCase ?? null,
    emailDomains: request.emailDomains,
    defaultRole: 'read',
    inviteLinks: false,
    createdAt: now,
  }
  const member = { organizationId: organization.id, userId, role: 'admin', disabled: false, joinedAt: now, lastSeenAt: null }
  return { organization, member }
}

function present(row: OrganizationRow, { actor, context }: { actor: Actor; context: Context }) {
  return {
    object: 'organization' as const,
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    emailDomains: row.emailDomains,
    type: row.type as 'business' | 'community',
    ...(row.useCase !== null && { useCase: row.useCase as 'other' }),
    defaultRole: row.defaultRole as Role | null,
    inviteLinks: row.inviteLinks,
    plan: 'enterprise_2024' as const,
    mergeRules: { type: 'none' as const },
    trial: { status: 'notapplicable' as const },
    urls: { location: `${context.publicUrl}/v1/orgs/${row.id}`, app: `${context.publicUrl}/o/${row.id}` },
    permissions: organizationPermissions(actor, row.id),
  }
}
