import { operations } from '@recto/operation'
import { z } from 'zod'
import { Collection } from '../content/collections.ts'
import { Space } from '../content/spaces.ts'
import { empty, Id, list, page, Role, Timestamp, Url, refused } from '../conventions.ts'

const invite = {
  object: z.literal('invite'),
  id: Id,
  redundant: z.boolean().describe('The caller has all that it gives already'),
}

const OrganizationInvite = z
  .object({ ...invite, role: Role.nullable(), urls: z.object({ location: Url }) })
  .meta({ id: 'OrganizationInvite', description: 'A link by which to join an organization' })

const SpaceInvite = z
  .object({ ...invite, level: Role.nullable(), space: Space, urls: z.object({ location: Url }) })
  .meta({ id: 'SpaceInvite', description: 'A link by which to join an organization as a guest of one space' })

const CollectionInvite = z
  .object({ ...invite, level: Role.nullable(), collection: Collection, urls: z.object({ location: Url }) })
  .meta({ id: 'CollectionInvite', description: 'A link by which to join an organization as a guest of one collection' })

const LinkInvite = z
  .union([SpaceInvite, CollectionInvite, OrganizationInvite])
  .meta({ id: 'LinkInvite', description: 'A link by which to join' })

const absent = refused()

const CreateLinkInvite = z
  .union(
    [
      z.object({ level: Role.nullable(), space: Id, collection: absent, role: absent }),
      z.object({ level: Role.nullable(), collection: Id, space: absent, role: absent }),
      // With a space it would open the whole organization to whom one space was meant for.
      z.object({ role: Role.nullable(), space: absent, collection: absent, level: absent }),
    ],
    'must have a role, or a level with either a space or a collection',
  )
  .meta({
    id: 'CreateLinkInvite',
    description: 'What who joins is given: a role in the organization, or a level on a space or collection',
  })

const UpdateLinkInvite = z
  .union(
    [z.object({ role: Role.nullable(), level: absent }), z.object({ level: Role.nullable(), role: absent })],
    'must have either a role or a level',
  )
  .meta({ id: 'UpdateLinkInvite', description: 'What who joins is given from now on' })

const email = z.email().max(254)

const InviteUsers = z
  .object({
    emails: z
      .array(z.union([email, z.object({ email, role: Role.nullable() })], 'must be an e-mail, alone or with a role'))
      .min(1)
      .max(1000),
    role: Role.nullable()
      .optional()
      .describe('For e-mails without a role of their own; the default role of the organization unless given'),
    sso: z.boolean().default(false).describe('They sign in by single sign-on'),
  })
  .meta({ id: 'InviteUsers', description: 'People to add to an organization' })

const PendingInvite = z
  .object({
    object: z.literal('pending-invite'),
    id: Id,
    email: z.string(),
    role: Role.nullable(),
    sso: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ id: 'PendingInvite', description: 'An e-mail that joins as soon as a user has it' })

/** Operations on invites. */
export const invites = operations({
  inviteUsersToOrganization: {
    route: 'POST /orgs/{organizationId}/invites',
    summary: 'Invite people by e-mail',
    description:
      'Users of the platform are members at once; an e-mail that belongs to nobody becomes a pending invite.',
    body: InviteUsers,
    reply: z.object({
      users: z.array(Id).describe('Users who were added'),
      invited: z.number().int().describe('E-mails that were added or now wait for their user'),
      failedSSOEmails: z
        .array(z.string())
        .optional()
        .describe('Invited, but without single sign-on, since they belong to another organization'),
    }),
    errors: ['not_found'],
  },
  listPendingInvites: {
    route: 'GET /orgs/{organizationId}/invites',
    summary: 'List e-mails that were invited and have no user yet',
    query: page,
    reply: list(PendingInvite),
    errors: ['not_found'],
  },
  deletePendingInvite: {
    route: 'DELETE /orgs/{organizationId}/invites/{inviteId}',
    summary: 'Withdraw the invite of an e-mail',
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  joinOrganizationWithInvite: {
    route: 'POST /orgs/{organizationId}/invites/{inviteId}',
    summary: 'Join an organization with a link',
    description:
      'Members stay as they are, but a link to a space gives them its level. Who was removed does not come back by a link they have joined with.',
    reply: z.object({}),
    errors: ['not_found', 'conflict'],
  },
  joinOrganization: {
    route: 'POST /orgs/{organizationId}/join',
    summary: 'Join an organization that takes your e-mail domain',
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  createOrganizationInvite: {
    route: 'POST /orgs/{organizationId}/link-invites',
    summary: 'Create a link by which to join',
    body: CreateLinkInvite,
    reply: LinkInvite,
    status: 201,
    errors: ['not_found', 'conflict'],
  },
  listOrganizationInviteLinks: {
    route: 'GET /orgs/{organizationId}/link-invites',
    summary: 'List the links by which to join the organization',
    query: page,
    reply: list(OrganizationInvite),
    errors: ['not_found'],
  },
  getOrganizationInviteLink: {
    route: 'GET /orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Get a link by which to join',
    reply: LinkInvite,
    errors: ['not_found'],
  },
  updateOrganizationInviteById: {
    route: 'PATCH /orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Change what a link gives',
    body: UpdateLinkInvite,
    reply: LinkInvite,
    errors: ['not_found'],
  },
  deleteOrganizationInviteById: {
    route: 'DELETE /orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Delete a link by which to join',
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
})
