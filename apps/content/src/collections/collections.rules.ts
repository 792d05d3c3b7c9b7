import { createId } from '@recto/operation'
import type { CollectionRow } from '../resources/collection.entity.ts'

interface CollectionRequest {
  organizationId: string
  parent: string | null
  position: string
  title?: string | undefined
  createdBy: string
}

/** Makes a collection, which inherits its default level. */
export function newCollection({ title = 'Untitled', ...request }: CollectionRequest): CollectionRow {
  const now = new Date()
  return {
    ...request,
    id: createId(),
    type: 'collection',
    title,
    description: null,
    defaultLevel: 'inherit',
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
}
