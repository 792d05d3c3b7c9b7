import { z } from 'zod'
import {
  ApplySpaceTemplate,
  ComputedGrouping,
  DefaultLevel,
  EditMode,
  Emoji,
  HttpUrl,
  Id,
  Language,
  list,
  Order,
  page,
  Role,
  Space,
  SpaceMergeRules,
  text,
  endpoints,
  inOrganization,
  guests,
  readersAndVisitors,
  onResource,
  templateExamples,
} from '@recto/contracts-shared'
import { downloadLink, noTranslation, SpecificationValue } from './computed.ts'

/** The source of computed pages of a new space. */
const NewComputed = z
  .object({
    type: z.literal('builtin:openapi', { error: 'must be builtin:openapi' }),
    props: z
      .object({
        models: z.boolean().default(true),
        grouping: ComputedGrouping.optional(),
        downloadLink: downloadLink.optional(),
      })
      .default({ models: true }),
    dependencies: z.object({
      translation: noTranslation,
      spec: z.object({
        value: SpecificationValue,
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
    empty: z.literal(true).optional().describe('The space has no page, which is so without template and source, too'),
    computedSource: NewComputed.optional().describe('What the pages of the space are computed from'),
  })
  .refine(({ template, computedSource }) => template === undefined || computedSource === undefined, {
    path: ['computedSource'],
    message: 'must not be given together with a template',
  })
  .refine(({ empty, template, computedSource }) => !empty || (template === undefined && computedSource === undefined), {
    path: ['empty'],
    message: 'must be left out with a template or a source',
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
export const spaces = endpoints({
  createSpace: {
    route: 'POST /orgs/{organizationId}/spaces',
    summary: 'Create a space',
    description:
      'The space is empty unless `template` or `computedSource` fills it, comes last among its siblings, and is as open as what is around it. With `parent` the role `create` in that collection counts instead.',
    body: CreateSpace,
    request: { optionalBody: true },
    reply: Space,
    creates: 'resource',
    errors: ['not_found'],
    scope: 'space:write',
    access: { ...inOrganization('create'), limited: 'checked' },
    records: ['space.created', 'space.content.updated'],
    examples: [
      { body: { title: 'Handbook', emoji: '1f4d8', language: 'en' } },
      { body: { parent: '{collectionId}' } },
      {
        body: {
          parent: '{collectionId}',
          computedSource: {
            type: 'builtin:openapi',
            props: { models: true },
            dependencies: { spec: { ref: { kind: 'openapi', spec: '{specSlug}' } } },
          },
        },
      },
      ...templateExamples.map(template => ({ body: { template } })),
    ],
  },
  listSpacesInOrganizationById: {
    route: 'GET /orgs/{organizationId}/spaces',
    summary: 'List the spaces of an organization',
    description:
      'The newest come first, with those in collections. Spaces that you cannot read, and deleted ones, are left out.',
    query: page,
    reply: list(Space),
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...guests, limited: 'filtered' },
  },
  getSpaceById: {
    route: 'GET /spaces/{spaceId}',
    summary: 'Get a space',
    description: 'A deleted space is there for those who may restore it only. A `shareKey` of no active link is 404.',
    query: z.object({
      shareKey: text()
        .optional()
        .describe('Key of a share link to a site that shows it: the published URL leads through it'),
    }),
    reply: Space,
    errors: ['not_found'],
    scope: 'space:read',
    access: readersAndVisitors,
  },
  updateSpaceById: {
    route: 'PATCH /spaces/{spaceId}',
    summary: 'Update a space',
    description:
      'Fields that are left out stay. `editMode` `locked` refuses changes of main content, while change requests can be changed and merged. A `defaultLevel` above your own role is refused (403), a user of `mergeRules` who is not in the organization (404), and a deleted space (409).',
    body: UpdateSpace,
    reply: Space,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('create'),
    records: ['space.updated', 'space.permissions.updated'],
    examples: [
      { body: { title: 'Manual', language: 'en' } },
      { body: { mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: ['{userId}'] }] } } },
    ],
  },
  listSpacesForOrganizationMember: {
    route: 'GET /orgs/{organizationId}/members/{userId}/spaces',
    summary: 'List the spaces of a member, with their role on each',
    description:
      'Lists only spaces that the caller can read too, the newest first unless `order` says otherwise. Guests may ask for their own.',
    query: page.extend({ order: Order }),
    reply: list(MemberContentPermission),
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: onResource('read'),
  },
})
