import { z } from 'zod'

/** A boolean of an object's `permissions`, and the operations that it stands for: true when the caller may use them. */
interface Right {
  summary: string
  /** Ids of operations; none where no operation exists or the boolean states a fact about the caller. */
  operations: readonly string[]
}

/** The booleans of a space's `permissions`. */
export const spaceRights = {
  view: { summary: 'Read the content', operations: ['getCurrentRevision', 'listPages', 'listFiles'] },
  access: {
    summary: 'Get the space with its settings and git operations',
    operations: ['getSpaceById', 'listGitOperations'],
  },
  admin: {
    summary: 'Update settings and permissions; restore the space',
    operations: ['updateSpaceById', 'listUserPermissionsInSpace', 'listTeamPermissionsInSpace'],
  },
  viewInviteLinks: { summary: 'List link invites', operations: ['listOrganizationInviteLinks'] },
  edit: {
    summary: 'Edit content in a change request, also of a locked space',
    operations: ['createChangeRequest', 'updateChangeRequestById', 'updateContentInChangeRequest'],
  },
  triggerGitSync: {
    summary: 'Import from git, and set up the synchronisation',
    operations: ['importGitRepository'],
  },
  comment: {
    summary: 'See and write comments',
    operations: ['listCommentsInSpace', 'postCommentInSpace', 'postCommentReplyInSpace', 'postCommentInChangeRequest'],
  },
  merge: { summary: 'Merge change requests', operations: ['mergeChangeRequest', 'restoreRevision'] },
  review: { summary: 'Review change requests', operations: ['submitChangeRequestReview'] },
  installIntegration: { summary: 'Install integrations', operations: [] },
} as const satisfies Record<string, Right>

/** The booleans of a collection's `permissions`. */
export const collectionRights = {
  view: {
    summary: 'Read the collection and what is in it',
    operations: ['getCollectionById', 'listSpacesInCollectionById'],
  },
  admin: {
    summary: 'Update settings and permissions',
    operations: ['updateCollectionById', 'listUserPermissionsInCollection', 'listTeamPermissionsInCollection'],
  },
  viewInviteLinks: { summary: 'List link invites', operations: ['listOrganizationInviteLinks'] },
  create: { summary: 'Create spaces and collections in it', operations: ['createSpace', 'createCollection'] },
} as const satisfies Record<string, Right>

/** The booleans of an organization's `permissions`. */
export const organizationRights = {
  view: { summary: 'Read the organization', operations: ['getOrganizationById'] },
  access: { summary: 'Read the organization in the application', operations: ['getOrganizationById'] },
  admin: {
    summary: 'Update settings, members, invites, teams and single sign-on',
    operations: [
      'updateOrganizationById',
      'createOrganizationTeam',
      'listPendingInvites',
      'listSAMLProvidersInOrganizationById',
      'listOidcProvidersInOrganization',
    ],
  },
  ownTeam: { summary: 'Whether the caller owns a team', operations: [] },
  createContent: { summary: 'Create spaces and collections', operations: ['createSpace', 'createCollection'] },
  createOpenAPISpec: { summary: 'Create OpenAPI specifications', operations: ['createOpenAPISpec'] },
  ingestConversations: { summary: 'Ingest conversations', operations: [] },
  viewBilling: { summary: 'Read billing', operations: [] },
  listMembers: { summary: 'List the members', operations: ['listMembersInOrganizationById'] },
  listTeams: { summary: 'List the teams', operations: ['listTeamsInOrganizationById'] },
  listIntegrations: { summary: 'List integrations', operations: [] },
  listInstallations: { summary: 'List installations of integrations', operations: [] },
  installIntegration: { summary: 'Install integrations', operations: [] },
} as const satisfies Record<string, Right>

/** The booleans of a team's `permissions`. */
export const teamRights = {
  view: {
    summary: 'Read the team and its members',
    operations: ['getTeamInOrganizationById', 'listTeamMembersInOrganizationById'],
  },
  admin: {
    summary: 'Update the team; its owners manage its members without this',
    operations: ['updateTeamInOrganizationById'],
  },
} as const satisfies Record<string, Right>

/** The booleans of the `permissions` that go with a member of a team. */
export const teamMemberRights = {
  view: { summary: 'Read the member', operations: ['getMemberInOrganizationById'] },
} as const satisfies Record<string, Right>

/** The booleans of a site's `permissions`. */
export const siteRights = {
  view: { summary: 'Read the site', operations: ['getSiteById', 'getSiteStructure'] },
  access: { summary: 'Get the site with its settings', operations: ['getSiteById'] },
  edit: { summary: 'Edit content that the site shows, where the role on its space allows it', operations: [] },
  create: {
    summary: 'Change what the site shows, and make share links',
    operations: ['addSectionGroupToSite', 'listSiteShareLinks'],
  },
  admin: {
    summary: 'Update settings and permissions; publish the site',
    operations: ['updateSiteById', 'listUserPermissionsInSite', 'listTeamPermissionsInSite', 'publishSite'],
  },
  installIntegration: { summary: 'Install integrations', operations: [] },
  viewAdaptiveSchema: { summary: 'Read what is known of visitors', operations: ['getSiteAdaptiveSchema'] },
  editAdaptiveSchema: { summary: 'Set what is known of visitors', operations: ['updateSiteAdaptiveSchema'] },
} as const satisfies Record<string, Right>

/** Every object whose replies carry `permissions`: each boolean is the predicate that guards the operations it names. */
export const rights = {
  organization: organizationRights,
  team: teamRights,
  teamMember: teamMemberRights,
  space: spaceRights,
  collection: collectionRights,
  site: siteRights,
}

/** The schema of an object's `permissions`. */
export function permissionsOf<const T extends Record<string, Right>>(
  table: T,
): z.ZodObject<{ [Name in keyof T]: z.ZodBoolean }> {
  const shape = Object.entries(table).map(([name, { summary, operations }]) => {
    const suffix = operations.length > 0 ? `: ${operations.join(', ')}` : ''
    return [name, z.boolean().describe(`${summary}${suffix}`)]
  })
  return z.object(Object.fromEntries(shape) as { [Name in keyof T]: z.ZodBoolean })
}
