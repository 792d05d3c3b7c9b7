import { type Actor, memberActor } from '@recto/actor'
import { toFailure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import type { GitSpace } from '../spaces/git-spaces.ts'
import type { GitOptions } from './git-operation.entity.ts'
import { commitPerson } from './git-operations.rules.ts'

type Author = NonNullable<GitOptions['author']>
type Tools = Pick<Context, 'people' | 'publicUrl'>
type SpaceOwner = Pick<GitSpace, 'organizationId'>

/** Describes a user as the author of a commit. A user without an e-mail address gets one that no mail reaches. */
export async function commitAuthor(actor: Actor, space: SpaceOwner, tools: Tools): Promise<Author> {
  const { userId } = actor
  const user = await describeUser(actor, space, tools)
  const email = user?.email ?? `${userId}@users.${new URL(tools.publicUrl).hostname}`
  return commitPerson({ name: user?.displayName ?? 'Unknown user', email })
}

/**
 * Describes the user with this id as the author of a commit. Looks the user up as a reader of the organization, since a synchronisation has
 * no caller whose rights it could use.
 */
export function commitAuthorById(userId: string, space: SpaceOwner, tools: Tools): Promise<Author> {
  const membership = { organization: space.organizationId, role: 'read' as const, teams: [] }
  return commitAuthor(memberActor(userId, membership), space, tools)
}

/** The user as a member of the organization; undefined for others, or when identity does not answer. */
async function describeUser(actor: Actor, { organizationId: organization }: SpaceOwner, { people }: Tools) {
  const body = { actor, organization, users: [actor.userId], teams: [] }
  try {
    return (await people.describePeople({ body })).users[0]
  } catch (error) {
    const { code } = toFailure(error)
    if (code === 'unavailable' || code === 'timeout') return undefined
    throw error
  }
}
