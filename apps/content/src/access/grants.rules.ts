import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canGrant, requireCanGrant } from './access.policy.ts'
import type { GrantRow, ResourceType } from './grant.entity.ts'

/** Throws `forbidden` when a caller with this role grants a role above it, or changes or revokes a grant above it. */
export function requireGrantChange(role: Role, { held, next }: { held: Role[]; next: Role | null }): void {
  requireCanGrant(role, next)
  const above = held.find(before => !canGrant(role, before))
  if (above)
    throw new Failure(
      'forbidden',
      `The role ${role} cannot change or revoke the role ${above}, which somebody named here has`,
    )
}

/** Makes a grant to a user, from now on. */
export function userGrant(
  resourceType: ResourceType,
  { id, organizationId }: { id: string; organizationId: string },
  { user, role }: { user: string; role: Role },
): GrantRow {
  return {
    resourceType,
    resourceId: id,
    organizationId,
    subject: 'user',
    subjectId: user,
    role,
    createdAt: new Date(),
  }
}
