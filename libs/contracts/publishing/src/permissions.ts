import { z } from 'zod'
import { roles } from '@recto/actor'
import {
  empty,
  endpoints,
  granting,
  Id,
  list,
  onResource,
  Order,
  page,
  Role,
  Team,
  text,
  Timestamp,
  User,
} from '@recto/contracts-shared'

const path = '/orgs/{organizationId}/sites/{siteId}/permissions'

const UserSiteGrant = z
  .object({ permission: Role, user: User })
  .meta({ id: 'UserSitePermissionOverride', description: 'The role that a user was granted on a site' })

const TeamSiteGrant = z
  .object({ permission: Role, team: Team })
  .meta({ id: 'TeamSitePermissionOverride', description: 'The role that a team was granted on a site' })

const Origin = z.union([
  z.object({ type: z.literal('organization'), organization: Id }),
  z
    .object({
      type: z.literal('site'),
      site: Id,
      reason: z
        .enum(['member', 'team', 'default'])
        .describe('A grant to the user, a grant to a team, or the default level'),
      team: Id.optional().describe('The team whose grant it is'),
    })
    .meta({ id: 'UserSitePermissionSiteOrigin', description: 'What of the site decides the role of a user' }),
])

const UserSitePermission = z
  .object({
    permission: Role.nullable(),
    user: User,
    origin: Origin,
    disabled: z.boolean().describe('Always false: disabled members have no access'),
    lastSeenAt: Timestamp.optional(),
  })
  .meta({ id: 'UserSitePermission', description: 'The role of a user on a site, and where it comes from' })

const some = z.array(Id).min(1).max(1000)

const InviteSiteUsersAndTeams = z
  .object({
    role: Role.nullable().describe('The role to grant; null revokes'),
    users: some.optional().describe('Ids of members and guests of the organization'),
    teams: some.optional(),
  })
  .refine(({ users, teams }) => users !== undefined || teams !== undefined, 'must have users or teams')
  .meta({ id: 'InviteSiteUsersAndTeams', description: 'Users and teams to grant a role on a site, all or nothing' })

const UpdateSitePermission = z
  .object({ role: Role.nullable().optional().describe('Null revokes') })
  .meta({ id: 'UpdateSitePermission', description: 'The new role on a site' })

/** Operations on the roles that users and teams have on a site. */
export const sitePermissions = endpoints({
  inviteToSite: {
    route: `POST ${path}`,
    summary: 'Grant users and teams a role on a site',
    description: granting.invite,
    body: InviteSiteUsersAndTeams,
    reply: empty,
    isIdempotent: true,
    status: 204,
    errors: ['not_found'],
    records: ['site.permissions.updated'],
    scope: 'site:permissions:write',
    access: onResource('create'),
    examples: [{ body: { role: 'read', users: ['{userId}'], teams: ['{teamId}'] } }],
  },
  listUserPermissionsInSite: {
    route: `GET ${path}/users`,
    summary: 'List the users with a role granted on a site',
    description: granting.listUsers,
    query: page,
    reply: list(UserSiteGrant),
    errors: ['not_found'],
    scope: 'site:permissions:read',
    access: onResource('create'),
  },
  updateUserPermissionInSite: {
    route: `PATCH ${path}/users/{userId}`,
    summary: "Update a user's role on a site",
    description: granting.update,
    body: UpdateSitePermission,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.permissions.updated'],
    scope: 'site:permissions:write',
    access: onResource('create'),
    examples: [{ body: { role: 'read' } }],
  },
  removeUserFromSite: {
    route: `DELETE ${path}/users/{userId}`,
    summary: "Revoke a user's role on a site",
    description: granting.remove,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.permissions.updated'],
    scope: 'site:permissions:write',
    access: onResource('create'),
  },
  listTeamPermissionsInSite: {
    route: `GET ${path}/teams`,
    summary: 'List the teams with a role granted on a site',
    description: granting.listTeams,
    query: page,
    reply: list(TeamSiteGrant),
    errors: ['not_found'],
    scope: 'site:permissions:read',
    access: onResource('create'),
  },
  updateTeamPermissionInSite: {
    route: `PATCH ${path}/teams/{teamId}`,
    summary: "Update a team's role on a site",
    description: granting.update,
    body: UpdateSitePermission,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.permissions.updated'],
    scope: 'site:permissions:write',
    access: onResource('create'),
    examples: [{ body: { role: 'read' } }],
  },
  removeTeamFromSite: {
    route: `DELETE ${path}/teams/{teamId}`,
    summary: "Revoke a team's role on a site",
    description: granting.remove,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.permissions.updated'],
    scope: 'site:permissions:write',
    access: onResource('create'),
  },
  listPermissionsAggregateInSite: {
    route: `GET ${path}/aggregate`,
    summary: 'List all users who see a site with its settings, with their role and where it comes from',
    description:
      'The latest to join the organization come first, unless `sort` and `order` say otherwise. `origin` names the grant, default level or organization that decides. Guests may not list them (403).',
    query: page.extend({
      order: Order,
      role: z
        .enum([...roles, 'guest'])
        .optional()
        .describe('List only users with this role on the site, or only guests of the organization'),
      search: text({ max: 512 }).optional().describe('Part of the display name or e-mail; case is ignored'),
      sort: z.enum(['joinedAt', 'lastSeenAt', 'name']).default('joinedAt'),
      team: Id.optional().describe('List only members of this team'),
    }),
    reply: list(UserSitePermission),
    errors: ['not_found'],
    scope: 'site:permissions:read',
    access: onResource('read'),
    examples: [{ query: { team: '{teamId}' }, ignores: ['teamId'] }],
  },
})
