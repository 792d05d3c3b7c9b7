import { changeRequestComments } from '@recto/contracts-content'
import { routeOf, type Operation } from '@recto/operation'
import { z } from 'zod'
import { siteRequests } from './site-requests.ts'
import type { SentInput, Template } from './template.ts'
import type { Kind } from './tenant.ts'
import { translationRequests } from './translations.ts'

/** Path parameters whose kind differs from their name. */
const onChangeRequest: Record<string, Kind> = {
  commentId: 'changeRequestCommentId',
  commentReplyId: 'changeRequestReplyId',
}
const parameterKinds: Record<string, Record<string, Kind>> = {
  deletePendingInvite: { inviteId: 'pendingInviteId' },
  ...Object.fromEntries(Object.keys(changeRequestComments).map(id => [id, onChangeRequest])),
}

/** The kind of id in each field of queries and bodies that holds one. */
const idFields: Record<string, Kind> = {
  ...{
    organization: 'organizationId',
    parent: 'collectionId',
    collection: 'collectionId',
    space: 'spaceId',
    spaceId: 'spaceId',
    spaces: 'spaceId',
    site: 'siteId',
    sectionId: 'siteSectionId',
    sections: 'siteSectionId',
    siteSection: 'siteSectionId',
    siteSpace: 'siteSpaceId',
    siteSectionId: 'siteSectionId',
    siteSpaceId: 'siteSpaceId',
    siteSpaceIds: 'siteSpaceId',
    currentSiteSpace: 'siteSpaceId',
    includedSiteSpaces: 'siteSpaceId',
    pageId: 'pageId',
    defaultSiteSection: 'siteSectionId',
    defaultSiteSpace: 'siteSpaceId',
  },
  ...{
    users: 'userId',
    members: 'userId',
    add: 'userId',
    remove: 'userId',
    memberships: 'userId',
    owner: 'userId',
    teams: 'teamId',
    defaultTeam: 'teamId',
  },
  ...{ into: 'pageId', file: 'fileId', revision: 'revisionId', creator: 'userId', contributor: 'userId' },
  ...{ targetPage: 'pageId', authors: 'userId' },
  reusableContent: 'reusableContentId',
}

/** Fields whose kind differs from their name, by operation. */
const fieldKinds: Record<string, Record<string, Kind>> = {
  addSectionGroupToSite: { parent: 'siteSectionGroupId' },
  ...{ getSpacePDF: { page: 'pageId' }, getChangeRequestPDF: { page: 'pageId' } },
  ...{ createSpace: { user: 'userId' }, applyTemplateToSpace: { user: 'userId' } },
}

/** Fields that hold text and no ids. */
const textFields = new Set([
  ...[
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
  ],
  ...['entityID', 'certificate', 'ssoURL', 'SAMLResponse', 'RelayState', 'shareKey'],
  ...[
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
  ],
  ...['markdown', 'object', 'slug', 'condition', 'href', 'base64', 'contentType', 'upload', 'type'],
  ...['id', 'contentRefs', 'anchor', 'path', 'basename', 'proxy', 'jwtToken', 'claims', 'unsignedClaims'],
  ...['spec', 'seed'],
  ...['node', 'block', 'record', 'definition', 'addedReactions', 'removedReactions'],
  ...['light', 'dark', 'fontFamily', 'message', 'copyright', 'fallbackURL', 'source', 'properties', 'enum'],
  ...['text', 'subject', 'expression', 'variable', 'configuration'],
  ...['values', 'from', 'to', 'comment', 'translations'],
])

/** Parts of inputs that are accepted and not used: nothing is read by the ids in them. */
const unused: Record<string, string[]> = {
  trackEventsInSiteById: [
    ...['session', 'result', 'responseId', 'link', 'operation', 'ad'],
    ...['location.siteSection', 'location.siteShareKey', 'location.revision'],
  ].map(part => `events.${part}`),
}

/** Stands for the URL of the installation in requests. */
export const installationUrl = 'http://installation.invalid'

/** Targets of links in a template, of each kind that names something by an id. */
const templateReferences = [
  { kind: 'space', space: '{spaceId}' },
  { kind: 'file', file: '{fileId}', space: '{spaceId}' },
  { kind: 'reusable-content', reusableContent: '{reusableContentId}', space: '{spaceId}' },
  { kind: 'collection', collection: '{collectionId}' },
  { kind: 'user', user: '{userId}' },
]
const guides = templateReferences.map(reference => ({ id: 'guide', params: { contentRefs: { '<name>': reference } } }))

const role = { role: 'read' }
const people = { role: 'read', users: ['{userId}'], teams: ['{teamId}'] }
const token: SentInput = { body: { name: 'more' } }
const content: SentInput = { body: { url: 'http://127.0.0.1:9/page', source: 'html' } }
const move: SentInput[] = [
  { body: { parent: '{collectionId}' } },
  { body: { position: { before: { type: 'space', space: '{spaceId}' } } } },
  { body: { position: { before: { type: 'collection', collection: '{collectionId}' } } } },
  { body: { position: { after: { type: 'space', space: '{spaceId}' } } } },
  { body: { position: { after: { type: 'collection', collection: '{collectionId}' } } } },
]

const synchronised = { url: 'http://127.0.0.1:9/docs', ref: 'refs/heads/main' }

const computed = (props: object): SentInput => ({
  body: {
    source: { type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec: 'none' } } } },
    seed: 'a',
  },
})

const changes: SentInput[] = [
  { body: { changes: [{ operation: 'insert_page', title: 'More', into: '{pageId}' }] } },
  { body: { changes: [{ operation: 'update_page', page: '{pageId}', into: '{pageId}' }] } },
  { body: { changes: [{ operation: 'revert_page', page: '{pageId}', revision: '{revisionId}' }] } },
  { body: { changes: [{ operation: 'replace_file', file: '{fileId}', base64: '' }] } },
  { body: { changes: [{ operation: 'delete_file', file: '{fileId}' }] } },
]
const mergeRules = {
  mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: ['{userId}'] }] },
}
const creators: SentInput[] = [{ query: { creator: '{userId}', contributor: '{userId}' } }]

const printed: SentInput[] = [{}, { query: { page: '{pageId}' } }]
const comment = { markdown: 'Ours' }
const posted: SentInput[] = [{ body: { body: comment } }, { body: { body: comment, page: '{pageId}' } }]
const replied: SentInput[] = [{ body: { body: comment } }]
const changed: SentInput[] = [{ body: { body: comment, addedReactions: ['1f44d'] } }]
const filtered: SentInput[] = [{ query: { authors: '{userId}', targetPage: '{pageId}' } }]

const specificationSource = { url: 'http://127.0.0.1:9/openapi.json' }

/** The inputs of the operations that require some or accept ids. */
export const requestInputs: Record<string, SentInput[]> = {
  updateUserById: [{ body: { displayName: 'Mallory' } }],
  createTokenForUser: [token],
  updateOrganizationById: [{ body: { defaultContent: { type: 'site', site: '{siteId}' } } }, { body: mergeRules }],
  updateMemberInOrganizationById: [{ body: role }],
  listTeamsInOrganizationById: [{ query: { owner: '{userId}' } }],
  createOrganizationTeam: [{ body: { title: 'More', members: ['{userId}'] } }],
  updateTeamInOrganizationById: [{ body: { title: 'Ours' } }],
  updateMembersInOrganizationTeam: [
    { body: { add: ['{userId}'] } },
    { body: { remove: ['{userId}'] } },
    { body: { memberships: { '{userId}': { role: 'owner' } } } },
  ],
  inviteUsersToOrganization: [{ body: { emails: ['mallory@recto.test'] } }],
  createOrganizationInvite: [
    { body: { level: 'read', space: '{spaceId}' } },
    { body: { level: 'read', collection: '{collectionId}' } },
    { body: role },
  ],
  updateOrganizationInviteById: [{ body: role }],
  createOrganizationSAMLProvider: [{ body: { label: 'More', defaultTeam: '{teamId}' } }],
  updateOrganizationSAMLProvider: [{ body: { defaultTeam: '{teamId}' } }],
  receiveSamlResponse: [{ form: { SAMLResponse: 'bm90aGluZw==' } }],

  createSpace: [{ body: { parent: '{collectionId}' } }, ...guides.map(template => ({ body: { template } }))],
  updateSpaceById: [{ body: { title: 'Ours' } }, { body: mergeRules }],
  moveSpace: move,
  transferSpace: [{ body: { organization: '{organizationId}' } }],
  createCollection: [{ body: { parent: '{collectionId}' } }],
  updateCollectionById: [{ body: { title: 'Ours' } }],
  moveCollection: move,
  transferCollection: [{ body: { organization: '{organizationId}' } }],
  inviteToSpace: [{ body: people }],
  updateUserPermissionInSpace: [{ body: role }],
  updateTeamPermissionInSpace: [{ body: role }],
  inviteToCollection: [{ body: people }],
  updateUserPermissionInCollection: [{ body: role }],
  updateTeamPermissionInCollection: [{ body: role }],
  getEmbedByUrlInSpace: [{ query: { url: 'http://127.0.0.1:9/page' } }],
  getContentByUrl: [
    { query: { url: `${installationUrl}/c/{collectionId}` } },
    { query: { url: `${installationUrl}/s/{spaceId}/~/pages/{pageId}` } },
    { query: { url: `${installationUrl}/s/{spaceId}/~/revisions/{revisionId}` } },
    { query: { url: `${installationUrl}/v1/spaces/{spaceId}` } },
  ],
  searchSpaceContent: [{ query: { query: 'guide' } }],
  searchOrganizationContent: [{ query: { query: 'guide' } }],
  importGitRepository: [{ body: { url: 'http://127.0.0.1:9/manual', ref: 'refs/heads/main' } }],
  exportToGitRepository: [
    { body: { url: 'http://127.0.0.1:9/manual', ref: 'refs/heads/main', commitMessage: 'Export' } },
  ],
  setGitSync: [{ body: { ...synchronised, direction: 'import', pollInterval: 0 } }],
  updateContent: changes,
  updateContentInChangeRequest: changes,
  resolveChangeRequestConflicts: [
    { body: { resolutions: [{ page: '{pageId}', take: 'main' }] } },
    { body: { resolutions: [{ file: '{fileId}', take: 'main' }] } },
    { body: { resolutions: [{ reusableContent: '{reusableContentId}', take: 'main' }] } },
  ],
  listChangeRequestsForSpace: creators,
  listChangeRequestsForOrganization: creators,
  updateChangeRequestById: [{ body: { subject: 'Ours' } }],
  listCommentsInSpace: filtered,
  postCommentInSpace: posted,
  updateCommentInSpace: changed,
  postCommentReplyInSpace: replied,
  updateCommentReplyInSpace: changed,
  listCommentsInChangeRequest: filtered,
  postCommentInChangeRequest: posted,
  updateCommentInChangeRequest: changed,
  postCommentReplyInChangeRequest: replied,
  updateCommentReplyInChangeRequest: changed,
  submitChangeRequestReview: [{ body: { status: 'approved' } }],
  requestReviewersForChangeRequest: [{ body: { users: ['{userId}'] } }],
  generateStorageUploadURL: [{ body: { file: { name: 'a', type: '', size: 1 }, kind: 'import_file' } }],
  getComputedDocument: [computed({ doc: 'models' })],
  getComputedRevision: [computed({ models: true })],
  ...{ getSpacePDF: printed, getChangeRequestPDF: printed },
  importContent: [content],
  importContentInPageById: [content],
  importContentInChangeRequest: [content],
  importContentInChangeRequestPageById: [content],
  createOpenAPISpec: [{ body: { slug: 'others', source: specificationSource } }],
  createOrUpdateOpenAPISpecBySlug: [{ body: { source: specificationSource } }],
  updateOpenAPISpecBySlug: [{ body: { visibility: 'private' } }],
  ...translationRequests,
  ...siteRequests,
  applyTemplateToSpace: [{ body: { id: 'guide' } }, ...guides.map(body => ({ body }))],
}

/** The requests that test an operation. */
export function templatesOf(id: string, row: Operation): Template[] {
  const { method, path } = routeOf(row) as { method: string; path: string }
  const named = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => `{${parameterKinds[id]?.[name] ?? name}}`)
  return (requestInputs[id] ?? [{}]).map(({ query = {}, ...rest }) => {
    const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
    return { method, path: pairs.length > 0 ? `${named}?${pairs.join('&')}` : named, ...rest }
  })
}

/** Fields of an operation's input that are declared as neither id nor text, and id fields that no request sends. */
export function unknownFields(id: string, row: Operation): string[] {
  const fields = [row.query, row.body].flatMap(schema =>
    schema ? stringFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema) : [],
  )
  const given = (requestInputs[id] ?? []).flatMap(({ query, body }) => [...idFieldsIn(query), ...idFieldsIn(body)])
  return [...new Set(fields)].flatMap(field => {
    const name = field.split('.').at(-1) ?? ''
    const isUnused = unused[id]?.some(part => field === part || field.startsWith(`${part}.`))
    const kind = fieldKinds[id]?.[name] ?? (textFields.has(name) ? 'text' : idFields[name])
    if (kind === 'text' || isUnused) return []
    if (kind === undefined) return [`${field} is neither an id nor text that is known`]
    return given.includes(`${field}: {${kind}}`) ? [] : [`${field} is an id and nothing is sent in it`]
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

/** The id fields of a body or query, as `field: {kind}`; below the name of a map's entry they are fields of the map. */
function idFieldsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return /^\{\w+\}$/.test(value) ? [`${path}: ${value}`] : []
  if (Array.isArray(value)) return value.flatMap(one => idFieldsIn(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) =>
    key.startsWith('{')
      ? [`${path}: ${key}`]
      : idFieldsIn(field, key === '<name>' ? path : path ? `${path}.${key}` : key),
  )
}
