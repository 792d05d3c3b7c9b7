import { content } from './content-record-types.ts'
import { publishing } from './publishing-record-types.ts'
import { types, type recordingServices, type RecordType } from './record-type.ts'

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
  'service-account.created': {
    summary: 'A service account was created',
    about: ['serviceAccount'],
    readers: 'admins',
  },
  'service-account.updated': {
    summary: 'A service account was updated',
    about: ['serviceAccount'],
    readers: 'admins',
  },
  'service-account.deleted': {
    summary: 'A service account was deleted',
    about: ['serviceAccount'],
    readers: 'admins',
  },
  'member.signed-out': {
    summary: 'A provider of single sign-on ended the session of a member',
    about: ['user', 'oidcProvider'],
    readers: 'admins',
  },
  'oidc-provider.created': {
    summary: 'An OpenID provider of single sign-on was created',
    about: ['oidcProvider'],
    readers: 'admins',
  },
  'oidc-provider.updated': {
    summary: 'An OpenID provider of single sign-on was updated',
    about: ['oidcProvider'],
    readers: 'admins',
  },
  'oidc-provider.deleted': {
    summary: 'An OpenID provider of single sign-on was deleted',
    about: ['oidcProvider'],
    readers: 'admins',
  },
  'oauth-client.created': { summary: 'A program was registered', about: ['oauthClient'], readers: 'admins' },
  'oauth-client.deleted': { summary: 'A program was deleted', about: ['oauthClient'], readers: 'admins' },
  'oauth-grant.created': {
    summary: 'A member has allowed a program something',
    about: ['user', 'oauthGrant'],
    readers: 'admins',
  },
  'oauth-grant.ended': {
    summary: 'What a member had allowed a program has ended',
    about: ['user', 'oauthGrant'],
    readers: 'admins',
  },
  'session.created': {
    summary: 'A member signed in at the authorization pages with an access token',
    about: ['user', 'token'],
    readers: 'admins',
  },
  'session.ended': {
    summary: 'A member ended a session at the authorization pages',
    about: ['user', 'session'],
    readers: 'admins',
  },
  'token.created': { summary: 'An access token of a member was created', about: ['user', 'token'], readers: 'admins' },
  'token.deleted': { summary: 'An access token of a member was deleted', about: ['user', 'token'], readers: 'admins' },
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
    causedBy: 'git.sync.started',
  },
  'git.sync.failed': {
    summary: 'An import from, or an export to, a repository failed',
    about: ['space', 'gitOperation'],
    role: 'create',
    causedBy: 'git.sync.started',
  },
  'git.preview.closed': {
    summary: 'The preview of a pull request ended, because that was merged or closed',
    about: ['space'],
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

/** The names of all types of changes. */
export const recordTypeNames = Object.keys(recordTypes) as [RecordedType, ...RecordedType[]]
