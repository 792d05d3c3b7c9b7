import type { Db } from '@recto/database'
import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { effectiveRole, memberOf, type Level } from './access.policy.ts'
import { levelsOf } from './acl-chain.repository.ts'
import { changedBeyond, concerning, saysAdmin } from './escalation.rules.ts'

/** A change of who may do what on a space or collection that the transaction `db` has locked. */
interface Change {
  db: Db
  object: 'space' | 'collection'
  /** With the caller's role on it. */
  on: { id: string; organizationId: string; role: Role }
  /** Whom it is about; everybody unless said. */
  subjects?: { subject: 'user' | 'team'; subjectId: string }[]
  /** Whether it may take from who has more than the caller. */
  mayLower?: boolean
  write(): Promise<unknown>
}

/**
 * Makes a change of who may do what, and refuses it when somebody gets more by it than the caller has, or loses what is more.
 * Whoever manages and is no admin has `create`, so only who is or becomes admin can be beyond them; identity is asked for
 * memberships only where `admin` is said at all.
 */
export async function withinReach(
  { people }: Context,
  { db, object, on, subjects, mayLower = false, write }: Change,
): Promise<void> {
  const { id, organizationId: organization, role: own } = on
  if (own === 'admin') return void (await write())
  const before = await levelsOf(db, { object, id })
  await write()
  const after = await levelsOf(db, { object, id })
  if (![before, after].some(levels => saysAdmin(concerning(levels, subjects)))) return
  const users = subjects?.every(({ subject }) => subject === 'user')
    ? subjects.map(({ subjectId }) => subjectId)
    : undefined
  const { members } = await people.listMemberships({ body: { organization, ...(users && { users }) } })
  const roleOf = (member: (typeof members)[number], levels: Level[]) =>
    effectiveRole(memberOf(member.user, { ...member, organization }), organization, levels)
  const roles = members.map(member => ({ before: roleOf(member, before), after: roleOf(member, after) }))
  const beyond = roles.find(change => changedBeyond(own, change, mayLower))
  if (beyond)
    throw new Failure(
      'forbidden',
      `It would change the role of somebody from ${beyond.before ?? 'none'} to ${beyond.after ?? 'none'}, and yours is ${own}`,
    )
}
