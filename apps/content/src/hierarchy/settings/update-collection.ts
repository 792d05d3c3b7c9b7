import { contentEvents } from '@recto/contracts'
import { type Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { requireSettings, type DefaultLevel } from '../../access/access.policy.ts'
import { withinReach } from '../../access/escalation.ts'
import { changed } from '../../shared/changed-fields.rules.ts'
import type { Context } from '../../shared/context.ts'
import { grantOnClosing } from '../../access/grant-on-close.ts'
import * as grants from '../../access/grants.repository.ts'
import { stamp } from '../../shared/event-metadata.ts'
import type { PlacedCollection } from '../collections/collection.entity.ts'
import { requireCollection, type SeenCollection } from '../collections/collections.policy.ts'
import * as repository from '../collections/collections.repository.ts'

interface Request {
  title?: string | undefined
  description?: string | null | undefined
  defaultLevel?: DefaultLevel | undefined
}

/** Changes the settings of a collection, for who may; gives it as it is then. */
export async function changeCollection(context: Context, id: string, request: Request): Promise<PlacedCollection> {
  const { actor } = context
  const { collection: before } = requireChangeable(actor, await repository.findFor(context.db, id, actor), request)
  const grant = await grantOnClosing(context, 'collection', { closed: before, next: request.defaultLevel })
  const collection = await context.transaction(async tx => {
    const { collection: locked, role } = requireChangeable(actor, await repository.lockFor(tx, id, { actor }), request)
    const changes = changed<PlacedCollection, keyof Request>(locked, request)
    if (Object.keys(changes).length === 0) return locked
    const write = () => repository.change(tx, id, { ...changes, updatedAt: new Date() })
    await (changes.defaultLevel === 'inherit'
      ? withinReach(context, { db: tx, object: 'collection', on: { ...locked, role }, mayLower: true, write })
      : write())
    if (grant) await grants.give(tx, grant)
    await publishChange(tx, actor, {
      collection: locked,
      fields: Object.keys(changes),
      users: grant ? [grant.subjectId] : [],
    })
    return (await repository.findFor(tx, id, actor)) ?? locked
  })
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

async function publishChange(
  tx: Transaction,
  actor: Actor,
  { collection, fields, users }: { collection: PlacedCollection; fields: string[]; users: string[] },
): Promise<void> {
  const what = { ...stamp(actor, collection), collection: collection.id }
  await tx.publish(contentEvents.collectionUpdated, { ...what, fields })
  if (fields.includes('defaultLevel'))
    await tx.publish(contentEvents.collectionPermissionChanged, { ...what, users, teams: [], defaultLevel: true })
}
