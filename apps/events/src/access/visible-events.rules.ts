import { atLeast, type Role } from '@recto/actor'
import { recordTypes, type RecordedType, type RecordType } from '@recto/contracts-shared'
import type { EventRow } from '../record/event.entity.ts'

/** The rights of a caller of an organization to read events. */
export interface Readable {
  /** Whether they are an admin of the organization, who reads everything. */
  isAdmin: boolean
  /** Whether they are a member, not a guest. */
  isMember: boolean
  /** Their roles on those that they may read. */
  spaces: ReadonlyMap<string, Role>
  collections: ReadonlyMap<string, Role>
  sites: ReadonlyMap<string, Role>
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
 * | others  | any other           | a resource        | when they have its role there |
 * | member  | members             | no resource       | yes                           |
 * | guest   | members             | no resource       | no                            |
 *
 * Of what is deleted nobody but admins may read anything.
 */
export function isVisible(event: Pick<EventRow, 'type' | 'subject'>, readable: Readable): boolean {
  if (readable.isAdmin) return true
  const { readers, role = 'read' } = ruleOf(event.type)
  if (readers === 'admins') return false
  const resource = decidingResource(event)
  if (!resource) return readable.isMember
  return atLeast(readable[`${resource.kind}s`].get(resource.id), role)
}

/** The other resources that the details of an event name, by the kinds of its type. */
export function namedResources({ type, details }: Pick<EventRow, 'type' | 'details'>): DecidingResource[] {
  return Object.entries(ruleOf(type).names ?? {}).flatMap(([field, kind]) =>
    idsIn(details?.[field]).map(id => ({ kind, id })),
  )
}

/** An event without the ids of resources that a caller may not read; a field with one id goes with it. */
export function withoutHiddenNames<Event extends Pick<EventRow, 'type' | 'details'>>(
  event: Event,
  readable: Pick<Readable, 'spaces' | 'collections' | 'sites'>,
): Event {
  const details = { ...event.details }
  for (const [field, kind] of Object.entries(ruleOf(event.type).names ?? {})) {
    const value = details[field]
    const isReadable = (id: string) => readable[`${kind}s`].has(id)
    if (Array.isArray(value)) details[field] = idsIn(value).filter(isReadable)
    else if (!idsIn(value).every(isReadable)) delete details[field]
  }
  return event.details === null ? event : { ...event, details }
}

function idsIn(value: unknown): string[] {
  return [value].flat().filter(id => typeof id === 'string')
}

/** The rule of a type; one of another version of the platform is for admins, because nothing else is known of it. */
function ruleOf(type: string): Pick<RecordType, 'readers' | 'role' | 'names'> {
  const row = recordTypes[type as RecordedType] as RecordType | undefined
  return row ?? { readers: 'admins' }
}
