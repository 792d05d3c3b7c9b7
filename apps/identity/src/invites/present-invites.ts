import type { Context } from '../shared/context'
import { membershipIn } from '@recto/actor'
import { isRedundant } from './invites.policy.ts'
import type { LinkInviteRow } from './link-invite.entity.ts'
import type { PendingInviteRow } from './pending-invite.entity.ts'

/** An e-mail that waits, as replies show it. */
export function presentPending({ id, email, role, sso, createdAt }: PendingInviteRow) {
  return { object: 'pending-invite' as const, id, email, role, sso, createdAt: createdAt.toISOString() }
}

/** A link to the organization as the caller sees it. */
export function presentOrganizationLink(context: Context, link: LinkInviteRow) {
  const held = membershipIn(context.actor, link.organizationId)?.role ?? null
  return { ...shared(context, link), role: link.role, redundant: isRedundant(held, link.role) }
}

/** A link of any kind; content says whether the caller may invite to its space or collection, and shows it. */
export async function presentLink(context: Context, link: LinkInviteRow) {
  const asked = { actor: context.actor, organization: link.organizationId, level: link.role }
  if (link.collection !== null) {
    const { collection, role } = await context.content.findInvitedCollection({
      body: { ...asked, collection: link.collection },
    })
    return { ...shared(context, link), level: link.role, collection, redundant: isRedundant(role, link.role) }
  }
  if (link.space === null) return presentOrganizationLink(context, link)
  const { space, role } = await context.content.findInvitedSpace({ body: { ...asked, space: link.space } })
  return { ...shared(context, link), level: link.role, space, redundant: isRedundant(role, link.role) }
}

function shared({ publicUrl }: Context, { id, organizationId }: LinkInviteRow) {
  return {
    object: 'invite' as const,
    id,
    urls: { location: `${publicUrl}/v1/orgs/${organizationId}/link-invites/${id}` },
  }
}
