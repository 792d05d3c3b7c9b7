import type { Role } from '@recto/actor'
import { createId, fieldFault } from '@recto/operation'
import type { LinkInviteRow } from './link-invite.entity.ts'

/** Emails to invite, as given by the caller. */
export interface InviteRequest {
  emails: (string | { email: string; role: Role | null })[]
  /** The role of emails without one of their own. */
  role?: Role | null | undefined
}

/** An email to invite: `email` is lower case, `originalEmail` is as given by the caller. */
export interface PlannedInvite {
  email: string
  originalEmail: string
  role: Role | null
}

/** Resolves the roles of emails to invite. Emails that differ in case only are the same, and the first entry wins. */
export function planInvites({ emails, role }: InviteRequest, defaultRole: Role | null): PlannedInvite[] {
  const fallbackRole = role === undefined ? defaultRole : role
  const entries = emails.map(entry => (typeof entry === 'string' ? { email: entry, role: fallbackRole } : entry))
  const planned = new Map<string, PlannedInvite>()
  for (const { email: originalEmail, role: granted } of entries) {
    const email = originalEmail.toLowerCase()
    if (!planned.has(email)) planned.set(email, { email, originalEmail, role: granted })
  }
  return [...planned.values()]
}

/** The grant of a link: a role in the organization, or a level on a space or collection. */
export type LinkInviteRequest =
  { role: Role | null } | { level: Role | null; space: string } | { level: Role | null; collection: string }

/** Creates a link invite. */
export function newLinkInvite(organizationId: string, request: LinkInviteRequest): LinkInviteRow {
  const { space = null, collection = null } = request as { space?: string; collection?: string }
  return {
    id: createId(),
    organizationId,
    role: 'level' in request ? request.level : request.role,
    space,
    collection,
    createdAt: new Date(),
  }
}

/** Whether a link leads to a space or collection. */
export function isContentInvite({ space, collection }: Pick<LinkInviteRow, 'space' | 'collection'>): boolean {
  return space !== null || collection !== null
}

/** The link after a change; throws `invalid_request` for the role of a link to content, or the level of one to the organization. */
export function updateLinkInvite(
  link: LinkInviteRow,
  change: { role: Role | null } | { level: Role | null },
): LinkInviteRow {
  const content = isContentInvite(link)
  if ('level' in change && content) return { ...link, role: change.level }
  if ('role' in change && !content) return { ...link, role: change.role }
  throw content
    ? fieldFault('body.role', 'is not allowed for an invite to a space or collection: set body.level')
    : fieldFault('body.level', 'is not allowed for an invite to the organization: set body.role')
}

/** The role in the organization that a link grants; a link to content makes guests. */
export function organizationRole(link: Pick<LinkInviteRow, 'role' | 'space' | 'collection'>): Role | null {
  return isContentInvite(link) ? null : link.role
}
