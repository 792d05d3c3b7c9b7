import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'

/** Throws `conflict` when a change would leave an organization without admin; a null `next` makes a guest, undefined is no member. */
export function requireAdminLeft({
  role,
  next,
  admins,
}: {
  role: Role | null
  next: Role | null | undefined
  admins: number
}): void {
  if (role === 'admin' && next !== 'admin' && admins <= 1)
    throw new Failure('conflict', 'The last admin of an organization can be neither removed nor demoted')
}
