import { insiders, seenByMembers, type Access, type Caller } from './access.ts'

/** A space and a collection for each caller, for what can be done to them only once. */
type Each = Record<Caller, { spaceId: string; collectionId: string }>

/** What the operations are asked about: an organization, and content of it that was imported. */
export interface ContentSubjects {
  organizationId: string
  /** A member who was granted roles on the space and collection. */
  userId: string
  /** A team that was granted roles on the space and collection. */
  teamId: string
  spaceId: string
  collectionId: string
  pageId: string
  fileId: string
  revisionId: string
  operationId: string
  repository: string
  /** Another organization of the admin. */
  target: string
  moved: Each
  given: Each
  doomed: Each
  deleted: Each
  /** Git operations that failed. */
  failed: Record<Caller, string>
}

/** Who has no grant sees what everybody sees: a team does not make its owner more than a reader of content. */
const creators = (status: number): number[] => [401, 404, 404, 403, status, status, 403]
const owners = (status: number): number[] => [401, 404, 404, 403, 403, status, 403]
/** There they see the organization, but no more. */
const creatorsInside = (status: number): number[] => [401, 404, 403, 403, status, status, 403]
/** What a caller does not see need not be deleted. */
const deleters = [401, 204, 204, 403, 204, 204, 403]
/** What is deleted is there for those who can restore it. */
const restorers = (status: number): number[] => [401, 404, 404, 404, status, status, 404]

const body = (sent: unknown) => () => ({ body: sent })
const nobody = () => ({ params: { userId: 'nobody', teamId: 'nothing' } })
const each = (which: 'deleted' | 'doomed') => (subjects: ContentSubjects, caller: Caller) => ({
  params: subjects[which][caller],
})
const moved = ({ moved, collectionId: parent }: ContentSubjects, caller: Caller) => ({
  params: moved[caller],
  body: { parent },
})
const given = ({ given, target: organization }: ContentSubjects, caller: Caller) => ({
  params: given[caller],
  body: { organization },
})
const invited = ({ userId, teamId }: ContentSubjects) => ({ body: { role: 'read', users: [userId], teams: [teamId] } })
const imported = ({ repository: url }: ContentSubjects) => ({ body: { url, ref: 'refs/heads/main' } })
const failed = ({ failed }: ContentSubjects, caller: Caller) => ({ params: { operationId: failed[caller] } })

/** Which status each operation of content has for whom. */
export const contentAccess: Record<string, Access<ContentSubjects>> = {
  createSpace: [creatorsInside(201), body({ title: 'More' })],
  listSpacesInOrganizationById: [insiders(200)],
  getSpaceById: [seenByMembers(200)],
  updateSpaceById: [creators(200), body({ title: 'Manual' })],
  listSpacesForOrganizationMember: [seenByMembers(200)],

  restoreSpace: [restorers(200), each('deleted')],
  duplicateSpace: [creators(201)],
  moveSpace: [creators(200), moved],
  transferSpace: [owners(200), given],
  deleteSpaceById: [deleters, each('doomed')],
  moveCollection: [creators(200), moved],
  transferCollection: [owners(200), given],
  deleteCollectionById: [deleters, each('doomed')],

  createCollection: [creatorsInside(201), body({ title: 'More' })],
  listCollectionsInOrganizationById: [insiders(200)],
  getCollectionById: [seenByMembers(200)],
  updateCollectionById: [creators(200), body({ title: 'Docs' })],
  listSpacesInCollectionById: [seenByMembers(200)],

  inviteToSpace: [creators(204), invited],
  listUserPermissionsInSpace: [creators(200)],
  updateUserPermissionInSpace: [creators(204), body({ role: 'comment' })],
  removeUserFromSpace: [creators(204), nobody],
  listTeamPermissionsInSpace: [creators(200)],
  updateTeamPermissionInSpace: [creators(204), body({ role: 'read' })],
  removeTeamFromSpace: [creators(204), nobody],
  listPermissionsAggregateInSpace: [creators(200)],

  inviteToCollection: [creators(204), invited],
  listUserPermissionsInCollection: [creators(200)],
  updateUserPermissionInCollection: [creators(204), body({ role: 'comment' })],
  removeUserFromCollection: [creators(204), nobody],
  listTeamPermissionsInCollection: [creators(200)],
  updateTeamPermissionInCollection: [creators(204), body({ role: 'read' })],
  removeTeamFromCollection: [creators(204), nobody],
  listPermissionsAggregateInCollection: [creators(200)],

  getCurrentRevision: [seenByMembers(200)],
  listPages: [seenByMembers(200)],
  listFiles: [seenByMembers(200)],
  getFileById: [seenByMembers(200)],
  getPageById: [seenByMembers(200)],
  getRevisionById: [seenByMembers(200)],
  listPagesInRevisionById: [seenByMembers(200)],
  listFilesInRevisionById: [seenByMembers(200)],
  getFileInRevisionById: [seenByMembers(200)],
  getPageInRevisionById: [seenByMembers(200)],

  getSpaceGitInfo: [seenByMembers(200)],
  listGitOperations: [seenByMembers(200)],
  getGitOperation: [seenByMembers(200)],
  retryGitOperation: [creators(200), failed],
  importGitRepository: [creators(204), imported],
}
