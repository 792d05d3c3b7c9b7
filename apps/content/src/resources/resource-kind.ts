import type { Db, Transaction } from '@recto/database'
import { roleForbids, type Actor, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import {
  canManage,
  type DefaultLevel,
  type EffectiveAccess,
  requireManage,
  type ResourceWithAcl,
} from '../access/access.policy.ts'
import type { ResourceType } from '../access/grant.entity.ts'
import type { ResourceRow } from './resource.entity.ts'

/** A space or a collection with all that a caller's role on it depends on. */
export interface Resource extends ResourceRow, ResourceWithAcl {
  createdBy: string
}

/** A resource that the caller can read, with their access to it. */
export interface ReadableResource<Row extends Resource = Resource> {
  resource: Row
  role: Role
  access: EffectiveAccess
}

/** A request to update settings. */
export interface SettingsUpdate {
  defaultLevel?: DefaultLevel | undefined
}

/** The settings that an update changes, and the function that writes them. */
export interface PlannedUpdate {
  fields: string[]
  /** The next default level; undefined when it stays. */
  defaultLevel: DefaultLevel | undefined
  write(db: Db): Promise<void>
}

/** Users and teams whose role a change may affect, and whether it changed the default level. */
export interface PermissionChange {
  users: string[]
  teams: string[]
  defaultLevel: boolean
}

/** The adapter by which settings, moves, transfers and permissions treat spaces and collections alike. */
export interface ResourceKind<Row extends Resource = Resource, Update extends SettingsUpdate = SettingsUpdate> {
  type: ResourceType
  /** Whether it contains other resources: moves and transfers then lock the tree of the organization. */
  isContainer: boolean
  /** Exempts the creator from the escalation check of a move: closing the resource would make them its admin anyway. */
  creatorMayBecomeAdmin: boolean
  find(db: Db, id: string, actor: Actor): Promise<Row | undefined>
  /** Locks the row until the transaction ends and reads it after the wait. */
  lock(db: Db, id: string, actor: Actor): Promise<Row | undefined>
  /** Locks the row until the transaction ends, without access of an actor. */
  lockRow(db: Db, id: string): Promise<OwnedRow | undefined>
  /** Throws `not_found` when it is missing, or the actor may not read it. */
  requireRead(actor: Actor, row: Row | undefined): ReadableResource<Row>
  /** Throws `not_found` when it is missing, deleted or in another organization. */
  requireIn(organization: string, row: OwnedRow | undefined): OwnedRow
  planUpdate(row: Row, update: Update): PlannedUpdate
  publishUpdated(tx: Transaction, actor: Actor, event: EventOf<{ fields: string[] }>): Promise<void>
  recordPermissionChange(tx: Transaction, change: EventOf<PermissionChange>): void
  recordMove(tx: Transaction, move: EventOf<{ parent: string | null }>): void
  publishTransferred(tx: Transaction, actor: Actor, event: EventOf<{ from: string; spaces: string[] }>): Promise<void>
}

type OwnedRow = Pick<Resource, 'id' | 'organizationId' | 'deletedAt'>
type EventOf<Fields> = Fields & { id: string; organizationId: string }

/** A resource that the actor can read and manage; throws `not_found` or `forbidden`. */
export function requireManageable<Row extends Resource>(
  kind: ResourceKind<Row>,
  actor: Actor,
  row: Row | undefined,
): ReadableResource<Row> {
  const readable = kind.requireRead(actor, row)
  requireManage(readable.role)
  return readable
}

/** A resource that the actor can read and change; throws `not_found`, `forbidden` (by default below `create`), or `conflict` when it is deleted. */
export function requireWritable<Row extends Resource>(
  kind: ResourceKind<Row>,
  { actor, can = canManage }: { actor: Actor; can?: (role: Role) => boolean },
  row: Row | undefined,
): ReadableResource<Row> {
  const readable = kind.requireRead(actor, row)
  if (!can(readable.role)) throw roleForbids(readable.role)
  if (readable.resource.deletedAt) throw new Failure('conflict', `The ${kind.type} is deleted`)
  return readable
}

/** Throws `conflict` when a resource was moved or transferred between being read and being locked. */
export function requireSamePlace(
  before: Pick<Resource, 'organizationId' | 'parent'>,
  now: Pick<Resource, 'organizationId' | 'parent'>,
  type: ResourceType,
): void {
  const isSamePlace = before.organizationId === now.organizationId && before.parent === now.parent
  if (!isSamePlace) throw new Failure('conflict', `The ${type} has just been moved elsewhere`)
}
