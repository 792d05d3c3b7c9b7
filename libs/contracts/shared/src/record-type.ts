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
  'serviceAccount',
  'oidcProvider',
  'token',
  'webhook',
  'oauthClient',
  'oauthGrant',
  'session',
] as const

/** Who reads events that are about no space, collection or site. */
export type RecordReaders = 'members' | 'admins'

/** A type of changes: what it is about, and who reads it. */
export interface RecordType {
  summary: string
  /** Ids that each event of the type has. */
  about: readonly (typeof subjectKinds)[number][]
  /** Who reads it where it is about no space, collection or site, or who alone reads it where it is. */
  readers?: RecordReaders
  /** The role on that space, collection or site which it takes to read it, as to read what it is about; `read` unless given. */
  role?: Role
  /** Details that are ids of other resources, one or several: who may not read one of them does not get its id. */
  names?: Readonly<Record<string, 'space' | 'collection' | 'site'>>
  /** The type of the event that began what this one ends, when it is no work of a request; both are about the same, the last of `about`. */
  causedBy?: string
}

/** Declares types of changes. */
export const types = <const Types extends Record<string, RecordType>>(rows: Types): Types => rows
