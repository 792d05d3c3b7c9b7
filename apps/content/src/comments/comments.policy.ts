import { atLeast, roleForbids, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canAdminister } from '../access/access.policy.ts'
import { spaceCan } from '../spaces/spaces.policy.ts'

/** Who comments: their role on the space, and whether that is deleted. */
export interface Commenter {
  role: Role
  userId: string
  deletedAt: Date | null
}

interface Posted {
  postedBy: string
}

const mayEdit = ({ role, userId }: Commenter, { postedBy }: Posted) => spaceCan.comment(role) && postedBy === userId
const mayDelete = (who: Commenter, posted: Posted) => mayEdit(who, posted) || canAdminister(who.role)

/** Whether a user may resolve and reopen a comment: their own with the role `comment`, others with `edit`. */
export function mayResolve(who: Commenter, posted: Posted): boolean {
  return mayEdit(who, posted) || atLeast(who.role, 'edit')
}

/** The `permissions` of a comment or reply; nothing is written in a deleted space. */
export function commentPermissions(
  who: Commenter,
  posted: Posted,
): { view: boolean; edit: boolean; reply: boolean; delete: boolean } {
  const isWritable = who.deletedAt === null
  return {
    view: spaceCan.comment(who.role),
    edit: isWritable && mayEdit(who, posted),
    reply: isWritable && spaceCan.comment(who.role),
    delete: isWritable && mayDelete(who, posted),
  }
}

/** Throws `forbidden` for a role below `comment`. */
export function requireSeesComments(role: Role): void {
  if (!spaceCan.comment(role)) throw roleForbids(role)
}

/** Throws `forbidden` when somebody else posted it. */
export function requireMayEdit(who: Commenter, posted: Posted): void {
  if (!mayEdit(who, posted)) throw new Failure('forbidden', 'Only its author may edit it')
}

/** Throws `forbidden` when somebody else posted it and the role is below `edit`. */
export function requireMayResolve(who: Commenter, posted: Posted): void {
  if (!mayResolve(who, posted)) throw new Failure('forbidden', 'Only its author or an editor may resolve it')
}

/** Throws `forbidden` when somebody else posted it and the role is below `admin`. */
export function requireMayDelete(who: Commenter, posted: Posted): void {
  if (!mayDelete(who, posted)) throw new Failure('forbidden', 'Only its author or an admin may delete it')
}
