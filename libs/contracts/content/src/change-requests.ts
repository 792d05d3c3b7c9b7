import { z } from 'zod'
import {
  ApplySpaceTemplate,
  ChangeRequest,
  changeRequestStatuses,
  ChangeRequestLinksInput,
  Description,
  Id,
  list,
  page,
  Subject,
  templateExamples,
  text,
  Timestamp,
  unsupported,
  User,
  endpoints,
  onResource,
  guests,
  readersAndVisitors,
} from '@recto/contracts-shared'

const none = (nouns: string) => `Lists none: there are no ${nouns}`

const filter = page.extend({
  status: z.enum(changeRequestStatuses).default('open').describe('List only those with this status'),
  creator: Id.optional().describe('Id of the user who created them'),
  contributor: Id.optional().describe('Id of a user who edited them or commented on them'),
  requestedReviewer: Id.optional().describe('Id of a user who was asked to review them and has not done so'),
  orderBy: z.enum(['updatedAt', 'createdAt']).default('updatedAt').describe('The latest comes first'),
})

const ofOrganization = filter.extend({
  site: Id.optional().describe('List only those of spaces that this site shows'),
  space: Id.optional().describe('List only those of this space'),
  topic: text().optional().describe(none('topics')),
  styleguideRun: text().optional().describe(none('style guides')),
  finding: z.enum(['none', 'all']).default('none').describe('Has no effect: there are no findings'),
})

const CreateChangeRequest = z
  .object({
    subject: Subject.optional(),
    template: ApplySpaceTemplate.optional().describe('Pages that are added to it'),
    agentTaskId: unsupported('is not available: there are no agents'),
  })
  .meta({ id: 'CreateChangeRequest', description: 'A change request to create' })

const UpdateChangeRequest = z
  .object({
    subject: Subject.optional(),
    links: ChangeRequestLinksInput.optional().describe('Replaces all links'),
    description: Description.nullable().optional().describe('`null` removes it'),
    status: z
      .enum(['draft', 'open', 'archived'], { error: 'must be draft, open or archived; merging makes it merged' })
      .optional(),
  })
  .meta({ id: 'UpdateChangeRequest', description: 'Fields of a change request to update' })

const Contributor = z
  .object({
    user: User,
    actionType: z.enum(['edit', 'comment']),
    count: z.number().int(),
    updatedAt: Timestamp.describe('When they did so last'),
  })
  .meta({ id: 'UserContributor', description: 'How often a user edited or commented' })

/** Operations on change requests. */
export const changeRequests = endpoints({
  listChangeRequestsForSpace: {
    route: 'GET /spaces/{spaceId}/change-requests',
    summary: 'List the change requests of a space',
    description: 'Only those that are open, unless `status` says otherwise; the latest updated come first.',
    query: filter.extend({ topic: text().optional().describe(none('topics')) }),
    reply: list(ChangeRequest),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
    examples: [
      {},
      {
        query: { creator: '{userId}', contributor: '{userId}', requestedReviewer: '{userId}' },
        ignores: ['userId'],
      },
    ],
  },
  listChangeRequestsForOrganization: {
    route: 'GET /orgs/{organizationId}/change-requests',
    summary: 'List the change requests of all spaces that the caller can read',
    description:
      'Only those that are open, unless `status` says otherwise; the latest updated come first. Spaces that you cannot read are left out.',
    query: ofOrganization,
    reply: list(ChangeRequest),
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...guests, limited: 'filtered' },
    examples: [
      {},
      {
        query: { creator: '{userId}', contributor: '{userId}', requestedReviewer: '{userId}', space: '{spaceId}', site: '{siteId}' }, // prettier-ignore
        ignores: ['userId', 'spaceId', 'siteId'],
      },
    ],
  },
  createChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests',
    summary: 'Create a change request, as a draft at the main content',
    description:
      'Also possible while the space is locked. It gets the next number in the space; others are asked to review it once it is submitted. A deleted space is refused (409).',
    body: CreateChangeRequest,
    request: { optionalBody: true },
    reply: ChangeRequest,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('edit'),
    records: ['change-request.created', 'change-request.content.updated'],
    examples: [
      { body: { subject: 'Explain the tour' } },
      ...templateExamples.map(template => ({ body: { template } })),
    ],
  },
  getChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}',
    summary: 'Get a change request',
    description: '`changeRequestId` is the id of the change request or its number in the space, here and everywhere.',
    reply: ChangeRequest,
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...readersAndVisitors, visitors: 'named' },
  },
  updateChangeRequestById: {
    route: 'PATCH /spaces/{spaceId}/change-requests/{changeRequestId}',
    summary: 'Update a change request: submit it, archive it, reopen it, describe it',
    description:
      'Fields that are left out stay. `status` `open` submits a draft and reopens an archived one; nothing of a merged one can be changed (409).',
    body: UpdateChangeRequest,
    reply: ChangeRequest,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('edit'),
    records: ['change-request.updated', 'change-request.status.updated'],
    examples: [{ body: { subject: 'Explain the tour', status: 'open' } }],
  },
  getContributorsByChangeRequestId: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/contributors',
    summary: 'List who edited and who commented on a change request, the latest first',
    description:
      'Who did both is listed twice, each with how often. Comments are counted for those only who may see comments.',
    query: page,
    reply: list(Contributor),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
})
