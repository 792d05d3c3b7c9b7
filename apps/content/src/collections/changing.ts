import { contentEvents } from '@recto/contracts'
import { tellEvent, type Db, type OutgoingMessage } from '@recto/database'
import type { Actor } from '@recto/operation'
import { requireSettings, type DefaultLevel } from '../access/access.policy.ts'
import { withinReach } from '../access/reach.ts'
import { changed } from '../changed.rules.ts'
import { actorOf, type Context } from '../context.ts'
import { grantOnClosing } from '../grants/closing.ts'
import * as grants from '../grants/grants.repository.ts'
import { stamp } from '../stamp.ts'
import type { PlacedCollection } from './collection.entity.ts'
import { requireCollection, type SeenCollection } from './collections.policy.ts'
import * as repository from './collections.repository.ts'

interface Request {
  title?: string | undefined
  description?: string | null | undefined
  defaultLevel?: DefaultLevel | undefined
}

/** Changes the settings of a collection, for who may; gives it as it is then. */
export async function changeCollection(context: Context, id: string, request: Request): Promise<PlacedCollection> {
  const actor = actorOf(context)
  const { collection: before } = requireChangeable(actor, await repository.findFor(context.db, id, actor), request)
  const grant = await grantOnClosing(context, 'collection', { closed: before, next: request.defaultLevel })
  const { collection, told } = await context.db.transaction(async db => {
    const { collection: locked, role } = requireChangeable(actor, await repository.lockFor(db, id, { actor }), request)
    const changes = changed<PlacedCollection, keyof Request>(locked, request)
    if (Object.keys(changes).length === 0) return { collection: locked, told: [] }
    const write = () => repository.change(db, id, { ...changes, updatedAt: new Date() })
    await (changes.defaultLevel === 'inherit'
      ? withinReach(context, { db, object: 'collection', on: { ...locked, role }, mayLower: true, write })
      : write())
    if (grant) await grants.give(db, grant)
    const told = await tell(db, actor, {
      collection: locked,
      fields: Object.keys(changes),
      users: grant ? [grant.subjectId] : [],
    })
    return { collection: (await repository.findFor(db, id, actor)) ?? locked, told }
  })
  told.forEach(context.signal)
  return collection
}

function requireChangeable(
  actor: Actor,
  found: PlacedCollection | undefined,
  { defaultLevel }: Request,
): SeenCollection {
  const seen = requireCollection(actor, found)
  requireSettings(seen.role, seen.collection, defaultLevel)
  return seen
}

async function tell(
  db: Db,
  actor: Actor,
  { collection, fields, users }: { collection: PlacedCollection; fields: string[]; users: string[] },
): Promise<OutgoingMessage[]> {
  const what = { ...stamp(actor, collection), collection: collection.id }
  const told = [await tellEvent(db, contentEvents.collectionUpdated, { ...what, fields })]
  if (fields.includes('defaultLevel'))
    told.push(
      await tellEvent(db, contentEvents.collectionPermissionChanged, { ...what, users, teams: [], defaultLevel: true }),
    )
  return told
}
