import type { Context } from '../shared/context.ts'
import { membershipIn } from '@recto/actor'
import { isRedundant } from './invites.policy.ts'
import type { LinkInviteRow } from './link-invite.entity.ts'
import type { PendingInviteRow } from './pending-invite.entity.ts'

/** A pending invite as replies show it. */
export function presentPendingInvite({ id, email, role, sso, createdAt }: PendingInviteRow) {
  return { object: 'pending-invite' as const, id, email, role, sso, createdAt: createdAt.toISOString() }
}

/** A link to the organization as the caller sees it. */
export function presentOrganizationLinkInvite(context: Context, link: LinkInviteRow) {
  const held = membershipIn(context.actor, link.organizationId)?.role ?? null
  return { ...commonFields(context, link), role: link.role, redundant: isRedundant(held, link.role) }
}

/**
 * Checks, in content, that the caller may invite to the space or collection of a link at its level, and returns the link as the
 * caller sees it. Throws `not_found` or `forbidden`. Links to the organization are presented without a check.
 */
export async function authorizeLinkInvite(context: Context, link: LinkInviteRow) {
  const request = { actor: context.actor, organization: link.organizationId, level: link.role }
  if (link.collection !== null) {
    const { collection, role } = await context.content.findInvitedCollection({
      body: { ...request, collection: link.collection },
    })
    return { ...commonFields(context, link), level: link.role, collection, redundant: isRedundant(role, link.role) }
  }
  if (link.space === null) return presentOrganizationLinkInvite(context, link)
  const { space, role } = await context.content.findInvitedSpace({ body: { ...request, space: link.space } })
  return { ...commonFields(context, link), level: link.role, space, redundant: isRedundant(role, link.role) }
}

function commonFields({ publicUrl }: Context, { id, organizationId }: LinkInviteRow) {
  return {
    object: 'invite' as const,
    id,
    urls: { location: `${publicUrl}/v1/orgs/${organizationId}/link-invites/${id}` },
  }
}
