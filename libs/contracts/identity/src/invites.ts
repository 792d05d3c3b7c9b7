import { z } from 'zod'
import {
  Collection,
  empty,
  Id,
  list,
  page,
  Role,
  Space,
  Timestamp,
  unsupported,
  Url,
  endpoints,
  inOrganization,
  anyUser,
  guests,
} from '@recto/contracts-shared'

const invite = {
  object: z.literal('invite'),
  id: Id,
  redundant: z.boolean().describe('Whether the caller already has what the invite grants'),
}

const OrganizationInvite = z
  .object({ ...invite, role: Role.nullable(), urls: z.object({ location: Url }) })
  .meta({ id: 'OrganizationInvite', description: 'A link invite to an organization' })

const SpaceInvite = z
  .object({ ...invite, level: Role.nullable(), space: Space, urls: z.object({ location: Url }) })
  .meta({ id: 'SpaceInvite', description: 'A link invite to one space, for guests' })

const CollectionInvite = z
  .object({ ...invite, level: Role.nullable(), collection: Collection, urls: z.object({ location: Url }) })
  .meta({ id: 'CollectionInvite', description: 'A link invite to one collection, for guests' })

const LinkInvite = z
  .union([SpaceInvite, CollectionInvite, OrganizationInvite])
  .meta({ id: 'LinkInvite', description: 'A link invite' })

const absent = unsupported()

const CreateLinkInvite = z
  .union([
    z.object({ level: Role.nullable(), space: Id, collection: absent, role: absent }),
    z.object({ level: Role.nullable(), collection: Id, space: absent, role: absent }),
    // A role together with a space would open the whole organization to a guest of one space.
    z.object({ role: Role.nullable(), space: absent, collection: absent, level: absent }),
  ])
  .meta({
    id: 'CreateLinkInvite',
    description: 'What the link grants: a role in the organization, or a level on a space or collection',
  })

const UpdateLinkInvite = z
  .union([z.object({ role: Role.nullable(), level: absent }), z.object({ level: Role.nullable(), role: absent })])
  .meta({ id: 'UpdateLinkInvite', description: 'What the link grants from now on' })

const email = z.email().max(254)

const InviteUsers = z
  .object({
    emails: z
      .array(z.union([email, z.object({ email, role: Role.nullable() })]))
      .min(1)
      .max(1000),
    role: Role.nullable()
      .optional()
      .describe("Role of e-mails that name none; the organization's default role unless given"),
    sso: z.boolean().default(false).describe('Whether they sign in with single sign-on'),
  })
  .meta({ id: 'InviteUsers', description: 'E-mails to invite to an organization' })

const PendingInvite = z
  .object({
    object: z.literal('pending-invite'),
    id: Id,
    email: z.string(),
    role: Role.nullable(),
    sso: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({
    id: 'PendingInvite',
    description:
      'An invited e-mail that no user has, or that only the single sign-on of another organization has asserted',
  })

/** Operations on invites. */
export const invites = endpoints({
  inviteUsersToOrganization: {
    route: 'POST /orgs/{organizationId}/invites',
    summary: 'Invite users to an organization by e-mail',
    description:
      'Users of the platform become members at once; an e-mail that no user has, or that only the single sign-on of another organization has asserted, becomes a pending invite.',
    body: InviteUsers,
    reply: z.object({
      users: z.array(Id).describe('Users who were added'),
      invited: z.number().int().describe('Number of e-mails that were added or are now pending'),
      failedSSOEmails: z
        .array(z.string())
        .optional()
        .describe('E-mails invited without single sign-on, because their users belong to another organization'),
    }),
    isIdempotent: true,
    errors: ['not_found'],
    records: ['invite.created', 'invite.updated', 'member.added'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
    examples: [{ body: { emails: [{ email: 'mallory@recto.test', role: 'edit' }] } }],
  },
  listPendingInvites: {
    route: 'GET /orgs/{organizationId}/invites',
    summary: 'List the pending invites of an organization',
    description:
      'The newest come first. An invite is accepted when a user with its e-mail is created, or signs in with the single sign-on of the organization; nobody is sent a mail.',
    query: page,
    reply: list(PendingInvite),
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: inOrganization('admin'),
  },
  deletePendingInvite: {
    route: 'DELETE /orgs/{organizationId}/invites/{inviteId}',
    summary: 'Delete a pending invite',
    description:
      'Who gets an account with the e-mail later does not become a member by it. An invite that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['invite.deleted'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
    examples: [{ params: { inviteId: '{pendingInviteId}' } }],
  },
  joinOrganizationWithInvite: {
    route: 'POST /orgs/{organizationId}/invites/{inviteId}',
    summary: 'Join an organization with a link invite',
    description:
      'Members keep their role; a link to a space or collection grants them its level. A user who was removed cannot join again with a link they have used before (409).',
    reply: z.object({}),
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    records: ['member.added'],
    scope: 'organization:members:write',
    access: anyUser,
  },
  joinOrganization: {
    route: 'POST /orgs/{organizationId}/join',
    summary: 'Join an organization that accepts your e-mail domain',
    description:
      'Your e-mail has to be proven, and its domain to be one of the `emailDomains` of the organization (404). You get its default role; a member keeps theirs. Where the organization requires single sign-on, you join by signing in (403).',
    reply: empty,
    isIdempotent: true,
    status: 204,
    errors: ['not_found'],
    records: ['member.added'],
    scope: 'user:write',
    access: guests,
  },
  createOrganizationInvite: {
    route: 'POST /orgs/{organizationId}/link-invites',
    summary: 'Create a link invite',
    description:
      'Every user with the link can join with it, once. It grants a role in the organization, or makes a guest with a level on a space or collection; neither may be above your own (403). While `inviteLinks` of the organization is off, there are none (409).',
    body: CreateLinkInvite,
    reply: LinkInvite,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    records: ['invite.created'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
    examples: [
      { body: { level: 'read', space: '{spaceId}' } },
      { body: { level: 'read', collection: '{collectionId}' } },
      { body: { role: 'read' } },
    ],
  },
  listOrganizationInviteLinks: {
    route: 'GET /orgs/{organizationId}/link-invites',
    summary: 'List the link invites to the organization',
    description:
      'The newest come first. Links to a single space or collection are not in the list; their ids lead to them.',
    query: page,
    reply: list(OrganizationInvite),
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: inOrganization('admin'),
  },
  getOrganizationInviteLink: {
    route: 'GET /orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Get a link invite',
    description: 'Finds links to the organization, and those to a space or collection.',
    reply: LinkInvite,
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: inOrganization('admin'),
  },
  updateOrganizationInviteById: {
    route: 'PATCH /orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Update the role or level of a link invite',
    description:
      'Holds for those who join from now on. A link to the organization takes a `role`, one to a space or collection a `level` (400); neither may be above your own (403).',
    body: UpdateLinkInvite,
    reply: LinkInvite,
    errors: ['not_found'],
    records: ['invite.updated'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
    examples: [{ body: { role: 'read' } }],
  },
  deleteOrganizationInviteById: {
    route: 'DELETE /orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Delete a link invite',
    description: 'Nobody joins with it any more; those who have joined stay. A link that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['invite.deleted'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
  },
})
