import { requireRole } from '@recto/actor'
import type { Context } from '../shared/context.ts'

/** Throws `forbidden` for who is not an admin of an organization. */
export function requireAdmin({ actor }: Pick<Context, 'actor'>, organization: string): void {
  requireRole(actor, organization, role => role === 'admin')
}
