import type { Db } from '@recto/database'
import { membershipIn } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { addMember } from '../members/add-members.ts'
import * as members from '../members/members.repository.ts'
import { findTeamIds } from '../teams/team-members.repository.ts'
import { requireCanJoin } from './invites.policy.ts'
import { isContentInvite, organizationRole } from './invites.rules.ts'
import * as links from './link-invites.repository.ts'

/**
 * Makes the caller a member by a link. Those who may not join are refused before content grants access; the grant takes effect
 * only with the membership, so a failure in between gives no access.
 */
export async function joinByLink(context: Context, key: links.LinkInviteKey): Promise<void> {
  const { actor } = context
  const member = { organization: key.organization, userId: actor.userId }
  const link = await links.lockUsable(context.db, key)
  // Throws for a member whose organization requires single sign-on and whose token does not come from it.
  membershipIn(actor, key.organization)
  // The use is read before the membership, so that a concurrent join whose use is seen is seen as a member too.
  const hasUsed = await links.hasUsed(context.db, link.id, member.userId)
  requireCanJoin({ isMember: await isMember(context.db, member), hasUsed, requiresSso: link.requiresSso })
  // The granted access may have been revoked since, so the link does not grant it again.
  if (hasUsed) return
  await grantContentAccess(context, member, link)
  await context.transaction(async tx => {
    const current = await links.lockUsable(tx, key)
    const hasUsed = !(await links.recordUse(tx, link.id, member.userId))
    requireCanJoin({ isMember: await isMember(tx, member), hasUsed, requiresSso: current.requiresSso })
    await addMember(tx, { ...member, role: organizationRole(current) })
  })
}

async function isMember(db: Db, key: members.MemberKey): Promise<boolean> {
  return (await members.find(db, key)) !== undefined
}

async function grantContentAccess(
  context: Context,
  { organization, userId: user }: members.MemberKey,
  link: links.UsableLink,
): Promise<void> {
  const { space, collection, role: level } = link
  if (!isContentInvite(link) || level === null) return
  const member = await members.find(context.db, { organization, userId: user })
  const teams = await findTeamIds(context.db, organization, [user])
  const grant = {
    organization,
    user,
    level,
    standing: member ? { role: member.role, teams: teams.get(user) ?? [] } : null,
  }
  const granting =
    collection === null
      ? context.content.grantSpace({ body: { ...grant, space: space ?? '' } })
      : context.content.grantCollection({ body: { ...grant, collection } })
  await granting.catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'not_found' ? links.inviteNotFound() : error
  })
}
