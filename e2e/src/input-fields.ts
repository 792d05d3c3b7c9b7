import { Id, type Endpoint } from '@recto/contracts-shared'
import { z } from 'zod'
import { plainKind } from './endpoint-requests.ts'
import type { Kind } from './tenant.ts'

/** Fields that hold ids by their names, and the kinds of these; what other ids are of is said by the examples of the row. */
const idFields: Record<string, readonly Kind[]> = {
  add: ['userId'],
  authors: ['userId'],
  collection: ['collectionId'],
  collections: ['collectionId'],
  contributor: ['userId'],
  creator: ['userId'],
  currentSiteSpace: ['siteSpaceId'],
  defaultSiteSection: ['siteSectionId'],
  defaultSiteSpace: ['siteSpaceId'],
  defaultTeam: ['teamId'],
  file: ['fileId'],
  includedSiteSpaces: ['siteSpaceId'],
  into: ['pageId'],
  members: ['userId'],
  memberships: ['userId'],
  organization: ['organizationId'],
  owner: ['userId'],
  pageId: ['pageId'],
  parent: ['collectionId', 'siteSectionGroupId'],
  parentSectionGroupId: ['siteSectionGroupId'],
  remove: ['userId'],
  reusableContent: ['reusableContentId'],
  revision: ['revisionId'],
  sectionId: ['siteSectionId'],
  sections: ['siteSectionId'],
  since: ['revisionId'],
  site: ['siteId'],
  sites: ['siteId'],
  siteSection: ['siteSectionId'],
  siteSectionGroupId: ['siteSectionGroupId'],
  siteSectionId: ['siteSectionId'],
  siteSpace: ['siteSpaceId'],
  siteSpaceId: ['siteSpaceId'],
  siteSpaceIds: ['siteSpaceId'],
  space: ['spaceId'],
  spaceId: ['spaceId'],
  spaces: ['spaceId'],
  targetPage: ['pageId'],
  teams: ['teamId'],
  until: ['revisionId'],
  users: ['userId'],
}

/** Fields that hold text and no ids. */
const textFields = new Set([
  'logout_token',
  'interaction',
  'redirectURIs',
  'scopes',
  'token',
  'title',
  'description',
  'displayName',
  'photoURL',
  'email',
  'emails',
  'emailDomains',
  'allowedAddresses',
  'name',
  'label',
  'search',
  'query',
  'page',
  'hostname',
  'logo',
  'emoji',
  'icon',
  'expiresAt',
  'entityID',
  'certificate',
  'ssoURL',
  'SAMLResponse',
  'RelayState',
  'issuer',
  'clientID',
  'clientSecret',
  'scopes',
  'logout_token',
  'state',
  'code',
  'iss',
  'error',
  'error_description',
  'shareKey',
  'url',
  'ref',
  'commitMessage',
  'repoCacheID',
  'repoTreeURL',
  'repoCommitURL',
  'repoProjectDirectory',
  'username',
  'password',
  'webhookSecret',
  'commitMessageTemplate',
  'logoutURL',
  'visitorAuthToken',
  'domain',
  'model',
  'userAgent',
  'correlationId',
  'toolName',
  'target',
  'command',
  'flags',
  'goal',
  'detail',
  'workaround',
  'timestamp',
  'markdown',
  'object',
  'slug',
  'condition',
  'href',
  'base64',
  'contentType',
  'upload',
  'type',
  'id',
  'contentRefs',
  'anchor',
  'base',
  'previousQueries',
  'visitorId',
  'sessionId',
  'path',
  'basename',
  'proxy',
  'jwtToken',
  'claims',
  'unsignedClaims',
  'spec',
  'seed',
  'node',
  'block',
  'record',
  'definition',
  'addedReactions',
  'removedReactions',
  'light',
  'dark',
  'fontFamily',
  'message',
  'copyright',
  'fallbackURL',
  'source',
  'properties',
  'enum',
  'text',
  'subject',
  'expression',
  'variable',
  'configuration',
  'values',
  'from',
  'to',
  'comment',
  'translations',
  'localizedTitle',
  'localizedDescription',
  'localizedMessage',
  'localizedGreeting',
  'greeting',
  'suggestions',
  'instructions',
  'headers',
  'handle',
  'tag',
  'linkTitle',
  'openapiUrl',
  'apiUrl',
  'statusToken',
  'topic',
  'styleguideRun',
  'after',
  'types',
])

/** Parts of inputs that are accepted and not used: nothing is read by the ids in them. */
const unused = [
  'session',
  'result',
  'responseId',
  'link',
  'operation',
  'ad',
  'location.siteSection',
  'location.siteShareKey',
  'location.revision',
]
  .map(part => `events.${part}`)
  .concat('source.dependencies.spec.value', 'computedSource.dependencies.spec.value')

/** Keys of uploads; uploads.test.ts, push.test.ts, and tests of import runs, try those of others. */
const uploads = ['upload', 'changes.upload', 'changes.files.upload', 'fontFaces.storageKey', 'source.files']

/** Marks the schema of ids, and all that are made from it. */
const ids = z.registry<{ isId: true }, z.core.$ZodType>()
ids.add(Id, { isId: true })

/**
 * Fields of an operation's input of which nobody knows whether they hold ids, and id fields that no example sends an id of their kind in. A
 * field whose name says neither that it is an id nor that it is text has to be in an example.
 */
export function unknownFields(row: Endpoint): string[] {
  const fields = [row.query, row.body].flatMap(schema => (schema ? stringFields(inputOf(schema)) : []))
  const isExempt = (field: string) =>
    uploads.includes(field) || unused.some(part => field === part || field.startsWith(`${part}.`))
  const examples = (row.examples ?? []).flatMap(({ query, body }) => [...sentFields(query), ...sentFields(body)])
  return fields.flatMap(({ field, isId }) => {
    const name = field.split('.').at(-1) ?? ''
    if (isExempt(field) || (textFields.has(name) && !isId)) return []
    const sent = examples.filter(example => example.field === field)
    const kinds: readonly string[] | undefined = idFields[name]
    if (!kinds && !isId && sent.length > 0) return []
    if (!kinds && !isId) return [`${field} is neither an id nor text that is known, and in no example`]
    const isSent = sent.some(({ kind }) => kind !== undefined && (kinds?.includes(kind) ?? true))
    return isSent ? [] : [`${field} is an id${kinds ? ` (${kinds.join(', ')})` : ''} and no example sends one in it`]
  })
}

/** The schema of an input as JSON schema, where what `Id` describes has the format `id`. */
function inputOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (ids.get(zodSchema)) jsonSchema.format = 'id'
    },
  }) as Schema
}

interface Schema {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  propertyNames?: Schema
  additionalProperties?: Schema | boolean
  $ref?: string
  $defs?: Record<string, Schema>
}

/** A field that accepts any string, and whether it is an id by its schema. */
interface Field {
  field: string
  isId: boolean
}

/** All fields that accept any string; the keys of a map count as the field itself. The blocks of documents are text. */
function stringFields(schema: Schema, field = '', root = schema): Field[] {
  const inside = (one: Schema, at = field) => stringFields(one, at, root)
  const name = schema.$ref?.split('/').at(-1)
  if (name === 'DocumentBlock') return []
  if (name !== undefined) return inside(root.$defs?.[name] ?? {})
  const isString = schema.type === 'string' && !schema.enum && schema.const === undefined
  const own = isString ? [{ field, isId: schema.format === 'id' }] : []
  const { propertyNames: keys, additionalProperties: values, items } = schema
  const parts = [keys, values, items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, value]) =>
    inside(value, field ? `${field}.${name}` : name),
  )
  return [...own, ...parts.flatMap(part => (typeof part === 'object' ? inside(part) : [])), ...fields]
}

/** The fields of a body or query that hold text, and of which kind the id is; below the name of a map's entry they are fields of the map. */
function sentFields(value: unknown, field = ''): { field: string; kind: string | undefined }[] {
  if (typeof value === 'string') return [{ field, kind: kindOf(value) }]
  if (Array.isArray(value)) return value.flatMap(one => sentFields(one, field))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const kind = kindOf(key)
    if (kind !== undefined) return [{ field, kind }]
    return sentFields(one, key === '<name>' ? field : field ? `${field}.${key}` : key)
  })
}

/** The kind of the placeholder that a text is. */
function kindOf(text: string): string | undefined {
  const [, kind] = /^\{(\w+)\}$/.exec(text) ?? []
  return kind === undefined ? undefined : plainKind(kind)
}
