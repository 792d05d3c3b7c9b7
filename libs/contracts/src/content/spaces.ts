import { operations } from '@recto/operation'
import { z } from 'zod'
import {
  Emoji,
  HttpUrl,
  Id,
  list,
  Order,
  page,
  Role,
  text,
  Timestamp,
  Url,
  forVisitors,
} from '../shared/conventions.ts'
import { SpaceMergeRules } from '../shared/merge-rules.ts'
import { permissionsOf, spaceRights } from '../shared/rights.ts'
import { ApplySpaceTemplate } from './imports.ts'

const languages = [
  ...['en', 'fr', 'de', 'es', 'it', 'pt', 'pt-br', 'ru', 'ja', 'zh', 'yue', 'ko', 'ar', 'hi', 'nl', 'pl', 'tr', 'sv'],
  ...[
    'no',
    'da',
    'fi',
    'el',
    'cs',
    'hu',
    'ro',
    'th',
    'vi',
    'id',
    'ms',
    'he',
    'uk',
    'sk',
    'bg',
    'hr',
    'lt',
    'lv',
    'et',
    'sl',
  ],
] as const

/** Languages that content can be written in. */
export const Language = z.enum(languages)
/** Whether people edit main content directly. */
export const EditMode = z.enum(['live', 'locked'])

/** The role of members without a grant; null: no access, `inherit`: the role that the collection or organization gives. */
export const DefaultLevel = z.union([Role, z.literal('inherit')]).nullable()

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

/** The source of computed pages of a new space. */
const NewComputed = z
  .object({
    type: z.literal('builtin:openapi', { error: 'must be builtin:openapi' }),
    props: z.object({ models: z.boolean().default(true) }).default({ models: true }),
    dependencies: z.object({
      spec: z.object({
        ref: z.object({
          kind: z.literal('openapi', { error: 'must be openapi' }),
          spec: text({ min: 1, max: 100 }).describe('Slug of the specification'),
        }),
      }),
    }),
  })
  .meta({ id: 'NewComputedSource', description: 'A specification that pages are computed from' })

const CreateSpace = z
  .object({
    title: text({ max: 50 }).optional(),
    emoji: Emoji.optional(),
    language: Language.optional(),
    editMode: EditMode.default('live'),
    parent: Id.optional().describe('Collection to create the space in'),
    template: ApplySpaceTemplate.optional().describe('Pages that the space starts with'),
    computedSource: NewComputed.optional().describe('What the pages of the space are computed from'),
  })
  .refine(({ template, computedSource }) => template === undefined || computedSource === undefined, {
    path: ['computedSource'],
    message: 'must not be given together with a template',
  })
  .meta({ id: 'CreateSpace', description: 'A space to create' })

const UpdateSpace = z
  .object({
    title: text({ max: 50 }).optional(),
    emoji: Emoji.nullable().optional().describe('Replaces an icon'),
    icon: HttpUrl.nullable().optional().describe('URL of an image; replaces an emoji'),
    language: Language.nullable().optional(),
    editMode: EditMode.optional(),
    defaultLevel: DefaultLevel.optional(),
    mergeRules: SpaceMergeRules.optional(),
  })
  .refine(({ emoji, icon }) => emoji == null || icon == null, 'must not have both emoji and icon')
  .meta({ id: 'UpdateSpace', description: 'Fields of a space to update' })

const MemberContentPermission = z
  .object({ permission: Role, space: Space })
  .meta({ id: 'MemberContentPermission', description: 'A space and the role of a member on it' })

/** Operations on spaces. */
export const spaces = operations({
  createSpace: {
    route: 'POST /orgs/{organizationId}/spaces',
    summary: 'Create a space',
    body: CreateSpace,
    request: { optionalBody: true },
    reply: Space,
    creates: 'resource',
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
    ...forVisitors,
    route: 'GET /spaces/{spaceId}',
    summary: 'Get a space',
    query: z.object({
      shareKey: text()
        .optional()
        .describe('Key of a share link to a site that shows it: the published URL leads through it'),
    }),
    reply: Space,
    errors: ['not_found'],
  },
  updateSpaceById: {
    route: 'PATCH /spaces/{spaceId}',
    summary: 'Update a space',
    body: UpdateSpace,
    reply: Space,
    errors: ['not_found', 'conflict'],
  },
  listSpacesForOrganizationMember: {
    route: 'GET /orgs/{organizationId}/members/{userId}/spaces',
    summary: 'List the spaces of a member, with their role on each',
    description: 'Lists only spaces that the caller can read too.',
    query: page.extend({ order: Order }),
    reply: list(MemberContentPermission),
    errors: ['not_found'],
  },
})
