import type { Db } from '@recto/database'
import { memberActor, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { type AclEntry, effectiveRole } from './access.policy.ts'
import type { LoadAclChain } from './acl-chain.repository.ts'
import { exceedsRole, grantsAdmin, restrictToSubjects } from './escalation.rules.ts'
import type { Subject } from './grant.entity.ts'

/** A change of permissions on a resource that the transaction `db` has locked. */
interface PermissionChange {
  db: Db
  loadAclChain: LoadAclChain
  /** The resource, with the caller's role on it. */
  resource: { id: string; organizationId: string; role: Role }
  /** Whose roles change; everybody's when absent. */
  subjects?: Subject[]
  /** Whether roles above the caller's may be lowered. */
  mayLower?: boolean
  write(): Promise<unknown>
}

/**
 * Writes a permission change. Throws `forbidden` when it raises somebody above the caller's role, or lowers somebody from above it
 * (unless `mayLower`). A caller who is not admin has `create`, so only changes to or from `admin` can exceed their role; identity is
 * asked for memberships only where the chain contains `admin`.
 */
export async function preventEscalation(
  { people }: Context,
  { db, loadAclChain, resource, subjects, mayLower = false, write }: PermissionChange,
): Promise<void> {
  const { id, organizationId: organization, role: own } = resource
  if (own === 'admin') return void (await write())
  const before = await loadAclChain(db, id)
  await write()
  const after = await loadAclChain(db, id)
  if (![before, after].some(chain => grantsAdmin(restrictToSubjects(chain, subjects)))) return
  const users = subjects?.every(({ subject }) => subject === 'user')
    ? subjects.map(({ subjectId }) => subjectId)
    : undefined
  const { members } = await people.listMemberships({ body: { organization, ...(users && { users }) } })
  const roleOf = (member: (typeof members)[number], chain: AclEntry[]) =>
    effectiveRole(memberActor(member.user, { ...member, organization }), organization, chain)
  const changes = members.map(member => ({ before: roleOf(member, before), after: roleOf(member, after) }))
  const exceeding = changes.find(change => exceedsRole(own, change, mayLower))
  if (exceeding)
    throw new Failure(
      'forbidden',
      `It would change the role of somebody from ${exceeding.before ?? 'none'} to ${exceeding.after ?? 'none'}, and yours is ${own}`,
    )
}
