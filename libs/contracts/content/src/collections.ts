import { operations } from '@recto/operation'
import { z } from 'zod'
import { Collection, DefaultLevel, flag, Id, list, page, Space, text } from '@recto/contracts-shared'

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
export const collections = operations({
  createCollection: {
    route: 'POST /orgs/{organizationId}/collections',
    summary: 'Create a collection',
    body: CreateCollection,
    request: { optionalBody: true },
    reply: Collection,
    creates: 'resource',
    errors: ['not_found'],
  },
  listCollectionsInOrganizationById: {
    route: 'GET /orgs/{organizationId}/collections',
    summary: 'List the collections of an organization',
    query: page.extend({
      nested: flag(true).describe('`false` lists only collections that are shown without a parent'),
    }),
    reply: list(Collection),
    errors: ['not_found'],
  },
  getCollectionById: {
    route: 'GET /collections/{collectionId}',
    summary: 'Get a collection',
    reply: Collection,
    errors: ['not_found'],
  },
  updateCollectionById: {
    route: 'PATCH /collections/{collectionId}',
    summary: 'Update a collection',
    body: UpdateCollection,
    reply: Collection,
    errors: ['not_found'],
  },
  listSpacesInCollectionById: {
    route: 'GET /collections/{collectionId}/spaces',
    summary: 'List the spaces of a collection in order',
    description: 'Spaces of nested collections are not included.',
    query: page,
    reply: list(Space),
    errors: ['not_found'],
  },
})
