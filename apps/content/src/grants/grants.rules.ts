import type { Role } from '@recto/operation'
import { requireGrant } from '../access/access.policy.ts'
import type { Grant } from './grants.repository.ts'

/** Refuses to give a role above one's own, and to change or take a grant above it. */
export function requireChange(role: Role, { held, next }: { held: Role[]; next: Role | null }): void {
  requireGrant(role, next)
  for (const before of held) requireGrant(role, before)
}

/** What the creator of a space or collection is granted when it is closed to everybody else. */
export function creatorGrant(object: Grant['object'], { id, organizationId, createdBy }: { id: string; organizationId: string; createdBy: string }): Grant {
  return { object, objectId: id, organizationId, subject: 'user', subjectId: createdBy, role: 'admin', createdAt: new Date() }
}
