import { admins, callers, everybody, insiders, members, hiddenFromGuests, type Access } from './access.ts'

/** The resources that the operations are called with: an organization and its parts. */
export interface Subjects {
  organizationId: string
  /** The organization's admin. */
  userId: string
  /** A member who may be changed or removed. */
  spare: string
  teamId: string
  inviteId: string
  samlProviderId: string
  emailDomain: string
  /** Resources to delete. */
  doomed: { userId: string; teamId: string; inviteId: string; samlProviderId: string }
}

const managers = (status: number): number[] => [401, 404, 403, 403, 403, status, status]
const platform = [401, 403, 403, 403, 403, 403, 403]
const anybody = (status: number): number[] => Array.from({ length: callers.length }, () => status)

const nobody = () => ({ params: { userId: 'nobody' } })
const nothing = () => ({ params: { inviteId: 'nothing', tokenId: 'nothing' } })
const doomed = ({ doomed: params }: Subjects) => ({ params })
const spare = ({ spare: userId }: Subjects) => ({ params: { userId } })
const body = (sent: unknown) => () => ({ body: sent })

/** The status of each operation of identity for each caller. Joining comes last, since it makes the outsider a member. */
export const identityAccess: Record<string, Access<Subjects>> = {
  getApiInformation: [anybody(200)],
  getAuthenticatedUser: [everybody(200)],
  getUserById: [[401, 404, 404, 200, 200, 200, 200]],
  updateUserById: [[401, 404, 404, 403, 403, 200, 403], body({ displayName: 'Ada' })],
  createUser: [platform, body({ email: 'eve@recto.test', displayName: 'Eve' })],
  createTokenForUser: [platform, body({ name: 'stolen' })],
  listTokens: [everybody(200)],
  createToken: [everybody(201), body({ name: 'more' })],
  deleteToken: [everybody(204), nothing],

  listOrganizationsForAuthenticatedUser: [everybody(200)],
  createOrganization: [everybody(201), body({ title: 'More' })],
  getOrganizationById: [insiders(200)],
  updateOrganizationById: [admins(200), body({})],
  getOrganizationsForEmailDomain: [everybody(200)],

  listMembersInOrganizationById: [members(200)],
  getMemberInOrganizationById: [hiddenFromGuests(200)],
  updateMemberInOrganizationById: [
    admins(200),
    ({ spare: userId }) => ({ params: { userId }, body: { role: 'read' } }),
  ],
  removeMemberFromOrganizationById: [admins(204), doomed],
  setUserAsSSOMemberForOrganization: [admins(200), spare],
  listTeamsForOrganizationMember: [hiddenFromGuests(200)],
  updateOrganizationMemberLastSeenAt: [insiders(200)],

  listTeamsInOrganizationById: [members(200)],
  createOrganizationTeam: [admins(201), body({ title: 'More' })],
  getTeamInOrganizationById: [hiddenFromGuests(200)],
  updateTeamInOrganizationById: [admins(200), body({ title: 'Writers' })],
  removeTeamFromOrganizationById: [admins(204), doomed],
  listTeamMembersInOrganizationById: [hiddenFromGuests(200)],
  updateMembersInOrganizationTeam: [managers(204), ({ spare: userId }) => ({ body: { add: [userId] } })],
  addMemberToOrganizationTeamById: [managers(204), spare],
  deleteMemberFromOrganizationTeamById: [managers(204), nobody],

  inviteUsersToOrganization: [admins(200), body({ emails: ['new@recto.test'] })],
  listPendingInvites: [admins(200)],
  deletePendingInvite: [admins(204), nothing],
  createOrganizationInvite: [admins(201), body({ role: 'read' })],
  listOrganizationInviteLinks: [admins(200)],
  getOrganizationInviteLink: [admins(200)],
  updateOrganizationInviteById: [admins(200), body({ role: 'read' })],
  deleteOrganizationInviteById: [admins(204), doomed],

  listSAMLProvidersInOrganizationById: [admins(200)],
  createOrganizationSAMLProvider: [admins(201), body({ label: 'More' })],
  getOrganizationSAMLProviderById: [admins(200)],
  updateOrganizationSAMLProvider: [admins(200), body({ label: 'Login' })],
  deleteOrganizationSAMLProvider: [admins(204), doomed],
  listSSOProviderLoginsInOrganization: [insiders(200)],
  getSamlServiceMetadata: [anybody(200)],
  // The provider is not configured, so signing in with it is not_found.
  startSamlSignIn: [anybody(404)],
  receiveSamlResponse: [anybody(404), () => ({ form: { SAMLResponse: 'bm90aGluZw==' } })],

  joinOrganization: [[401, 404, 204, 204, 204, 204, 204]],
  joinOrganizationWithInvite: [everybody(200)],
}
