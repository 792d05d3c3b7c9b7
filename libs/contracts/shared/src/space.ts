import { z } from 'zod'
import { Id, Role, Timestamp, Url } from './conventions.ts'
import { importsOf } from './import-run.ts'
import { SpaceMergeRules } from './merge-rules.ts'
import { permissionsOf, spaceRights } from './rights.ts'

// prettier-ignore
const languages = [
  'en', 'fr', 'de', 'es', 'it', 'pt', 'pt-br', 'ru', 'ja', 'zh', 'zh-tw', 'yue', 'ko', 'ar', 'hi', 'nl', 'pl', 'tr', 'sv',
  'no', 'da', 'fi', 'el', 'cs', 'hu', 'ro', 'th', 'vi', 'id', 'ms', 'he', 'uk', 'sk', 'bg', 'hr', 'lt', 'lv', 'et',
  'sl',
] as const

/** Languages that content can be written in. */
export const Language = z.enum(languages)
/** Whether people edit main content directly. */
export const EditMode = z.enum(['live', 'locked'])

/** The role of members without a grant; null: no access, `inherit`: the role that the collection or organization gives. */
export const DefaultLevel = z.union([Role, z.literal('inherit')]).nullable()

/** The latest operation of a space with its repository. */
export const GitSyncOperation = z
  .object({
    state: z.enum(['running', 'success', 'failure', 'timeout']),
    direction: z.enum(['import', 'export']),
    startedAt: Timestamp,
    endedAt: Timestamp.optional(),
    error: z.string().optional().describe('Why it failed'),
  })
  .meta({ id: 'GitSyncOperation', description: 'The latest operation of a space with its repository' })

/** The repository a space is synchronised with. */
export const GitInfo = z
  .object({
    repoName: z.string().optional(),
    installationProvider: z
      .enum(['github', 'gitlab', 'github-legacy'])
      .default('github-legacy')
      .describe('`github-legacy` for hosts that are neither GitHub nor GitLab: published clients know no other word'),
    installationId: z.literal('').default('').describe('Empty: a synchronisation has a URL and credentials of its own'),
    installationStatus: z.literal('unauthenticated').default('unauthenticated').describe('There is no installation'),
    integration: z.string().optional(),
    url: z.string().optional(),
    operation: GitSyncOperation.optional().describe(
      'The latest that has started; the git info of a space alone has it',
    ),
    operationTimeout: z.number().int().optional().describe('Milliseconds for one operation, beside the latest'),
    updatedAt: Timestamp.optional(),
  })
  .meta({ id: 'GitInfo', description: 'The repository a space is synchronised with' })

const SpacePermissions = permissionsOf(spaceRights).meta({
  id: 'SpacePermissions',
  description: 'What the caller may do with the space',
})

/** A space as replies show it. */
export const Space = z
  .object({
    object: z.literal('space'),
    id: Id,
    title: z.string(),
    emoji: z.string(),
    visibility: z.enum(['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private']),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Timestamp.optional(),
    editMode: EditMode,
    mergeRules: SpaceMergeRules,
    organization: Id,
    parent: Id.optional().describe('Id of its collection, if the caller can read that'),
    language: Language.optional(),
    gitSync: GitInfo.optional(),
    imports: importsOf.describe('Imports into it that are open or ended within a day, where it is read by itself'),
    revision: Id,
    defaultLevel: DefaultLevel,
    comments: z.number().int(),
    changeRequests: z.number().int(),
    changeRequestsOpen: z.number().int(),
    changeRequestsDraft: z.number().int(),
    visitorAuth: z
      .object({ backend: z.literal('custom') })
      .optional()
      .describe("Visitors are authenticated by a server of the site's owner"),
    urls: z.object({
      location: Url,
      app: Url,
      icon: Url.optional(),
      published: Url.optional().describe('Where a site shows it'),
      public: Url.optional().describe('The same, where everybody can read it'),
    }),
    permissions: SpacePermissions,
  })
  .meta({ id: 'Space', description: 'A container of docs content' })
