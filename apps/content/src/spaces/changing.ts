import { contentEvents } from '@recto/contracts'
import { tellEvent, type Db, type OutgoingMessage } from '@recto/database'
import type { Actor } from '@recto/operation'
import { requireSettings } from '../access/access.policy.ts'
import { withinReach } from '../access/reach.ts'
import { actorOf, type Context } from '../context.ts'
import { grantOnClosing } from '../grants/closing.ts'
import * as grants from '../grants/grants.repository.ts'
import { stamp } from '../stamp.ts'
import { seenSpace } from './seen-space.ts'
import type { PlacedSpace } from './space.entity.ts'
import { requireOn, requireView, spaceCan, type SeenSpace } from './spaces.policy.ts'
import * as repository from './spaces.repository.ts'
import { changesTo } from './spaces.rules.ts'

type Request = Parameters<typeof changesTo>[1]

/** Changes the settings of a space, for who may; gives it as it is then. */
export async function changeSpace(context: Context, id: string, request: Request): Promise<PlacedSpace> {
  const actor = actorOf(context)
  const { space: before } = requireChangeable(await seenSpace(context, id), request)
  const grant = await grantOnClosing(context, 'space', { closed: before, next: request.defaultLevel })
  const { space, told } = await context.db.transaction(async db => {
    const { space: locked, role } = requireChangeable(
      requireView(actor, await repository.lockFor(db, id, actor)),
      request,
    )
    const changes = changesTo(locked, request)
    if (Object.keys(changes).length === 0) return { space: locked, told: [] }
    const write = () => repository.change(db, id, changes)
    await (changes.defaultLevel === 'inherit'
      ? withinReach(context, { db, object: 'space', on: { ...locked, role }, mayLower: true, write })
      : write())
    if (grant) await grants.give(db, grant)
    const told = await tell(db, actor, {
      space: locked,
      fields: Object.keys(changes),
      users: grant ? [grant.subjectId] : [],
    })
    return { space: (await repository.findFor(db, id, actor)) ?? locked, told }
  })
  told.forEach(context.signal)
  return space
}

function requireChangeable(seen: SeenSpace, { defaultLevel }: Request): SeenSpace {
  requireOn(seen, spaceCan.admin)
  requireSettings(seen.role, seen.space, defaultLevel)
  return seen
}

async function tell(
  db: Db,
  actor: Actor,
  { space, fields, users }: { space: PlacedSpace; fields: string[]; users: string[] },
): Promise<OutgoingMessage[]> {
  const what = { ...stamp(actor, space), space: space.id }
  const told = [await tellEvent(db, contentEvents.spaceUpdated, { ...what, fields })]
  if (fields.includes('defaultLevel'))
    told.push(
      await tellEvent(db, contentEvents.spacePermissionChanged, { ...what, users, teams: [], defaultLevel: true }),
    )
  return told
}
