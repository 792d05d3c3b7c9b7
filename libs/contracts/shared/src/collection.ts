import { z } from 'zod'
import { Id, Url } from './conventions.ts'
import { collectionRights, permissionsOf } from './rights.ts'
import { DefaultLevel } from './space.ts'

const CollectionPermissions = permissionsOf(collectionRights).meta({
  id: 'CollectionPermissions',
  description: 'What the caller may do with the collection',
})

/** A collection as replies show it. */
export const Collection = z
  .object({
    object: z.literal('collection'),
    id: Id,
    title: z.string(),
    description: z.string().optional(),
    organization: Id,
    parent: Id.optional().describe('Id of its collection, if the caller can read that'),
    defaultLevel: DefaultLevel,
    urls: z.object({ location: Url, app: Url }),
    permissions: CollectionPermissions,
  })
  .meta({ id: 'Collection', description: 'A collection of spaces and collections' })
