import { contentEvents } from '@recto/contracts'
import { type Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { requireSettings } from '../../access/access.policy.ts'
import { withinReach } from '../../access/escalation.ts'
import type { Context } from '../../shared/context.ts'
import { grantOnClosing } from '../../access/grant-on-close.ts'
import * as grants from '../../access/grants.repository.ts'
import { stamp } from '../../shared/event-metadata.ts'
import { seenSpace } from '../spaces/readable-space.ts'
import type { PlacedSpace } from '../spaces/space.entity.ts'
import { requireOn, requireView, spaceCan, type SeenSpace } from '../spaces/spaces.policy.ts'
import * as repository from '../spaces/spaces.repository.ts'
import { changesTo } from '../spaces/spaces.rules.ts'

type Request = Parameters<typeof changesTo>[1]

/** Changes the settings of a space, for who may; gives it as it is then. */
export async function changeSpace(context: Context, id: string, request: Request): Promise<PlacedSpace> {
  const { actor } = context
  const { space: before } = requireChangeable(await seenSpace(context, id), request)
  const grant = await grantOnClosing(context, 'space', { closed: before, next: request.defaultLevel })
  const space = await context.transaction(async tx => {
    const { space: locked, role } = requireChangeable(
      requireView(actor, await repository.lockFor(tx, id, actor)),
      request,
    )
    const changes = changesTo(locked, request)
    if (Object.keys(changes).length === 0) return locked
    const write = () => repository.change(tx, id, changes)
    await (changes.defaultLevel === 'inherit'
      ? withinReach(context, { db: tx, object: 'space', on: { ...locked, role }, mayLower: true, write })
      : write())
    if (grant) await grants.give(tx, grant)
    await publishChange(tx, actor, {
      space: locked,
      fields: Object.keys(changes),
      users: grant ? [grant.subjectId] : [],
    })
    return (await repository.findFor(tx, id, actor)) ?? locked
  })
  return space
}

function requireChangeable(seen: SeenSpace, { defaultLevel }: Request): SeenSpace {
  requireOn(seen, spaceCan.admin)
  requireSettings(seen.role, seen.space, defaultLevel)
  return seen
}

async function publishChange(
  tx: Transaction,
  actor: Actor,
  { space, fields, users }: { space: PlacedSpace; fields: string[]; users: string[] },
): Promise<void> {
  const what = { ...stamp(actor, space), space: space.id }
  await tx.publish(contentEvents.spaceUpdated, { ...what, fields })
  if (fields.includes('defaultLevel'))
    await tx.publish(contentEvents.spacePermissionChanged, { ...what, users, teams: [], defaultLevel: true })
}
