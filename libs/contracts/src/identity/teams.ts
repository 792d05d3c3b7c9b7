import { operations } from '@recto/operation'
import { z } from 'zod'
import { empty, Id, list, page, text, Timestamp } from '../conventions.ts'
import { permissionsOf, teamRights } from '../rights.ts'

const TeamRole = z
  .enum(['owner', 'member'])
  .meta({ id: 'TeamRole', description: 'An owner can manage the members of the team' })

/** A user's place in a team. */
export const TeamMember = z.object({ role: TeamRole }).meta({ id: 'TeamMember', description: 'A place in a team' })

/** A team as replies show it. */
export const Team = z
  .object({
    object: z.literal('team'),
    id: Id,
    title: z.string(),
    members: z.number().int(),
    spaces: z.number().int().describe('Spaces that the team has been granted'),
    createdAt: Timestamp,
    permissions: permissionsOf(teamRights),
  })
  .meta({ id: 'Team', description: 'A group of members' })

const CreateTeam = z
  .object({
    title: text({ min: 1, max: 64 }),
    members: z.array(Id).max(1000).default([]).describe('Ids of members of the organization'),
  })
  .meta({ id: 'CreateTeam', description: 'A team to create' })

const UpdateTeam = z
  .object({ title: text({ min: 1, max: 64 }) })
  .meta({ id: 'UpdateTeam', description: 'Changes to a team' })

const isPerson = (identifier: string) => !identifier.includes('@') || z.email().safeParse(identifier).success
const Person = text({ min: 1, max: 254 }).refine(isPerson, 'must be a user id or an e-mail')
const mostPeople = 1000

const UpdateTeamMembers = z
  .object({
    add: z.array(Person).max(mostPeople).default([]).describe('User ids or e-mails'),
    remove: z.array(Person).max(mostPeople).default([]).describe('User ids or e-mails; wins over the rest'),
    memberships: z
      .record(Person, TeamMember)
      .refine(map => Object.keys(map).length <= mostPeople, `must have at most ${mostPeople} people`)
      .default({})
      .describe('Roles by user id or e-mail; who is missing is added'),
  })
  .meta({ id: 'UpdateTeamMembers', description: 'Changes to the members of a team' })

const SetTeamMember = z
  .object({ role: TeamRole.optional() })
  .meta({ id: 'SetTeamMember', description: 'A place in a team; an existing role stays when none is given' })

/** Operations on teams. */
export const teams = operations({
  listTeamsInOrganizationById: {
    route: 'GET /orgs/{organizationId}/teams',
    summary: 'List the teams of an organization',
    query: page.extend({
      owner: Id.optional().describe('User id: only teams that this member can manage'),
      title: text({ max: 512 }).optional().describe('Part of the title, in any case'),
    }),
    reply: list(Team),
    errors: ['not_found'],
  },
  createOrganizationTeam: {
    route: 'PUT /orgs/{organizationId}/teams',
    summary: 'Create a team',
    body: CreateTeam,
    reply: Team,
    status: 201,
    errors: ['not_found'],
  },
  getTeamInOrganizationById: {
    route: 'GET /orgs/{organizationId}/teams/{teamId}',
    summary: 'Get a team',
    reply: Team,
    errors: ['not_found'],
  },
  updateTeamInOrganizationById: {
    route: 'PATCH /orgs/{organizationId}/teams/{teamId}',
    summary: 'Rename a team',
    body: UpdateTeam,
    reply: Team,
    errors: ['not_found'],
  },
  removeTeamFromOrganizationById: {
    route: 'DELETE /orgs/{organizationId}/teams/{teamId}',
    summary: 'Delete a team',
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  updateMembersInOrganizationTeam: {
    route: 'PUT /orgs/{organizationId}/teams/{teamId}/members',
    summary: 'Add members to a team, remove them and set their roles, all or nothing',
    description:
      'Who is in `remove` is removed, wherever else they are named. An e-mail of nobody in the organization becomes an invite, which needs the role that inviting needs.',
    body: UpdateTeamMembers,
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  addMemberToOrganizationTeamById: {
    route: 'PUT /orgs/{organizationId}/teams/{teamId}/members/{userId}',
    summary: 'Add a member to a team, or set their role in it',
    body: SetTeamMember,
    bodyOptional: true,
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  deleteMemberFromOrganizationTeamById: {
    route: 'DELETE /orgs/{organizationId}/teams/{teamId}/members/{userId}',
    summary: 'Remove a member from a team',
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
})
