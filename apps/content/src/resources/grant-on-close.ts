import { type Actor, memberActor } from '@recto/actor'
import type { Context } from '../shared/context.ts'
import { type DefaultLevel, effectiveRole } from '../access/access.policy.ts'
import type { GrantRow } from '../access/grant.entity.ts'
import { userGrant } from '../access/grants.rules.ts'
import { loadAclChain } from './acl-chain.repository.ts'
import type { Resource } from './resource-kind.ts'

/**
 * The grant that the creator of a resource gets when its default level becomes null: `admin` on a space; their former role on a
 * collection, which also holds spaces of others. Undefined when the resource is not closed by this change, or its creator has left
 * the organization or has a grant on it already.
 */
export async function creatorGrantOnClose(
  context: Context,
  { resource, next }: { resource: Resource; next: DefaultLevel | undefined },
): Promise<GrantRow | undefined> {
  if (next !== null || resource.defaultLevel === null) return undefined
  const { type, organizationId: organization, createdBy: user } = resource
  const chain = await loadAclChain(context.db, resource)
  if (Object.hasOwn(chain[0]?.users ?? {}, user)) return undefined
  const creator = await creatorOf(context, organization, user)
  const role = creator && (type === 'space' ? 'admin' : effectiveRole(creator, organization, chain))
  return role ? userGrant(type, resource, { user, role }) : undefined
}

async function creatorOf(context: Context, organization: string, user: string): Promise<Actor | undefined> {
  const { actor } = context
  if (actor.userId === user) return actor
  const {
    members: [member],
  } = await context.people.listMemberships({ body: { organization, users: [user] } })
  return member && memberActor(user, { organization, role: member.role, teams: member.teams })
}
