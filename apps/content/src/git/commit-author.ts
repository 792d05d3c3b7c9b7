import { type Actor, memberActor } from '@recto/actor'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { BaseContext } from '../shared/context.ts'
import { describeUsers } from '../users/users.ts'
import type { GitOptions } from './git-operation.entity.ts'
import { commitPerson } from './git-operations.rules.ts'

type Author = NonNullable<GitOptions['author']>
type Known = Pick<BaseContext, 'people' | 'publicUrl'>

/** A user as the author of a commit; without an e-mail address they have one that no mail reaches. */
export async function commitAuthor(
  actor: Actor,
  { organizationId }: Pick<SpaceRow, 'organizationId'>,
  context: Known,
): Promise<Author> {
  const { userId } = actor
  const { displayName: name, email } = (await describeUsers({ ...context, actor }, organizationId, [userId]))(userId)
  return commitPerson({ name, email: email ?? `${userId}@users.${new URL(context.publicUrl).hostname}` })
}

/** Who changed the content, as the author of a commit that nobody requests: described as they see themselves. */
export function editorAsAuthor(
  userId: string,
  space: Pick<SpaceRow, 'organizationId'>,
  context: Known,
): Promise<Author> {
  const membership = { organization: space.organizationId, role: 'read' as const, teams: [] }
  return commitAuthor(memberActor(userId, membership), space, context)
}
