import { z } from 'zod'

/** What one boolean of an object's `permissions` says, and the operations that it names: true when the caller may use them. */
interface Right {
  says: string
  /** Ids of operations; none while there is none yet, or where it says who somebody is instead of what they may do. */
  operations: readonly string[]
}

/** The booleans of a space's `permissions`. */
export const spaceRights = {
  view: { says: 'Read the content', operations: ['getCurrentRevision', 'listPages', 'listFiles'] },
  access: {
    says: 'Open the space with its settings and its git operations',
    operations: ['getSpaceById', 'listGitOperations'],
  },
  admin: {
    says: 'Change the settings, and who may do what; restore what is deleted',
    operations: ['updateSpaceById', 'listUserPermissionsInSpace', 'listTeamPermissionsInSpace'],
  },
  viewInviteLinks: { says: 'See the links by which to join', operations: ['listOrganizationInviteLinks'] },
  edit: { says: 'Change the content by a change request, also of a locked space', operations: [] },
  triggerGitSync: { says: 'Import from git', operations: ['importGitRepository'] },
  comment: { says: 'Comment on the content', operations: [] },
  merge: { says: 'Merge change requests', operations: [] },
  review: { says: 'Review change requests', operations: [] },
  installIntegration: { says: 'Install integrations', operations: [] },
} as const satisfies Record<string, Right>

/** The booleans of a collection's `permissions`. */
export const collectionRights = {
  view: {
    says: 'See the collection and what is in it',
    operations: ['getCollectionById', 'listSpacesInCollectionById'],
  },
  admin: {
    says: 'Change the settings, and who may do what',
    operations: ['updateCollectionById', 'listUserPermissionsInCollection', 'listTeamPermissionsInCollection'],
  },
  viewInviteLinks: { says: 'See the links by which to join', operations: ['listOrganizationInviteLinks'] },
  create: { says: 'Create spaces and collections in it', operations: ['createSpace', 'createCollection'] },
} as const satisfies Record<string, Right>

/** The booleans of an organization's `permissions`. */
export const organizationRights = {
  view: { says: 'See the organization', operations: ['getOrganizationById'] },
  admin: {
    says: 'Change the settings, members, invites, teams and single sign-on',
    operations: [
      'updateOrganizationById',
      'createOrganizationTeam',
      'listPendingInvites',
      'listSAMLProvidersInOrganizationById',
    ],
  },
  ownTeam: { says: 'Whether the caller owns a team', operations: [] },
  createContent: { says: 'Create spaces and collections', operations: ['createSpace', 'createCollection'] },
  createOpenAPISpec: { says: 'Create OpenAPI specifications', operations: [] },
  ingestConversations: { says: 'Ingest conversations', operations: [] },
  viewBilling: { says: 'See the billing', operations: [] },
  listMembers: { says: 'List the members', operations: ['listMembersInOrganizationById'] },
  listTeams: { says: 'List the teams', operations: ['listTeamsInOrganizationById'] },
  listIntegrations: { says: 'List integrations', operations: [] },
  listInstallations: { says: 'List installations of integrations', operations: [] },
  installIntegration: { says: 'Install integrations', operations: [] },
} as const satisfies Record<string, Right>

/** The booleans of a team's `permissions`. */
export const teamRights = {
  view: {
    says: 'See the team and who is in it',
    operations: ['getTeamInOrganizationById', 'listTeamMembersInOrganizationById'],
  },
  admin: {
    says: 'Change the team; its owners change who is in it without this',
    operations: ['updateTeamInOrganizationById'],
  },
} as const satisfies Record<string, Right>

/** The booleans of the `permissions` that go with a member of a team. */
export const teamMemberRights = {
  view: { says: 'See the member', operations: ['getMemberInOrganizationById'] },
} as const satisfies Record<string, Right>

/** Every object whose replies carry `permissions`: each boolean is the predicate that guards the operations it names. */
export const rights = {
  organization: organizationRights,
  team: teamRights,
  teamMember: teamMemberRights,
  space: spaceRights,
  collection: collectionRights,
}

/** The schema of an object's `permissions`. */
export function permissionsOf<const T extends Record<string, Right>>(
  table: T,
): z.ZodObject<{ [Name in keyof T]: z.ZodBoolean }> {
  const shape = Object.entries(table).map(([name, { says, operations }]) => {
    const named = operations.length > 0 ? `: ${operations.join(', ')}` : ''
    return [name, z.boolean().describe(`${says}${named}`)]
  })
  return z.object(Object.fromEntries(shape) as { [Name in keyof T]: z.ZodBoolean })
}
