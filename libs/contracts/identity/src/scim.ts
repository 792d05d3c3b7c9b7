import { empty, endpoints, isStorable, reads, storableMessage, text } from '@recto/contracts-shared'
import { z } from 'zod'
import { scimProtocol } from './scim-protocol.ts'

/** A JSON object whose attributes the schemas of SCIM define, and whose other attributes are kept. */
const attributes = () => z.looseObject({ schemas: z.array(z.string()).optional() }).refine(isStorable, storableMessage)

const ScimResource = z
  .looseObject({ schemas: z.array(z.string()), id: z.string() })
  .meta({ id: 'ScimResource', description: 'A resource of SCIM, with the attributes that were asked for' })

const ScimUserBody = attributes().meta({ id: 'ScimUserBody', description: 'A user as a provisioning client has them' })
const ScimGroupBody = attributes().meta({
  id: 'ScimGroupBody',
  description: 'A group as a provisioning client has it',
})

/** Operations of one PATCH. */
export const maxScimOperations = 1_000
/** Members that one request names, or removes. */
export const maxScimMembers = 10_000
/** Resources of one page. */
export const maxScimPage = 200

const PatchOperation = z
  .looseObject({
    op: z.string().max(20),
    path: text({ max: 1024 }).optional(),
    value: z.unknown().optional(),
  })
  .meta({ id: 'ScimPatchOperation', description: 'A change of attributes (RFC 7644, section 3.5.2)' })

const ScimPatch = z
  .looseObject({
    schemas: z.array(z.string()).optional(),
    Operations: z.array(PatchOperation).min(1).max(maxScimOperations),
  })
  .refine(isStorable, storableMessage)
  .meta({ id: 'ScimPatch', description: 'Changes of attributes, in their order' })

const filter = text({ max: 4096 }).optional()
const sortBy = text({ max: 256 }).optional()
const sortOrder = z.enum(['ascending', 'descending']).default('ascending')
const names = text({ max: 4096 }).optional()

const projection = z.object({
  attributes: names.describe('Names of attributes to answer with, with commas'),
  excludedAttributes: names.describe('Names of attributes to leave out, with commas'),
})

const search = projection.extend({
  filter: filter.describe('RFC 7644, section 3.4.2.2'),
  startIndex: z.coerce.number().int().default(1).describe('1 for the first resource'),
  count: z.coerce.number().int().default(100).describe(`At most ${maxScimPage}`),
  sortBy: sortBy.describe('Name of an attribute'),
  sortOrder,
})

const nameList = z.array(text({ max: 256 })).max(100)

const ScimSearch = z
  .looseObject({
    schemas: z.array(z.string()).optional(),
    attributes: nameList.optional(),
    excludedAttributes: nameList.optional(),
    filter,
    startIndex: z.number().int().default(1),
    count: z.number().int().default(100),
    sortBy,
    sortOrder,
  })
  .meta({ id: 'ScimSearch', description: 'A list that is asked for by POST (RFC 7644, section 3.4.3)' })

/** A page of resources of a kind (RFC 7644, section 3.4.2). */
const listResponse = <Resource extends z.ZodType>(resource: Resource) =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(resource),
  })

const ScimList = listResponse(ScimResource).meta({ id: 'ScimList', description: 'A page of resources' })

const ScimDocument = z
  .looseObject({ schemas: z.array(z.string()) })
  .meta({ id: 'ScimDocument', description: 'A description of this service provider' })
const ScimDocuments = listResponse(ScimDocument).meta({
  id: 'ScimDocuments',
  description: 'Descriptions of this service provider',
})

/** Whoever provisions an organization: the token says which. */
const provisioning = { group: 'admin', may: 'admin', sees: 'guest' } as const

const userRecords = [
  'member.added',
  'member.updated',
  'member.removed',
  'invite.deleted',
  'team.member.added',
  'team.member.removed',
] as const
const groupRecords = [
  'team.created',
  'team.updated',
  'team.deleted',
  'team.member.added',
  'team.member.removed',
] as const

/** Users of SCIM: the members of the organization of the token. */
export const scimUsers = endpoints({
  listScimUsers: {
    route: 'GET /Users',
    summary: 'List users',
    query: search,
    reply: ScimList,
    access: provisioning,
    scope: 'scim',
  },
  searchScimUsers: {
    route: 'POST /Users/.search',
    summary: 'List users, with the parameters in the body',
    body: ScimSearch,
    reply: ScimList,
    isIdempotent: true,
    records: reads,
    access: provisioning,
    scope: 'scim',
  },
  createScimUser: {
    route: 'POST /Users',
    summary: 'Create a user: a member of the organization',
    query: projection,
    body: ScimUserBody,
    reply: ScimResource,
    creates: 'resource',
    errors: ['conflict', 'not_found'],
    records: userRecords,
    access: provisioning,
    scope: 'scim',
  },
  getScimUser: {
    route: 'GET /Users/{userId}',
    summary: 'Get a user',
    query: projection,
    reply: ScimResource,
    errors: ['not_found'],
    access: provisioning,
    scope: 'scim',
  },
  replaceScimUser: {
    route: 'PUT /Users/{userId}',
    summary: 'Replace the attributes of a user',
    query: projection,
    body: ScimUserBody,
    reply: ScimResource,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    records: userRecords,
    access: provisioning,
    scope: 'scim',
  },
  patchScimUser: {
    route: 'PATCH /Users/{userId}',
    summary: 'Change attributes of a user',
    query: projection,
    body: ScimPatch,
    reply: ScimResource,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    records: userRecords,
    access: provisioning,
    scope: 'scim',
  },
  deleteScimUser: {
    route: 'DELETE /Users/{userId}',
    summary: 'Remove a user from the organization',
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    records: userRecords,
    access: provisioning,
    scope: 'scim',
  },
})

/** Groups of SCIM: the teams of the organization of the token. */
export const scimGroups = endpoints({
  listScimGroups: {
    route: 'GET /Groups',
    summary: 'List groups',
    query: search,
    reply: ScimList,
    access: provisioning,
    scope: 'scim',
  },
  searchScimGroups: {
    route: 'POST /Groups/.search',
    summary: 'List groups, with the parameters in the body',
    body: ScimSearch,
    reply: ScimList,
    isIdempotent: true,
    records: reads,
    access: provisioning,
    scope: 'scim',
  },
  createScimGroup: {
    route: 'POST /Groups',
    summary: 'Create a group: a team of the organization',
    query: projection,
    body: ScimGroupBody,
    reply: ScimResource,
    creates: 'resource',
    errors: ['conflict', 'not_found'],
    records: groupRecords,
    access: provisioning,
    scope: 'scim',
  },
  getScimGroup: {
    route: 'GET /Groups/{groupId}',
    summary: 'Get a group',
    query: projection,
    reply: ScimResource,
    errors: ['not_found'],
    access: provisioning,
    scope: 'scim',
  },
  replaceScimGroup: {
    route: 'PUT /Groups/{groupId}',
    summary: 'Replace the attributes of a group',
    query: projection,
    body: ScimGroupBody,
    reply: ScimResource,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    records: groupRecords,
    access: provisioning,
    scope: 'scim',
  },
  patchScimGroup: {
    route: 'PATCH /Groups/{groupId}',
    summary: 'Change attributes and members of a group; answered with 204 unless `attributes` are asked for',
    query: projection,
    body: ScimPatch,
    reply: ScimResource.optional(),
    response: { isOptional: true },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    records: groupRecords,
    access: provisioning,
    scope: 'scim',
  },
  deleteScimGroup: {
    route: 'DELETE /Groups/{groupId}',
    summary: 'Delete a group: its team',
    reply: empty,
    status: 204,
    errors: ['not_found', 'precondition_failed'],
    records: groupRecords,
    access: provisioning,
    scope: 'scim',
  },
})

/** Descriptions of this service provider for clients (RFC 7644, section 4). */
export const scimDiscovery = endpoints({
  getScimServiceProviderConfig: {
    route: 'GET /ServiceProviderConfig',
    summary: 'Get the features of the protocol that are here',
    reply: ScimDocument,
    access: provisioning,
    scope: 'scim',
  },
  listScimResourceTypes: {
    route: 'GET /ResourceTypes',
    summary: 'List the types of resources',
    reply: ScimDocuments,
    access: provisioning,
    scope: 'scim',
  },
  getScimResourceType: {
    route: 'GET /ResourceTypes/{name}',
    summary: 'Get a type of resources',
    reply: ScimDocument,
    errors: ['not_found'],
    access: provisioning,
    scope: 'scim',
  },
  listScimSchemas: {
    route: 'GET /Schemas',
    summary: 'List the schemas of resources',
    reply: ScimDocuments,
    access: provisioning,
    scope: 'scim',
  },
  getScimSchema: {
    route: 'GET /Schemas/{schema}',
    summary: 'Get a schema of resources',
    reply: ScimDocument,
    errors: ['not_found'],
    access: provisioning,
    scope: 'scim',
  },
})

/** Rows of SCIM that identity answers. */
export const identityScim = { ...scimUsers, ...scimGroups, ...scimDiscovery }

/** SCIM 2.0 for the gateway: the rows with their protocol. */
export const scim = { ...scimProtocol, api: { identity: identityScim } }
