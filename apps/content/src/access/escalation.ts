import type { peopleCalls } from '@recto/contracts-identity-bus'
import type { Transaction } from '@recto/database'
import { memberActor, type Role } from '@recto/actor'
import { Failure, type Output } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { type AclEntry, effectiveRole } from './access.policy.ts'
import { exceedsRole, grantsAdmin, restrictToSubjects } from './escalation.rules.ts'
import type { Subject } from './grant.entity.ts'

/** Asks for members of an organization: all of them, or the members among `users`. */
interface MembersRequest {
  organization: string
  users?: string[] | undefined
}

interface LoadedMembers extends MembersRequest {
  members: Output<typeof peopleCalls.listMemberships>['members']
}

/** Rolls back a transaction that needs members which are not loaded yet. */
class MembersNeeded extends Error {
  readonly request: MembersRequest

  constructor(request: MembersRequest) {
    super('Members have to be known')
    this.request = request
  }
}

/** A transaction that changes permissions, with the members that are loaded for `preventEscalation`. */
export interface PermissionTransaction {
  tx: Transaction
  known: LoadedMembers | undefined
}

/**
 * Runs a transaction that changes permissions. When `preventEscalation` needs members that are not loaded, the transaction is rolled back,
 * identity is asked for them while no lock is held, and the transaction runs again.
 */
export async function changePermissions<T>(
  context: Context,
  work: (change: PermissionTransaction) => Promise<T>,
): Promise<T> {
  for (let memberLookup: LoadedMembers | undefined; ;) {
    try {
      return await context.transaction(tx => work({ tx, known: memberLookup }))
    } catch (error) {
      if (!(error instanceof MembersNeeded)) throw error
      const { request } = error
      const { organization, users } = request
      const { members } = await context.people.listMemberships({ body: { organization, ...(users && { users }) } })
      memberLookup = { ...request, members }
    }
  }
}

/** A change of permissions on a resource that the transaction has locked. */
interface PermissionChange extends Pick<PermissionTransaction, 'known'> {
  /** Loads the ACL entries of the resource and of the collections above it, in the transaction. */
  loadAclChain(): Promise<AclEntry[]>
  /** The resource, with the caller's role on it. */
  resource: { organizationId: string; role: Role }
  /** The subjects whose roles change; without them, the roles of everybody. */
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
export async function preventEscalation({
  known,
  loadAclChain,
  resource,
  subjects,
  mayLower = false,
  write,
}: PermissionChange): Promise<void> {
  const { organizationId: organization, role: own } = resource
  if (own === 'admin') return void (await write())
  const before = await loadAclChain()
  await write()
  const after = await loadAclChain()
  if (![before, after].some(chain => grantsAdmin(restrictToSubjects(chain, subjects)))) return
  const users = subjects?.every(({ subject }) => subject === 'user')
    ? subjects.map(({ subjectId }) => subjectId)
    : undefined
  const members = requireMembers(known, { organization, users })
  const roleOf = (member: (typeof members)[number], chain: AclEntry[]) =>
    effectiveRole(memberActor(member.user, { ...member, organization }), organization, chain)
  const changes = members.map(member => ({ before: roleOf(member, before), after: roleOf(member, after) }))
  const excess = changes.find(change => exceedsRole(own, change, mayLower))
  if (excess)
    throw new Failure(
      'forbidden',
      `It would change the role of somebody from ${excess.before ?? 'none'} to ${excess.after ?? 'none'}, and yours is ${own}`,
    )
}

function requireMembers(memberLookup: LoadedMembers | undefined, request: MembersRequest): LoadedMembers['members'] {
  const isLoaded =
    memberLookup?.organization === request.organization &&
    (memberLookup.users === undefined || request.users?.every(user => memberLookup.users?.includes(user)) === true)
  if (!memberLookup || !isLoaded) throw new MembersNeeded(request)
  const { users } = request
  return users === undefined ? memberLookup.members : memberLookup.members.filter(({ user }) => users.includes(user))
}
