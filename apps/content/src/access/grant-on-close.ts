import type { Actor } from '@recto/actor'
import { effectiveRole, memberOf, type DefaultLevel } from './access.policy.ts'
import { levelsOf } from './acl-chain.repository.ts'
import type { Context } from '../shared/context.ts'
import type { GrantRow } from './grant.entity.ts'
import { userGrant } from './grants.rules.ts'

/** A space or collection as far as closing it goes. */
interface Closable {
  id: string
  organizationId: string
  createdBy: string
  defaultLevel: DefaultLevel
}

/**
 * What its creator is granted when a change of the default level closes something: on a space `admin`; on a collection, in which
 * others have their spaces too, the role they had. Nothing if they have left the organization, or were granted a role there already.
 */
export async function grantOnClosing(
  context: Context,
  object: GrantRow['object'],
  { closed, next }: { closed: Closable; next: DefaultLevel | undefined },
): Promise<GrantRow | undefined> {
  if (next !== null || closed.defaultLevel === null) return undefined
  const { organizationId: organization, createdBy: user } = closed
  const levels = await levelsOf(context.db, { object, id: closed.id })
  if (Object.hasOwn(levels[0]?.users ?? {}, user)) return undefined
  const creator = await creatorOf(context, organization, user)
  const role = creator && (object === 'space' ? 'admin' : effectiveRole(creator, organization, levels))
  return role ? userGrant(object, closed, { user, role }) : undefined
}

async function creatorOf(context: Context, organization: string, user: string): Promise<Actor | undefined> {
  const { actor } = context
  if (actor.userId === user) return actor
  const {
    members: [member],
  } = await context.people.listMemberships({ body: { organization, users: [user] } })
  return member && memberOf(user, { organization, role: member.role, teams: member.teams })
}
