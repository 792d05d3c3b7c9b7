import { atLeast, roleForbids, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canAdminister } from '../access/access.policy.ts'
import { spaceCan } from '../spaces/spaces.policy.ts'

/** A user who comments: their role on the space, and when the space was deleted. */
export interface Commenter {
  role: Role
  userId: string
  deletedAt: Date | null
}

interface Post {
  postedBy: string
}

const mayEdit = ({ role, userId }: Commenter, { postedBy }: Post) => spaceCan.comment(role) && postedBy === userId
const mayDelete = (who: Commenter, post: Post) => mayEdit(who, post) || canAdminister(who.role)

/** Whether a user may resolve and reopen a comment: their own with the role `comment`, others with `edit`. */
export function mayResolve(who: Commenter, post: Post): boolean {
  return mayEdit(who, post) || atLeast(who.role, 'edit')
}

/** The `permissions` of a comment or reply; a deleted space is read-only. */
export function commentPermissions(
  who: Commenter,
  post: Post,
): { view: boolean; edit: boolean; reply: boolean; delete: boolean } {
  const isWritable = who.deletedAt === null
  return {
    view: spaceCan.comment(who.role),
    edit: isWritable && mayEdit(who, post),
    reply: isWritable && spaceCan.comment(who.role),
    delete: isWritable && mayDelete(who, post),
  }
}

/** Throws `forbidden` for a role below `comment`. */
export function requireCanSeeComments(role: Role): void {
  if (!spaceCan.comment(role)) throw roleForbids(role)
}

/** Throws `forbidden` when somebody else posted the comment or reply. */
export function requireMayEdit(who: Commenter, post: Post): void {
  if (!mayEdit(who, post)) throw new Failure('forbidden', 'Only its author may edit it')
}

/** Throws `forbidden` when somebody else posted the comment and the role is below `edit`. */
export function requireMayResolve(who: Commenter, post: Post): void {
  if (!mayResolve(who, post)) throw new Failure('forbidden', 'Only its author or an editor may resolve it')
}

/** Throws `forbidden` when somebody else posted the comment or reply and the role is below `admin`. */
export function requireMayDelete(who: Commenter, post: Post): void {
  if (!mayDelete(who, post)) throw new Failure('forbidden', 'Only its author or an admin may delete it')
}
