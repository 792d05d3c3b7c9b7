import { z } from 'zod'
import {
  empty,
  Id,
  list,
  page,
  Team,
  TeamMember,
  TeamRole,
  text,
  endpoints,
  inOrganization,
  onResource,
  teamOwners,
} from '@recto/contracts-shared'

const CreateTeam = z
  .object({
    title: text({ min: 1, max: 64 }),
    members: z.array(Id).max(1000).default([]).describe('Ids of members of the organization'),
  })
  .meta({ id: 'CreateTeam', description: 'A team to create' })

const UpdateTeam = z
  .object({ title: text({ min: 1, max: 64 }) })
  .meta({ id: 'UpdateTeam', description: 'Fields of a team to update' })

const isPerson = (identifier: string) => !identifier.includes('@') || z.email().safeParse(identifier).success
const Person = text({ min: 1, max: 254 }).refine(isPerson, 'must be a user id or an e-mail')
const maxPeople = 1000

const UpdateTeamMembers = z
  .object({
    add: z.array(Person).max(maxPeople).default([]).describe('User ids or e-mails'),
    remove: z.array(Person).max(maxPeople).default([]).describe('User ids or e-mails; wins over the other fields'),
    memberships: z
      .record(Person, TeamMember)
      .refine(map => Object.keys(map).length <= maxPeople, `must have at most ${maxPeople} people`)
      .default({})
      .describe('Roles by user id or e-mail; users who are not in the team are added'),
  })
  .meta({ id: 'UpdateTeamMembers', description: 'Members to add, remove and update' })

const SetTeamMember = z
  .object({ role: TeamRole.optional() })
  .meta({ id: 'SetTeamMember', description: 'Role in a team; without it an existing role is kept' })

/** Operations on teams. */
export const teams = endpoints({
  listTeamsInOrganizationById: {
    route: 'GET /orgs/{organizationId}/teams',
    summary: 'List the teams of an organization',
    description:
      'The newest come first. An `owner` who is no member is 404; an admin of the organization owns every team.',
    query: page.extend({
      owner: Id.optional().describe('Id of a member: list only teams that they can manage'),
      title: text({ max: 512 }).optional().describe('Part of the title; case is ignored'),
    }),
    reply: list(Team),
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: inOrganization('read'),
    examples: [{ query: { owner: '{userId}' } }],
  },
  createOrganizationTeam: {
    route: 'PUT /orgs/{organizationId}/teams',
    summary: 'Create a team',
    description:
      'The `members` get the role `member` in it. One who is not in the organization is 404 with its place in the list, and no team is created.',
    body: CreateTeam,
    reply: Team,
    creates: 'resource',
    errors: ['not_found'],
    records: ['team.created', 'team.member.added'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
    examples: [{ body: { title: 'Reviewers', members: ['{userId}'] } }],
  },
  getTeamInOrganizationById: {
    route: 'GET /orgs/{organizationId}/teams/{teamId}',
    summary: 'Get a team',
    description: 'Guests see the teams that they own; other teams are not there for them (404).',
    reply: Team,
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: onResource('read'),
  },
  updateTeamInOrganizationById: {
    route: 'PATCH /orgs/{organizationId}/teams/{teamId}',
    summary: 'Rename a team',
    description: 'Owners of the team, who manage its members, may not rename it.',
    body: UpdateTeam,
    reply: Team,
    errors: ['not_found'],
    records: ['team.updated'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
    examples: [{ body: { title: 'Editors' } }],
  },
  removeTeamFromOrganizationById: {
    route: 'DELETE /orgs/{organizationId}/teams/{teamId}',
    summary: 'Delete a team',
    description:
      'What was granted to the team ends with it, and its members stay in the organization. A team that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['team.deleted'],
    scope: 'organization:members:write',
    access: inOrganization('admin'),
  },
  updateMembersInOrganizationTeam: {
    route: 'PUT /orgs/{organizationId}/teams/{teamId}/members',
    summary: 'Update the members of a team: add, remove and set roles, all or nothing',
    description:
      '`remove` wins over the other fields. An e-mail that belongs to no member becomes an invite, which only admins may create.',
    body: UpdateTeamMembers,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: [
      'team.member.added',
      'team.member.updated',
      'team.member.removed',
      'invite.created',
      'invite.updated',
      'member.added',
    ],
    scope: 'organization:members:write',
    access: teamOwners,
    examples: [
      { body: { add: ['{userId}'] } },
      { body: { remove: ['{userId}'] }, ignores: ['userId'] },
      { body: { memberships: { '{userId}': { role: 'owner' } } } },
    ],
  },
  addMemberToOrganizationTeamById: {
    route: 'PUT /orgs/{organizationId}/teams/{teamId}/members/{userId}',
    summary: 'Add a member to a team, or update their role in it',
    description:
      'The user has to belong to the organization (404), as a guest at least. Without `role` somebody new becomes a `member`, and somebody in the team keeps their role.',
    body: SetTeamMember,
    request: { optionalBody: true },
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['team.member.added', 'team.member.updated'],
    scope: 'organization:members:write',
    access: teamOwners,
  },
  deleteMemberFromOrganizationTeamById: {
    route: 'DELETE /orgs/{organizationId}/teams/{teamId}/members/{userId}',
    summary: 'Remove a member from a team',
    description:
      'They lose what was granted to the team, and stay in the organization. Somebody who is not in the team is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['team.member.removed'],
    scope: 'organization:members:write',
    access: teamOwners,
  },
})
