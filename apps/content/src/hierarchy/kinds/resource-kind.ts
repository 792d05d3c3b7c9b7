import { contentEvents } from '@recto/contracts'
import { type Db, type Transaction } from '@recto/database'
import type { Actor, Role } from '@recto/actor'
import { canManage, requireManage } from '../../access/access.policy.ts'
import { requireCollection } from '../collections/collections.policy.ts'
import * as collections from '../collections/collections.repository.ts'
import type { GrantRow } from '../../access/grant.entity.ts'
import { requireOn, requireView } from '../spaces/spaces.policy.ts'
import * as spaces from '../spaces/spaces.repository.ts'
import { stamp } from '../../shared/event-metadata.ts'

/** A space or collection whose permissions the caller may manage, with their role on it. */
export interface Managed {
  id: string
  organizationId: string
  role: Role
}

/** A user or a team. */
export type Subject = Pick<GrantRow, 'subject' | 'subjectId'>

/** What differs between permissions on spaces and on collections. */
export interface Noun {
  object: GrantRow['object']
  /** Finds it for who may manage its permissions. */
  find(db: Db, id: string, actor: Actor): Promise<Managed>
  /** Finds it to change its permissions: nobody else does until the transaction ends. */
  lock(db: Db, id: string, actor: Actor): Promise<Managed>
  publishChange(tx: Transaction, object: Managed, changed: { actor: Actor; subjects: Subject[] }): Promise<void>
}

/** Permissions on spaces. */
export const ofSpaces: Noun = {
  object: 'space',
  async find(db, id, actor) {
    const { space, role } = requireView(actor, await spaces.findFor(db, id, actor))
    return requireManaged({ ...space, role })
  },
  async lock(db, id, actor) {
    const seen = requireView(actor, await spaces.lockFor(db, id, actor))
    requireOn(seen, canManage)
    return { ...seen.space, role: seen.role }
  },
  publishChange: (tx, space, { actor, subjects }) =>
    tx.publish(contentEvents.spacePermissionChanged, {
      ...stamp(actor, space),
      ...named(subjects),
      space: space.id,
      defaultLevel: false,
    }),
}

/** Permissions on collections. */
export const ofCollections: Noun = {
  object: 'collection',
  async find(db, id, actor) {
    const { collection, role } = requireCollection(actor, await collections.findFor(db, id, actor))
    return requireManaged({ ...collection, role })
  },
  async lock(db, id, actor) {
    const { collection, role } = requireCollection(actor, await collections.lockFor(db, id, { actor }))
    return requireManaged({ ...collection, role })
  },
  publishChange: (tx, collection, { actor, subjects }) =>
    tx.publish(contentEvents.collectionPermissionChanged, {
      ...stamp(actor, collection),
      ...named(subjects),
      collection: collection.id,
      defaultLevel: false,
    }),
}

function requireManaged(object: Managed): Managed {
  requireManage(object.role)
  return object
}

function named(subjects: Subject[]): { users: string[]; teams: string[] } {
  const of = (wanted: GrantRow['subject']) =>
    subjects.flatMap(({ subject, subjectId }) => (subject === wanted ? [subjectId] : []))
  return { users: of('user'), teams: of('team') }
}
