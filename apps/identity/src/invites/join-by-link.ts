import type { Db } from '@recto/database'
import { membershipIn } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context'
import { join } from '../members/add-members'
import * as members from '../members/members.repository.ts'
import { requireJoinable } from './invites.policy.ts'
import { isToContent, roleInOrganization } from './invites.rules.ts'
import * as links from './link-invites.repository'

interface Which {
  organization: string
  id: string
}

/**
 * Makes the caller a member by a link. Who may not join is refused before content is asked for the
 * grant; what content was asked for counts only from the moment of the membership, so a failure in between gives nothing.
 */
export async function joinWithLink(context: Context, which: Which): Promise<void> {
  const { actor } = context
  const who = { organization: which.organization, userId: actor.userId }
  const link = await links.usable(context.db, which)
  // Throws for a member whose token does not count here.
  membershipIn(actor, which.organization)
  // In this order: who joins at the same moment is a member by the time that the use is seen.
  const hasUsed = await links.hasUsed(context.db, link.id, who.userId)
  requireJoinable({ isMember: await isMember(context.db, who), hasUsed, requiresSso: link.requiresSso })
  // What it gave may have been taken since: it does not give it twice.
  if (hasUsed) return
  await grantContent(context, who, link)
  await context.transaction(async tx => {
    const current = await links.usable(tx, which)
    const hasUsed = !(await links.use(tx, link.id, who.userId))
    requireJoinable({ isMember: await isMember(tx, who), hasUsed, requiresSso: current.requiresSso })
    await join(tx, { ...who, role: roleInOrganization(current) })
  })
}

async function isMember(db: Db, who: { organization: string; userId: string }): Promise<boolean> {
  return (await members.find(db, who)) !== undefined
}

async function grantContent(
  context: Context,
  { organization, userId: user }: { organization: string; userId: string },
  link: links.UsableLink,
): Promise<void> {
  const { space, collection, role: level } = link
  if (!isToContent(link) || level === null) return
  const member = await members.find(context.db, { organization, userId: user })
  const teams = await members.teamsOf(context.db, organization, [user])
  const granted = {
    organization,
    user,
    level,
    standing: member ? { role: member.role, teams: teams.get(user) ?? [] } : null,
  }
  const given =
    collection === null
      ? context.content.grantSpace({ body: { ...granted, space: space ?? '' } })
      : context.content.grantCollection({ body: { ...granted, collection } })
  await given.catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'not_found' ? links.noSuchInvite() : error
  })
}
