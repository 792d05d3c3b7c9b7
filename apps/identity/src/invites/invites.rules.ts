import type { Role } from '@recto/actor'
import { createId, Failure } from '@recto/operation'
import type { LinkInviteRow } from './link-invite.entity.ts'

/** E-mails to invite, as a caller gives them. */
export interface InviteRequest {
  emails: (string | { email: string; role: Role | null })[]
  /** For e-mails without a role of their own. */
  role?: Role | null | undefined
}

/** Somebody to invite: `email` is lower case, `given` as the caller wrote it. */
export interface PlannedInvite {
  email: string
  given: string
  role: Role | null
}

/** Who is invited and as what, each e-mail once, whatever its case: its first entry counts. */
export function planInvites({ emails, role }: InviteRequest, defaultRole: Role | null): PlannedInvite[] {
  const otherwise = role === undefined ? defaultRole : role
  const entries = emails.map(entry => (typeof entry === 'string' ? { email: entry, role: otherwise } : entry))
  const planned = new Map<string, PlannedInvite>()
  for (const { email: given, role: granted } of entries) {
    const email = given.toLowerCase()
    if (!planned.has(email)) planned.set(email, { email, given, role: granted })
  }
  return [...planned.values()]
}

/** What a link is asked to give. */
export type LinkRequest =
  { role: Role | null } | { level: Role | null; space: string } | { level: Role | null; collection: string }

/** A new link. */
export function newLink(organizationId: string, request: LinkRequest): LinkInviteRow {
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

/** Whether a link is one to a space or collection. */
export function isToContent({ space, collection }: Pick<LinkInviteRow, 'space' | 'collection'>): boolean {
  return space !== null || collection !== null
}

/** The link after a change; throws `invalid_request` for the role of a link to content and for the level of one to the organization. */
export function changeLink(link: LinkInviteRow, change: { role: Role | null } | { level: Role | null }): LinkInviteRow {
  const content = isToContent(link)
  if ('level' in change && content) return { ...link, role: change.level }
  if ('role' in change && !content) return { ...link, role: change.role }
  const [path, message] = content
    ? ['body.role', 'is not what an invite to content gives: change its level']
    : ['body.level', 'is not what an invite to the organization gives: change its role']
  throw new Failure('invalid_request', `${path}: ${message}`, { details: [{ path, message }] })
}

/** The role in the organization of who joins with a link: to content they come as guests. */
export function roleInOrganization(link: Pick<LinkInviteRow, 'role' | 'space' | 'collection'>): Role | null {
  return isToContent(link) ? null : link.role
}
