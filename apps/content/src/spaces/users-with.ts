import { memberActor, type Role } from '@recto/actor'
import { effectiveRole } from '../access/access.policy.ts'
import type { Context } from '../shared/context.ts'
import { loadAclChain } from '../resources/acl-chain.repository.ts'
import type { SpaceRow } from '../resources/space.entity.ts'

/** The users among these who are members now and whose role on a space allows something. Throws `unavailable` without identity, which knows the members. */
export async function usersWith(
  can: (role: Role | null) => boolean,
  { space, users }: { space: Pick<SpaceRow, 'type' | 'id' | 'organizationId'>; users: string[] },
  { db, people }: Pick<Context, 'db' | 'people'>,
): Promise<Set<string>> {
  if (users.length === 0) return new Set()
  const { organizationId: organization } = space
  const { members } = await people.listMemberships({ body: { organization, users: [...new Set(users)] } })
  const chain = await loadAclChain(db, space)
  return new Set(
    members.flatMap(({ user, role, teams }) => {
      const actor = memberActor(user, { organization, role, teams })
      return can(effectiveRole(actor, organization, chain)) ? [user] : []
    }),
  )
}
