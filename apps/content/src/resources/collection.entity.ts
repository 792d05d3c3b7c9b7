import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { DefaultLevel, ResourceWithAcl } from '../access/access.policy.ts'

export interface CollectionRow {
  id: string
  organizationId: string
  title: string
  description: string | null
  parent: string | null
  defaultLevel: DefaultLevel
  /** Fractional index among its sibling spaces and collections, compared by code unit. */
  position: string
  createdBy: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** A collection with all that a caller's role on it depends on. */
export type CollectionWithAcl = CollectionRow & ResourceWithAcl

export const CollectionEntity = new EntitySchema<CollectionRow>({
  name: 'Collection',
  tableName: 'collections',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    title: { type: 'text' },
    description: { type: 'text', nullable: true },
    parent: { type: 'text', nullable: true },
    defaultLevel: { type: 'text', name: 'default_level', nullable: true },
    position: { type: 'text' },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
    deletedAt: { type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true },
  } satisfies EntityColumns<CollectionRow>,
})
