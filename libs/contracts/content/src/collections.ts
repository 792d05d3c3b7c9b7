import { z } from 'zod'
import {
  Collection,
  DefaultLevel,
  flag,
  Id,
  list,
  page,
  Space,
  text,
  endpoints,
  inOrganization,
  guests,
  onResource,
} from '@recto/contracts-shared'

const CreateCollection = z
  .object({ title: text({ max: 50 }).optional(), parent: Id.optional().describe('Collection to create it in') })
  .meta({ id: 'CreateCollection', description: 'A collection to create' })

const UpdateCollection = z
  .object({
    title: text({ max: 50 }).optional(),
    description: text({ max: 100 }).nullable().optional(),
    defaultLevel: DefaultLevel.optional(),
  })
  .meta({ id: 'UpdateCollection', description: 'Fields of a collection to update' })

/** Operations on collections. */
export const collections = endpoints({
  createCollection: {
    route: 'POST /orgs/{organizationId}/collections',
    summary: 'Create a collection',
    description:
      'The collection comes last among its siblings, and is as open as what is around it. With `parent` the role `create` in that collection counts instead.',
    body: CreateCollection,
    request: { optionalBody: true },
    reply: Collection,
    creates: 'resource',
    errors: ['not_found'],
    scope: 'space:write',
    access: { ...inOrganization('create'), limited: 'checked' },
    records: ['collection.created'],
    examples: [{ body: { title: 'Guides' } }, { body: { parent: '{collectionId}' } }],
  },
  listCollectionsInOrganizationById: {
    route: 'GET /orgs/{organizationId}/collections',
    summary: 'List the collections of an organization',
    description:
      'The newest come first, with nested ones unless `nested` is `false`. Collections that you cannot read are left out.',
    query: page.extend({
      nested: flag(true).describe('`false` lists only collections that are shown without a parent'),
    }),
    reply: list(Collection),
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...guests, limited: 'filtered' },
  },
  getCollectionById: {
    route: 'GET /collections/{collectionId}',
    summary: 'Get a collection',
    description: '`parent` is left out when it has none that you can read.',
    reply: Collection,
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  updateCollectionById: {
    route: 'PATCH /collections/{collectionId}',
    summary: 'Update a collection',
    description:
      'Fields that are left out stay. The `defaultLevel` is the role of members on all in it that inherits: one above your own is refused (403). `null` closes it, and its creator keeps their role by a grant.',
    body: UpdateCollection,
    reply: Collection,
    errors: ['not_found'],
    scope: 'space:write',
    access: onResource('create'),
    records: ['collection.updated', 'collection.permissions.updated'],
    examples: [{ body: { title: 'Guides', description: 'How to do things' } }],
  },
  listSpacesInCollectionById: {
    route: 'GET /collections/{collectionId}/spaces',
    summary: 'List the spaces of a collection in order',
    description: 'Spaces of nested collections are not included, nor those that you cannot read.',
    query: page,
    reply: list(Space),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
})
