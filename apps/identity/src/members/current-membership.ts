import type { Db } from '@recto/database'
import type { Actor, Membership } from '@recto/actor'
import { Failure } from '@recto/operation'
import * as members from './members.repository'
import { notAllowed, type Can } from '../organizations/organizations.policy'

/**
 * The caller's membership as it is now, until the transaction ends: the actor of a request is as old as the request. Everybody
 * waits here who changes the people of the organization, so that who has just lost a role cannot give it back to themself.
 * E-mails are locked before organizations, and several organizations in the order of their ids.
 */
export async function requireStill(
  db: Db,
  { userId }: Actor,
  { organization, can = () => true }: { organization: string; can?: Can },
): Promise<Membership> {
  await members.lockPeople(db, [organization])
  const member = await members.find(db, { organization, userId })
  if (!member || member.disabled) throw new Failure('not_found', 'There is no such organization')
  const membership = { organization, role: member.role, teams: [] }
  if (!can(membership)) throw notAllowed(membership)
  return membership
}
