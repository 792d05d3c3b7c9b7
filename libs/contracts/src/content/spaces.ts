import { operations } from '@recto/operation'
import { z } from 'zod'
import { Id, list, page, Role, text, Timestamp, Url } from '../conventions.ts'

const languages = [
  ...['en', 'fr', 'de', 'es', 'it', 'pt', 'pt-br', 'ru', 'ja', 'zh', 'yue', 'ko', 'ar', 'hi', 'nl', 'pl', 'tr', 'sv'],
  ...['no', 'da', 'fi', 'el', 'cs', 'hu', 'ro', 'th', 'vi', 'id', 'ms', 'he', 'uk', 'sk', 'bg', 'hr', 'lt', 'lv', 'et', 'sl'],
] as const

/** Languages that content can be written in. */
export const Language = z.enum(languages)
/** Whether people edit main content directly. */
export const EditMode = z.enum(['live', 'locked'])

/** The repository a space is synchronised with. */
export const GitInfo = z
  .object({
    repoName: z.string().optional(),
    installationProvider: z.enum(['github', 'gitlab', 'github-legacy']).optional(),
    integration: z.string().optional(),
    url: z.string().optional(),
    updatedAt: Timestamp.optional(),
  })
  .meta({ id: 'GitInfo', description: 'The repository a space is synchronised with' })

const SpacePermissions = z
  .object({
    view: z.boolean(),
    access: z.boolean(),
    admin: z.boolean(),
    viewInviteLinks: z.boolean(),
    edit: z.boolean(),
    triggerGitSync: z.boolean(),
    comment: z.boolean(),
    merge: z.boolean(),
    review: z.boolean(),
    installIntegration: z.boolean(),
  })
  .meta({ id: 'SpacePermissions', description: 'What the caller may do with the space' })

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
    mergeRules: z.object({ type: z.literal('inherit') }).describe('Rules that every merge in the space must pass'),
    organization: Id,
    parent: Id.optional(),
    language: Language.optional(),
    gitSync: GitInfo.optional(),
    revision: Id,
    defaultLevel: z.union([Role, z.literal('inherit')]).nullable(),
    comments: z.number().int(),
    changeRequests: z.number().int(),
    changeRequestsOpen: z.number().int(),
    changeRequestsDraft: z.number().int(),
    urls: z.object({ location: Url, app: Url }),
    permissions: SpacePermissions,
  })
  .meta({ id: 'Space', description: 'A container of docs content' })

const CreateSpace = z
  .object({
    title: text({ max: 50 }).optional(),
    emoji: text({ min: 1, max: 50 }).optional(),
    language: Language.optional(),
    editMode: EditMode.default('live'),
    parent: Id.optional().describe('Collection to create the space in'),
  })
  .meta({ id: 'CreateSpace', description: 'A space to create' })

/** Operations on spaces. */
export const spaces = operations({
  createSpace: {
    route: 'POST /orgs/{organizationId}/spaces',
    summary: 'Create a space',
    body: CreateSpace,
    bodyOptional: true,
    reply: Space,
    status: 201,
    errors: ['not_found'],
  },
  listSpacesInOrganizationById: {
    route: 'GET /orgs/{organizationId}/spaces',
    summary: 'List the spaces of an organization',
    query: page,
    reply: list(Space),
    errors: ['not_found'],
  },
  getSpaceById: {
    route: 'GET /spaces/{spaceId}',
    summary: 'Get a space',
    query: z.object({ shareKey: z.string().optional().describe('Resolves published URLs behind a share link') }),
    reply: Space,
    errors: ['not_found'],
  },
})
