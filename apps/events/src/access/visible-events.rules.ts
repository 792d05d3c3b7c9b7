import { recordTypes, type RecordReaders, type RecordTypeName } from '@recto/contracts-shared'
import type { EventRow } from '../record/event.entity.ts'

/** The rights of a caller of an organization to read events. */
export interface Readable {
  /** Whether they are an admin of the organization, who reads everything. */
  isAdmin: boolean
  /** Whether they are a member, not a guest. */
  isMember: boolean
  spaces: ReadonlySet<string>
  collections: ReadonlySet<string>
  sites: ReadonlySet<string>
}

/** Resources that decide who reads an event: the first that it is about. */
const deciding = ['space', 'collection', 'site'] as const

/** A resource that decides who reads an event. */
export interface DecidingResource {
  kind: (typeof deciding)[number]
  id: string
}

/** The resource that decides who reads an event; undefined where the type decides alone. */
export function decidingResource({ subject }: Pick<EventRow, 'subject'>): DecidingResource | undefined {
  const kind = deciding.find(each => subject[each] !== undefined)
  const id = kind && subject[kind]
  return kind && id !== undefined ? { kind, id } : undefined
}

/**
 * Whether a caller reads an event now:
 *
 * | caller  | readers of its type | about             | reads it                      |
 * | ------- | ------------------- | ----------------- | ----------------------------- |
 * | admin   | any                 | anything          | yes                           |
 * | others  | admins              | anything          | no                            |
 * | others  | any other           | a resource        | when they may read that now   |
 * | member  | members             | no resource       | yes                           |
 * | guest   | members             | no resource       | no                            |
 *
 * Of what is deleted nobody but admins may read anything.
 */
export function isVisible(event: Pick<EventRow, 'type' | 'subject'>, readable: Readable): boolean {
  if (readable.isAdmin) return true
  if (readersOf(event.type) === 'admins') return false
  const resource = decidingResource(event)
  if (!resource) return readable.isMember
  return readable[`${resource.kind}s`].has(resource.id)
}

function readersOf(type: string): RecordReaders | undefined {
  const row = recordTypes[type as RecordTypeName] as { readers?: RecordReaders; summary: string } | undefined
  // A type of another version of the platform: who reads it is not known here.
  return row ? row.readers : 'admins'
}
