import type { Role } from '@recto/actor'

/** The services that record changes, by the name that their events on the bus have. */
export const recordingServices = ['identity', 'content', 'publishing', 'openapi-specs', 'git-worker', 'events'] as const

/** Kinds of ids that say what changed, besides the organization. */
export const subjectKinds = [
  'space',
  'collection',
  'changeRequest',
  'comment',
  'commentReply',
  'review',
  'page',
  'font',
  'translation',
  'translationRun',
  'importRun',
  'site',
  'siteSpace',
  'siteSection',
  'siteSectionGroup',
  'siteExternalLink',
  'siteRedirect',
  'siteShareLink',
  'siteMcpServer',
  'openapiSpec',
  'gitOperation',
  'user',
  'team',
  'invite',
  'samlProvider',
  'token',
  'webhook',
] as const

/** Who reads events that are about no space, collection or site. */
export type RecordReaders = 'members' | 'admins'

interface RecordType {
  summary: string
  /** Ids that each event of the type has. */
  about: readonly (typeof subjectKinds)[number][]
  /** Who reads it where it is about no space, collection or site, or who alone reads it where it is. */
  readers?: RecordReaders
  /** The role on that space, collection or site which it takes to read it, as to read what it is about; `read` unless given. */
  role?: Role
}

const types = <const Types extends Record<string, RecordType>>(rows: Types): Types => rows

const identity = types({
  'organization.created': { summary: 'An organization was created', about: [], readers: 'members' },
  'organization.updated': { summary: 'The settings of an organization were updated', about: [], readers: 'members' },
  'member.added': { summary: 'A user joined an organization', about: ['user'], readers: 'members' },
  'member.updated': { summary: 'The role or profile of a member was updated', about: ['user'], readers: 'members' },
  'member.removed': { summary: 'A member or guest was removed', about: ['user'], readers: 'members' },
  'member.signed-in': { summary: 'A member signed in by single sign-on', about: ['user'], readers: 'admins' },
  'member.sign-in.refused': { summary: 'A sign-in by single sign-on was refused', about: [], readers: 'admins' },
  'invite.created': { summary: 'Users were invited, or a link invites them', about: ['invite'], readers: 'admins' },
  'invite.updated': { summary: 'An invitation was updated', about: ['invite'], readers: 'admins' },
  'invite.deleted': { summary: 'An invitation was deleted', about: ['invite'], readers: 'admins' },
  'team.created': { summary: 'A team was created', about: ['team'], readers: 'members' },
  'team.updated': { summary: 'A team was updated', about: ['team'], readers: 'members' },
  'team.deleted': { summary: 'A team was deleted', about: ['team'], readers: 'members' },
  'team.member.added': { summary: 'A member was added to a team', about: ['team', 'user'], readers: 'members' },
  'team.member.updated': {
    summary: 'The role of a member of a team changed',
    about: ['team', 'user'],
    readers: 'members',
  },
  'team.member.removed': { summary: 'A member was removed from a team', about: ['team', 'user'], readers: 'members' },
  'saml-provider.created': {
    summary: 'A provider of single sign-on was created',
    about: ['samlProvider'],
    readers: 'admins',
  },
  'saml-provider.updated': {
    summary: 'A provider of single sign-on was updated',
    about: ['samlProvider'],
    readers: 'admins',
  },
  'saml-provider.deleted': {
    summary: 'A provider of single sign-on was deleted',
    about: ['samlProvider'],
    readers: 'admins',
  },
  'token.created': { summary: 'An access token of a member was created', about: ['user', 'token'], readers: 'admins' },
  'token.deleted': { summary: 'An access token of a member was deleted', about: ['user', 'token'], readers: 'admins' },
})

const content = types({
  'space.created': { summary: 'A space was created', about: ['space'] },
  'space.updated': { summary: 'The settings of a space were updated', about: ['space'] },
  'space.deleted': { summary: 'A space was deleted; it can be restored', about: ['space'] },
  'space.restored': { summary: 'A deleted space was restored', about: ['space'] },
  'space.purged': { summary: 'A deleted space was purged with its content', about: ['space'] },
  'space.moved': { summary: 'A space was moved within its organization', about: ['space'] },
  'space.transferred': { summary: 'A space left or entered the organization', about: ['space'] },
  'space.permissions.updated': {
    summary: 'Grants or the default level of a space changed',
    about: ['space'],
    role: 'create',
  },
  'space.content.updated': { summary: 'The main content of a space is another revision', about: ['space'] },
  'collection.created': { summary: 'A collection was created', about: ['collection'] },
  'collection.updated': { summary: 'The settings of a collection were updated', about: ['collection'] },
  'collection.deleted': { summary: 'A collection was deleted with what is in it', about: ['collection'] },
  'collection.moved': { summary: 'A collection was moved within its organization', about: ['collection'] },
  'collection.transferred': { summary: 'A collection left or entered the organization', about: ['collection'] },
  'collection.permissions.updated': {
    summary: 'Grants or the default level of a collection changed',
    about: ['collection'],
    role: 'create',
  },
  'change-request.created': { summary: 'A change request was created', about: ['space', 'changeRequest'] },
  'change-request.updated': { summary: 'A change request was updated', about: ['space', 'changeRequest'] },
  'change-request.status.updated': {
    summary: 'A change request has another status',
    about: ['space', 'changeRequest'],
  },
  'change-request.content.updated': {
    summary: 'The content of a change request is another revision',
    about: ['space', 'changeRequest'],
  },
  'change-request.merged': {
    summary: 'A change request was merged into main content',
    about: ['space', 'changeRequest'],
  },
  'change-request.reviewed': { summary: 'A change request was reviewed', about: ['space', 'changeRequest', 'review'] },
  'change-request.reviewers.updated': {
    summary: 'Users were asked to review a change request, or are not any more',
    about: ['space', 'changeRequest'],
  },
  'comment.created': { summary: 'A comment was posted', about: ['space', 'comment'], role: 'comment' },
  'comment.updated': {
    summary: 'A comment was edited, resolved, reopened or reacted to',
    about: ['space', 'comment'],
    role: 'comment',
  },
  'comment.deleted': {
    summary: 'A comment was deleted with its replies',
    about: ['space', 'comment'],
    role: 'comment',
  },
  'comment-reply.created': {
    summary: 'A comment was replied to',
    about: ['space', 'comment', 'commentReply'],
    role: 'comment',
  },
  'comment-reply.updated': {
    summary: 'A reply was edited or reacted to',
    about: ['space', 'comment', 'commentReply'],
    role: 'comment',
  },
  'comment-reply.deleted': {
    summary: 'A reply was deleted',
    about: ['space', 'comment', 'commentReply'],
    role: 'comment',
  },
  'font.created': { summary: 'A font was uploaded', about: ['font'], readers: 'members' },
  'font.updated': { summary: 'A font was updated', about: ['font'], readers: 'members' },
  'font.deleted': { summary: 'A font was deleted', about: ['font'], readers: 'members' },
  'translation.created': { summary: 'A translation of a space was created', about: ['space', 'translation'] },
  'translation.updated': { summary: 'A translation was updated', about: ['space', 'translation'] },
  'translation.deleted': { summary: 'A translation was deleted', about: ['space', 'translation'] },
  'translation.run.started': {
    summary: 'A run of a translation started',
    about: ['space', 'translation', 'translationRun'],
  },
  'translation.run.finished': {
    summary: 'A run of a translation ended',
    about: ['space', 'translation', 'translationRun'],
  },
  'glossary.updated': { summary: 'The glossary of translations was updated', about: [], readers: 'members' },
  'import.started': { summary: 'An import of content started', about: ['space', 'importRun'] },
  'import.finished': { summary: 'An import of content ended', about: ['space', 'importRun'] },
  'storage.upload.created': { summary: 'An upload of a file was prepared', about: [], readers: 'admins' },
})

const publishing = types({
  'site.created': { summary: 'A site was created', about: ['site'] },
  'site.updated': { summary: 'The settings of a site were updated', about: ['site'] },
  'site.deleted': { summary: 'A site was deleted; its spaces stay', about: ['site'] },
  'site.published': { summary: 'A site was published', about: ['site'] },
  'site.unpublished': { summary: 'A site was unpublished', about: ['site'] },
  'site.customization.updated': {
    summary: 'The customization of a site, or of one of its spaces, changed',
    about: ['site'],
  },
  'site.adaptive-schema.updated': { summary: 'The schema of claims of visitors changed', about: ['site'] },
  'site.authentication.updated': { summary: 'How visitors of a site sign in changed', about: ['site'], role: 'create' },
  'site.authentication.key.regenerated': {
    summary: 'The key that signs visitors in was replaced',
    about: ['site'],
    role: 'create',
  },
  'site.permissions.updated': { summary: 'Grants or the default level of a site changed', about: ['site'] },
  'site.space.added': { summary: 'A space was added to a site', about: ['site', 'siteSpace'] },
  'site.space.updated': { summary: 'A space of a site was updated or moved', about: ['site', 'siteSpace'] },
  'site.space.removed': { summary: 'A space was removed from a site', about: ['site', 'siteSpace'] },
  'site.section.added': { summary: 'A section was added to a site', about: ['site', 'siteSection'] },
  'site.section.updated': { summary: 'A section of a site was updated or moved', about: ['site', 'siteSection'] },
  'site.section.removed': { summary: 'A section was removed from a site', about: ['site', 'siteSection'] },
  'site.section-group.added': {
    summary: 'A group of sections was added to a site',
    about: ['site', 'siteSectionGroup'],
  },
  'site.section-group.updated': {
    summary: 'A group of sections was updated or moved',
    about: ['site', 'siteSectionGroup'],
  },
  'site.section-group.removed': { summary: 'A group of sections was removed', about: ['site', 'siteSectionGroup'] },
  'site.external-link.added': {
    summary: 'A link was added to the navigation of a site',
    about: ['site', 'siteExternalLink'],
  },
  'site.external-link.updated': {
    summary: 'A link of the navigation was updated',
    about: ['site', 'siteExternalLink'],
  },
  'site.external-link.removed': {
    summary: 'A link was removed from the navigation',
    about: ['site', 'siteExternalLink'],
  },
  'site.redirect.created': { summary: 'A redirect of a site was created', about: ['site', 'siteRedirect'] },
  'site.redirect.updated': { summary: 'A redirect of a site was updated', about: ['site', 'siteRedirect'] },
  'site.redirect.deleted': { summary: 'A redirect of a site was deleted', about: ['site', 'siteRedirect'] },
  'site.redirects.updated': { summary: 'Several redirects of a site were created or updated', about: ['site'] },
  'site.share-link.created': {
    summary: 'A share link of a site was created',
    about: ['site', 'siteShareLink'],
    role: 'create',
  },
  'site.share-link.updated': {
    summary: 'A share link of a site was updated',
    about: ['site', 'siteShareLink'],
    role: 'create',
  },
  'site.share-link.deleted': {
    summary: 'A share link of a site was deleted',
    about: ['site', 'siteShareLink'],
    role: 'create',
  },
  'site.mcp-server.created': {
    summary: 'An MCP server of a site was created',
    about: ['site', 'siteMcpServer'],
    role: 'create',
  },
  'site.mcp-server.updated': {
    summary: 'An MCP server of a site was updated',
    about: ['site', 'siteMcpServer'],
    role: 'create',
  },
  'site.mcp-server.deleted': {
    summary: 'An MCP server of a site was deleted',
    about: ['site', 'siteMcpServer'],
    role: 'create',
  },
  'site.hostname.updated': { summary: 'The hostname of a site was checked, set or removed', about: ['site'] },
})

const openApiSpecs = types({
  'openapi-spec.created': { summary: 'A specification was created', about: ['openapiSpec'], readers: 'members' },
  'openapi-spec.updated': { summary: 'A specification was updated', about: ['openapiSpec'], readers: 'members' },
  'openapi-spec.deleted': { summary: 'A specification was deleted', about: ['openapiSpec'], readers: 'members' },
  'openapi-spec.version.added': {
    summary: 'A specification has a new version',
    about: ['openapiSpec'],
    readers: 'members',
  },
  'openapi-spec.failed': {
    summary: 'The source of a specification could not be read',
    about: ['openapiSpec'],
    readers: 'members',
  },
})

const gitWorker = types({
  'git.sync.updated': {
    summary: 'The synchronisation of a space with a repository was set',
    about: ['space'],
    role: 'create',
  },
  'git.sync.removed': { summary: 'The synchronisation of a space was removed', about: ['space'], role: 'create' },
  'git.sync.started': {
    summary: 'An import from, or an export to, a repository was requested',
    about: ['space', 'gitOperation'],
    role: 'create',
  },
  'git.sync.finished': {
    summary: 'An import from, or an export to, a repository ended',
    about: ['space', 'gitOperation'],
    role: 'create',
  },
  'git.sync.failed': {
    summary: 'An import from, or an export to, a repository failed',
    about: ['space', 'gitOperation'],
    role: 'create',
  },
  'git.poll.failed': {
    summary: 'The branch of a synchronised space could not be read any more',
    about: ['space'],
    role: 'create',
  },
})

const events = types({
  'webhook.created': { summary: 'A webhook was created', about: ['webhook'], readers: 'admins' },
  'webhook.updated': { summary: 'A webhook was updated', about: ['webhook'], readers: 'admins' },
  'webhook.deleted': { summary: 'A webhook was deleted', about: ['webhook'], readers: 'admins' },
  'webhook.secret.rotated': { summary: 'The secret of a webhook was replaced', about: ['webhook'], readers: 'admins' },
  'webhook.disabled': {
    summary: 'A webhook was switched off, because its endpoint or its owner is gone',
    about: ['webhook'],
    readers: 'admins',
  },
})

/** Types of changes that each service makes: they are recorded by `recordedBy`. */
export const commonRecordTypes = types({
  'access.refused': {
    summary: 'An operation for admins was refused to a member',
    about: [],
    readers: 'admins',
  },
})

/** Types of recorded changes by the service that makes them. */
export const recordTypesBySource = {
  identity,
  content,
  publishing,
  'openapi-specs': openApiSpecs,
  'git-worker': gitWorker,
  events,
} satisfies Record<(typeof recordingServices)[number], Record<string, RecordType>>

/** Every type of a recorded change, with what it is about and who reads it. */
export const recordTypes = {
  ...identity,
  ...content,
  ...publishing,
  ...openApiSpecs,
  ...gitWorker,
  ...events,
  ...commonRecordTypes,
}

/** The name of a type of changes that each service makes. */
export type CommonRecordTypeName = keyof typeof commonRecordTypes

/** The name of a type of changes that one service makes. */
export type RecordTypeName = Exclude<keyof typeof recordTypes, CommonRecordTypeName>

/** The name of any type of changes, as the record has it. */
export type RecordedType = keyof typeof recordTypes
