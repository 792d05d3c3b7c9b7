import { z } from 'zod'
import {
  Collection,
  File,
  list,
  OpenAPISpec,
  Organization,
  page,
  Page,
  ReusableContent,
  Space,
  Url,
  User,
  endpoints,
  onResource,
} from '@recto/contracts-shared'

const owner = { organization: Organization, space: Space }

const PageAnchor = z
  .object({ type: z.literal('anchor'), anchor: z.string() })
  .meta({ id: 'PageAnchor', description: 'A place in a page: the heading or anchor that it is below' })

/** Where content is, or what a reference refers to, with whole objects. Pages come without the pages below them and without text. */
export const ContentLocation = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('page'), ...owner, page: Page, internalLocation: PageAnchor.optional() }).meta({
      id: 'PageLocation',
      description: 'A page, or a place in it',
    }),
    z
      .object({ kind: z.literal('file'), ...owner, file: File })
      .meta({ id: 'FileLocation', description: 'A file of a space' }),
    z
      .object({ kind: z.literal('reusable-content'), ...owner, reusableContent: ReusableContent })
      .meta({ id: 'ReusableContentLocation', description: 'A reusable content of a space' }),
    z
      .object({ kind: z.literal('collection'), organization: Organization, collection: Collection })
      .meta({ id: 'CollectionLocation', description: 'A collection' }),
    z.object({ kind: z.literal('user'), user: User }).meta({ id: 'UserLocation', description: 'A member' }),
    z.object({ kind: z.literal('space'), ...owner }).meta({ id: 'SpaceLocation', description: 'A space' }),
    z
      .object({ kind: z.literal('openapi'), organization: Organization, openAPISpec: OpenAPISpec })
      .meta({ id: 'OpenAPILocation', description: 'An OpenAPI specification' }),
    z.object({ kind: z.literal('url'), url: Url }).meta({ id: 'UrlLocation', description: 'A URL' }),
  ])
  .meta({ id: 'ContentLocation', description: 'Where content is, or what a reference refers to' })

/** Whether a reference leads to something. */
export const ReferenceStatus = z.enum(['ok', 'broken', 'in-app'])

/** A target that pages and reusable contents refer to, however they spell it, and the places that do. */
export const ContentReferenceUsage = z
  .object({
    status: ReferenceStatus.describe(
      '`broken`: the target is not in the content; `in-app`: it is in the application and not in the content',
    ),
    relation: z.enum(['reference', 'dependsOn']).describe('`dependsOn`: the target is part of the page'),
    targetReference: ContentLocation.optional().describe('Left out when the reference is broken'),
    locationReferences: z
      .array(ContentLocation)
      .describe('The first places that refer to the target: at most 100, and fewer where a page lists many targets'),
  })
  .meta({ id: 'ContentReferenceUsage', description: 'A target that pages and reusable contents refer to, and where' })

const ReferenceStats = z
  .object({
    total: z.number().int(),
    broken: z.object({
      total: z.number().int(),
      changeRequest: z
        .number()
        .int()
        .optional()
        .describe('Of a change request: those that are not broken, or not there, in main content'),
    }),
  })
  .meta({ id: 'ContentReferencesStats', description: 'Numbers of targets, whatever their status' })

const usages = list(ContentReferenceUsage).extend({ stats: ReferenceStats })
const usageQuery = page.extend({ status: ReferenceStatus.optional().describe('List targets with this status') })
const errors = ['not_found', 'unavailable'] as const

const referring = {
  links:
    'An item is a target, however it is spelled, with the first places that refer to it. `stats` counts all targets, whatever `status` is asked for. A link to another space is `in-app`.',
  pageBacklinks: 'References of the page to itself are left out, and so are those of other spaces.',
  fileBacklinks: 'References of other spaces are left out.',
} as const

/** References from and to the main content of a space. */
export const links = endpoints({
  listSpaceLinks: {
    route: 'GET /spaces/{spaceId}/links',
    summary: 'List the references of a space',
    description: referring.links,
    query: usageQuery,
    reply: usages,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listPageLinksInSpace: {
    route: 'GET /spaces/{spaceId}/content/page/{pageId}/links',
    summary: 'List the references of a page',
    description: referring.links,
    query: usageQuery,
    reply: usages,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listSpacePageBacklinks: {
    route: 'GET /spaces/{spaceId}/content/page/{pageId}/backlinks',
    summary: 'List the pages and reusable contents of the space that refer to a page',
    description: referring.pageBacklinks,
    query: page,
    reply: list(ContentLocation),
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listSpaceFileBacklinks: {
    route: 'GET /spaces/{spaceId}/content/files/{fileId}/backlinks',
    summary: 'List the pages and reusable contents of the space that refer to a file',
    description: referring.fileBacklinks,
    query: page,
    reply: list(ContentLocation),
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
})

/** References from and to the content of a change request. */
export const changeRequestLinks = endpoints({
  listChangeRequestLinks: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/links',
    summary: 'List the references of a change request',
    description: referring.links,
    query: usageQuery.extend({
      brokenContext: z
        .enum(['change-request', 'space'])
        .optional()
        .describe(
          'List broken references: those that the change request brings, or those that are broken in main content, too',
        ),
    }),
    reply: usages,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listPageLinksInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/links',
    summary: 'List the references of a page of a change request',
    description: referring.links,
    query: usageQuery,
    reply: usages,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listChangeRequestPageBacklinks: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/backlinks',
    summary: 'List the pages and reusable contents of a change request that refer to a page',
    description: referring.pageBacklinks,
    query: page,
    reply: list(ContentLocation),
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listChangeRequestFileBacklinks: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks',
    summary: 'List the pages and reusable contents of a change request that refer to a file',
    description: referring.fileBacklinks,
    query: page,
    reply: list(ContentLocation),
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
})
