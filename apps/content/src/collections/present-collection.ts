import type { Collection } from '@recto/contracts-shared'
import type { z } from 'zod'
import { canView, type EffectiveAccess } from '../access/access.policy.ts'
import type { CollectionRow } from '../resources/collection.entity.ts'
import { collectionPermissions } from './collections.policy.ts'

/** Presents a collection to a caller with this access. */
export function presentCollection(
  collection: CollectionRow,
  access: EffectiveAccess,
  publicUrl: string,
): z.input<typeof Collection> {
  return {
    object: 'collection',
    id: collection.id,
    title: collection.title,
    ...(collection.description !== null && { description: collection.description }),
    organization: collection.organizationId,
    ...(collection.parent !== null && canView(access.parentRole) && { parent: collection.parent }),
    defaultLevel: collection.defaultLevel,
    urls: { location: `${publicUrl}/v1/collections/${collection.id}`, app: `${publicUrl}/c/${collection.id}` },
    permissions: collectionPermissions(access),
  }
}
