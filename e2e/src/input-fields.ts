import type { Endpoint } from '@recto/contracts-shared'
import { z } from 'zod'

/** Fields that hold ids. */
const idFields = new Set([
  'add',
  'authors',
  'collection',
  'contributor',
  'creator',
  'currentSiteSpace',
  'defaultSiteSection',
  'defaultSiteSpace',
  'defaultTeam',
  'file',
  'includedSiteSpaces',
  'into',
  'members',
  'memberships',
  'organization',
  'owner',
  'pageId',
  'parent',
  'remove',
  'reusableContent',
  'revision',
  'sectionId',
  'sections',
  'site',
  'siteSection',
  'siteSectionId',
  'siteSpace',
  'siteSpaceId',
  'siteSpaceIds',
  'space',
  'spaceId',
  'spaces',
  'targetPage',
  'teams',
  'users',
])

/** Fields that hold text and no ids. */
const textFields = new Set([
  'title',
  'description',
  'displayName',
  'photoURL',
  'email',
  'emails',
  'emailDomains',
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
])

/** Parts of inputs that are accepted and not used: nothing is read by the ids in them. */
const unused = [
  ...['session', 'result', 'responseId', 'link', 'operation', 'ad'],
  ...['location.siteSection', 'location.siteShareKey', 'location.revision'],
].map(part => `events.${part}`)

/**
 * Fields of an operation's input of which nobody knows whether they hold ids, and id fields that no example sends. A field whose name says
 * neither that it is an id nor that it is text has to be in an example.
 */
export function unknownFields(row: Endpoint): string[] {
  const fields = [row.query, row.body].flatMap(schema =>
    schema ? stringFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema) : [],
  )
  const sent = (row.examples ?? []).flatMap(({ query, body }) => [...sentFields(query), ...sentFields(body)])
  return [...new Set(fields)].flatMap(field => {
    const name = field.split('.').at(-1) ?? ''
    const isUnused = unused.some(part => field === part || field.startsWith(`${part}.`))
    if (textFields.has(name) || isUnused) return []
    const examples = sent.filter(one => one.field === field)
    if (!idFields.has(name))
      return examples.length > 0 ? [] : [`${field} is neither an id nor text that is known, and in no example`]
    return examples.some(({ isId }) => isId) ? [] : [`${field} is an id and nothing is sent in it`]
  })
}

interface Schema {
  type?: string
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

/** Paths of all fields that accept any string; the keys of a map count as the field itself. The blocks of documents are text. */
function stringFields(schema: Schema, path = '', root = schema): string[] {
  const inside = (one: Schema, at = path) => stringFields(one, at, root)
  const name = schema.$ref?.split('/').at(-1)
  if (name === 'DocumentBlock') return []
  if (name !== undefined) return inside(root.$defs?.[name] ?? {})
  const own = schema.type === 'string' && !schema.enum && schema.const === undefined ? [path] : []
  const keys = schema.propertyNames && !schema.propertyNames.enum ? [path] : []
  const values = typeof schema.additionalProperties === 'object' ? inside(schema.additionalProperties) : []
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(one =>
    inside(one),
  )
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    inside(field, path ? `${path}.${name}` : name),
  )
  return [...own, ...keys, ...values, ...alternatives, ...(schema.items ? inside(schema.items) : []), ...fields]
}

/** The fields of a body or query that hold text, and whether it stands for an id; below the name of a map's entry they are fields of the map. */
function sentFields(value: unknown, path = ''): { field: string; isId: boolean }[] {
  if (typeof value === 'string') return [{ field: path, isId: /^\{\w+\}$/.test(value) }]
  if (Array.isArray(value)) return value.flatMap(one => sentFields(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) =>
    key.startsWith('{')
      ? [{ field: path, isId: true }]
      : sentFields(field, key === '<name>' ? path : path ? `${path}.${key}` : key),
  )
}
