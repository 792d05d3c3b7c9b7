import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canGrant, requireGrant } from './access.policy.ts'
import type { GrantRow } from './grant.entity.ts'

/** Refuses to give a role above one's own, and to change or take a grant above it. */
export function requireChange(role: Role, { held, next }: { held: Role[]; next: Role | null }): void {
  requireGrant(role, next)
  const above = held.find(before => !canGrant(role, before))
  if (above)
    throw new Failure(
      'forbidden',
      `The role ${role} cannot change or take the role ${above}, which somebody named here has`,
    )
}

/** A grant to a user from now on. */
export function userGrant(
  object: GrantRow['object'],
  { id, organizationId }: { id: string; organizationId: string },
  { user, role }: { user: string; role: Role },
): GrantRow {
  return { object, objectId: id, organizationId, subject: 'user', subjectId: user, role, createdAt: new Date() }
}
