/** Descriptions of the operations on the roles that users and teams are granted on a space, collection or site: the rules are the same. */
export const granting = {
  invite:
    'All or nothing: a user or team that is not in the organization is 404 with its place in the list. `role: null` revokes what was granted. You can neither grant a role above your own, nor change a grant above it (403).',
  listUsers:
    'The latest grants come first. Only what was granted on it directly is listed: `…/permissions/aggregate` has everybody, however they come by their role.',
  listTeams: 'The latest grants come first. Only what was granted on it directly is listed.',
  update:
    '`role: null` revokes it, and without `role` nothing changes. Somebody without a grant is 404: `POST …/permissions` makes one. You can neither grant a role above your own, nor change a grant above it (403).',
  remove:
    'What other grants, default levels and the organization give applies from then on; where the grant, or what applies then, is above your own role, it is refused (403). Without a grant nothing happens.',
  aggregate:
    'Grants to users and teams, default levels, collections around it and roles in the organization are all taken into account; guests may not list them (403). The order is that of user ids.',
} as const
