import type { DefaultLevel, Role } from '@recto/actor'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import type { Context } from '../shared/context.ts'
import { requireCanGrant } from '../site-access/site-access.policy.ts'
import * as grants from '../site-access/site-grants.repository.ts'
import type { SiteRow } from './site.entity.ts'
import { requireManagedSite, type SiteParams } from './update-site.ts'

/** Who created a site, with their role in its organization. */
export interface Creator {
  user: string
  role: Role
}

/** The creator of a site that the caller may change; undefined when they have left the organization, or are a guest there. */
export async function readCreator(context: Context, params: SiteParams): Promise<Creator | undefined> {
  const { organizationId: organization, createdBy: user } = await requireManagedSite(context, params)
  const { members } = await context.people.listMemberships({ body: { organization, users: [user] } })
  const [member] = members
  return member?.role ? { user, role: member.role } : undefined
}

interface LevelChange {
  site: SiteRow
  /** The caller's role on it. */
  role: Role | null
  creator: Creator | undefined
}

/**
 * Checks a next default level, and grants the creator of a site that it closes their role, unless they have a grant. Throws `forbidden`
 * for a level above the caller's role. A level can always be lowered.
 */
export async function setDefaultLevel(
  tx: Transaction,
  { site, role, creator }: LevelChange,
  next: DefaultLevel | undefined,
): Promise<void> {
  if (next === undefined || next === site.defaultLevel) return
  requireCanGrant(role, next)
  if (next !== null || creator === undefined) return
  const { users } = await grants.allOn(tx, site.id)
  if (Object.hasOwn(users, creator.user)) return
  const { id: siteId, organizationId } = site
  const subjects = [{ subject: 'user' as const, subjectId: creator.user }]
  await grants.setRole(tx, { siteId, organizationId, role: creator.role, createdAt: new Date() }, subjects)
  const details = { users: [creator.user], role: creator.role }
  tx.record(recorded('site.permissions.updated', { organization: organizationId, site: siteId, details }))
}
