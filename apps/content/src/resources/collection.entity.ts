import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { ResourceWithAcl } from '../access/access.policy.ts'
import { resourceColumns, type ResourceRow } from './resource.entity.ts'

export interface CollectionRow extends ResourceRow {
  type: 'collection'
  title: string
  description: string | null
  createdBy: string
  createdAt: Date
}

/** A collection with all that a caller's role on it depends on. */
export type CollectionWithAcl = CollectionRow & ResourceWithAcl

export const CollectionEntity = new EntitySchema<CollectionRow>({
  name: 'Collection',
  tableName: 'collections',
  columns: {
    ...resourceColumns,
    title: { type: 'text' },
    description: { type: 'text', nullable: true },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<CollectionRow>,
})
