import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { DefaultLevel } from '../access/access.policy.ts'
import type { ResourceType } from '../access/grant.entity.ts'

/** The columns that spaces and collections share. */
export interface ResourceRow {
  id: string
  type: ResourceType
  organizationId: string
  parent: string | null
  /** Fractional index among its sibling spaces and collections, compared by code unit. */
  position: string
  defaultLevel: DefaultLevel
  updatedAt: Date
  deletedAt: Date | null
}

/** A resource by its type and id. */
export type ResourceKey = Pick<ResourceRow, 'type' | 'id'>

export const resourceColumns = {
  id: { type: 'text', primary: true },
  type: { type: 'text' },
  organizationId: { type: 'text', name: 'organization_id' },
  parent: { type: 'text', nullable: true },
  position: { type: 'text' },
  defaultLevel: { type: 'text', name: 'default_level', nullable: true },
  updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  deletedAt: { type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true },
} satisfies EntityColumns<ResourceRow>

/** All spaces and collections: their tables inherit from this one, which has no rows of its own (decision 0062). */
export const ResourceEntity = new EntitySchema<ResourceRow>({
  name: 'Resource',
  tableName: 'resources',
  columns: resourceColumns,
})
