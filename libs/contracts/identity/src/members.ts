import { z } from 'zod'
import { roles } from '@recto/actor'
import {
  empty,
  list,
  Member,
  Order,
  page,
  Role,
  Team,
  TeamMember,
  text,
  endpoints,
  inOrganization,
  onResource,
  guests,
} from '@recto/contracts-shared'

const UpdateMember = z
  .object({ role: Role.nullable().optional() })
  .meta({ id: 'UpdateMember', description: 'Fields of a member to update; the role null makes a guest' })

const VisitorClaims = z
  .object({
    serviceVisitorClaims: z
      .string()
      .describe('JWT with which the caller visits published sites of the organization; valid for at most an hour'),
    gitbookVisitorClaims: z.string().describe('The same, under the name that the compatible client reads'),
  })
  .meta({ id: 'VisitorClaims', description: 'Visitor claims of the caller' })

/** Operations on members. */
export const members = endpoints({
  listMembersInOrganizationById: {
    route: 'GET /orgs/{organizationId}/members',
    summary: 'List the members of an organization',
    description:
      'The latest to join come first, unless `sort` and `order` say otherwise. Guests are in the list, with the role `null`.',
    query: page.extend({
      order: Order,
      role: z
        .enum([...roles, 'guest'])
        .optional()
        .describe('List only members with this role'),
      search: text({ max: 512 }).optional().describe('Part of the display name or e-mail; case is ignored'),
      sort: z
        .enum(['joinedAt', 'lastSeenAt', 'name'])
        .default('joinedAt')
        .describe('`lastSeenAt` lists only members who have been active; `name` is the display name'),
    }),
    reply: list(Member),
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: inOrganization('read'),
  },
  getMemberInOrganizationById: {
    route: 'GET /orgs/{organizationId}/members/{userId}',
    summary: 'Get a member of an organization',
    description: 'Guests see themselves; everybody else is not there for them (404).',
    reply: Member,
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: onResource('read'),
  },
  updateMemberInOrganizationById: {
    route: 'PATCH /orgs/{organizationId}/members/{userId}',
    summary: 'Update the role of a member',
    description:
      'It holds from the next request of the member on. The role `null` makes a guest, who keeps what was granted to them. The last admin cannot be demoted (409).',
    body: UpdateMember,
    reply: Member,
    errors: ['not_found', 'conflict'],
    records: ['member.updated'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
    examples: [{ params: { userId: '{ownUserId}' }, body: { role: 'read' } }],
  },
  removeMemberFromOrganizationById: {
    route: 'DELETE /orgs/{organizationId}/members/{userId}',
    summary: 'Remove a member from an organization',
    description:
      'Ends what was granted to the member, their tokens of the single sign-on and a pending invite of their e-mail. You may leave by yourself whatever your role is; the last admin cannot (409). Somebody who is no member is left as they are.',
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
    records: ['member.removed', 'invite.deleted'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
  },
  setUserAsSSOMemberForOrganization: {
    route: 'POST /orgs/{organizationId}/members/{userId}/sso',
    summary: 'Allow a member to sign in with single sign-on',
    description:
      'Needed for a user whose account is older than their first sign-in: until then the sign-in is refused.',
    reply: Member,
    isIdempotent: true,
    errors: ['not_found'],
    records: ['member.updated'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
  },
  listTeamsForOrganizationMember: {
    route: 'GET /orgs/{organizationId}/members/{userId}/teams',
    summary: 'List the teams of a member',
    description: 'The newest teams come first, each with the role of the member in it. Guests may ask for their own.',
    query: page.extend({ title: text({ max: 512 }).optional().describe('Part of the title; case is ignored') }),
    reply: list(z.object({ team: Team, member: TeamMember })),
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: onResource('read'),
  },
  updateOrganizationMemberLastSeenAt: {
    route: 'POST /orgs/{organizationId}/ping',
    summary: 'Update when you were last seen in an organization',
    description: 'Replies with claims for published sites; they are not an access token.',
    reply: VisitorClaims,
    isIdempotent: true,
    errors: ['not_found'],
    records: { nothing: 'When members were last seen is no change of the organization' },
    scope: 'user:write',
    access: guests,
  },
})
