import { insiders, hiddenFromGuests, type Access, type Caller } from './access.ts'

/** A space and a collection per caller, for operations that can be done only once. */
type Each = Record<Caller, { spaceId: string; collectionId: string }>

/** The resources that the operations are called with: an organization and its imported content. */
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
  pagePath: string
  documentId: string
  reusableContentId: string
  operationId: string
  importId: string
  changeRequestId: string
  /** Comments on main content and on the change request, by the admin, with replies. */
  comment: Commented
  changeRequestComment: Commented
  repository: string
  /** The URL of the space in the application. */
  spaceUrl: string
  /** Another organization of the admin. */
  target: string
  moved: Each
  given: Each
  doomed: Each
  deleted: Each
  /** Change requests that can be merged. */
  mergeable: Record<Caller, string>
  translationId: string
  /** A run of it, which has failed. */
  runId: string
  glossaryEntryId: string
  /** Translations to delete. */
  unwanted: Record<Caller, string>
  /** Git operations that failed. */
  failed: Record<Caller, string>
}

interface Commented {
  commentId: string
  commentReplyId: string
}

/** Statuses by caller. Owning a team grants no more than reading content. */
const creators = (status: number): number[] => [401, 404, 404, 403, status, status, 403]
const owners = (status: number): number[] => [401, 404, 404, 403, 403, status, 403]
/** Callers without the role see the organization, so they are refused with 403. */
const creatorsInside = (status: number): number[] => [401, 404, 403, 403, status, status, 403]
/** Deleting a resource that the caller cannot see succeeds without effect. */
const deleters = [401, 204, 204, 403, 204, 204, 403]
/** Deleted resources are visible only to callers who can restore them. */
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
const exported = ({ repository: url }: ContentSubjects) => ({
  body: { url, ref: 'refs/heads/exported', commitMessage: 'Export' },
})
/** Nobody serves this repository, so that nothing changes. */
const synchronised = body({
  ...{ url: 'http://127.0.0.1:9/docs', ref: 'refs/heads/main', direction: 'import', pollInterval: 0 },
})
/** A webhook shows by its signature who sent it, not by a token. */
const unsigned = [401, 401, 401, 401, 401, 401, 401]
/** A file of the git server, which any source of content can be. */
const content = ({ repository }: ContentSubjects) => ({ body: { url: `${repository}/HEAD`, source: 'markdown' } })
const computed = (props: object) => ({
  source: { type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec: 'none' } } } },
  seed: 'a',
})
const insertPage = body({ changes: [{ operation: 'insert_page', title: 'More' }] })
const located = ({ spaceUrl }: ContentSubjects) => ({ query: `url=${encodeURIComponent(spaceUrl)}` })
/** A page that nobody serves has a preview, too. */
const previewed = () => ({ query: 'url=http://127.0.0.1:9/page' })
/** One page, so that it is made soon. */
const printed = ({ pageId }: ContentSubjects) => ({ query: `page=${pageId}&only=true` })
const searched = () => ({ query: 'query=guide' })
const mergeable = ({ mergeable }: ContentSubjects, caller: Caller) => ({
  params: { changeRequestId: mergeable[caller] },
})
const text = { markdown: 'Well done' }
const onMain =
  (sent?: object) =>
  ({ comment: params }: ContentSubjects) => ({ params: { ...params }, ...sent })
const onProposed =
  (sent?: object) =>
  ({ changeRequestComment: params }: ContentSubjects) => ({
    params: { ...params },
    ...sent,
  })
const liked = { body: { addedReactions: ['1f44d'] } }
const reviewers = ({ userId }: ContentSubjects) => ({ body: { users: [userId] } })
const gone = () => ({ params: { commentId: 'nothing', commentReplyId: 'nothing' } })
const failed = ({ failed }: ContentSubjects, caller: Caller) => ({ params: { operationId: failed[caller] } })

const translated = ({ spaceId: space }: ContentSubjects) => ({
  body: { source: { space, language: 'en' }, language: 'fr' },
})
const unwanted = ({ unwanted }: ContentSubjects, caller: Caller) => ({ params: { translationId: unwanted[caller] } })
const instructions = { object: 'document', data: { schemaVersion: 8 }, nodes: [] }
const terms = body({ operations: [{ type: 'insert', translations: { en: 'more' } }] })

/** The status of each operation of content for each caller. */
export const contentAccess: Record<string, Access<ContentSubjects>> = {
  createSpace: [creatorsInside(201), body({ title: 'More' })],
  listSpacesInOrganizationById: [insiders(200)],
  getSpaceById: [hiddenFromGuests(200)],
  updateSpaceById: [creators(200), body({ title: 'Manual' })],
  listSpacesForOrganizationMember: [hiddenFromGuests(200)],

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
  getCollectionById: [hiddenFromGuests(200)],
  updateCollectionById: [creators(200), body({ title: 'Docs' })],
  listSpacesInCollectionById: [hiddenFromGuests(200)],

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

  getCurrentRevision: [hiddenFromGuests(200)],
  listPages: [hiddenFromGuests(200)],
  listFiles: [hiddenFromGuests(200)],
  getFileById: [hiddenFromGuests(200)],
  getPageById: [hiddenFromGuests(200)],
  getRevisionById: [hiddenFromGuests(200)],
  listPagesInRevisionById: [hiddenFromGuests(200)],
  listFilesInRevisionById: [hiddenFromGuests(200)],
  getFileInRevisionById: [hiddenFromGuests(200)],
  getPageInRevisionById: [hiddenFromGuests(200)],
  getPageByPath: [hiddenFromGuests(200)],
  getPageInRevisionByPath: [hiddenFromGuests(200)],
  getPageDocumentInRevisionById: [hiddenFromGuests(200)],
  getReusableContentById: [hiddenFromGuests(200)],
  getReusableContentInRevisionById: [hiddenFromGuests(200)],
  getReusableContentDocumentInRevisionById: [hiddenFromGuests(200)],
  getDocumentById: [hiddenFromGuests(200)],
  getRevisionSemanticChanges: [hiddenFromGuests(200)],
  getComputedDocument: [hiddenFromGuests(404), body(computed({ doc: 'models' }))],
  getComputedRevision: [hiddenFromGuests(404), body(computed({ models: true }))],
  getEmbedByUrlInSpace: [hiddenFromGuests(200), previewed],
  getContentByUrl: [hiddenFromGuests(200), located],

  updateContent: [creators(200), insertPage],
  updateContentInChangeRequest: [creators(200), insertPage],

  listChangeRequestsForSpace: [hiddenFromGuests(200)],
  listChangeRequestsForOrganization: [insiders(200)],
  createChangeRequest: [creators(201), body({ subject: 'More' })],
  getChangeRequestById: [hiddenFromGuests(200)],
  updateChangeRequestById: [creators(200), body({ subject: 'More' })],
  getContributorsByChangeRequestId: [hiddenFromGuests(200)],
  getRevisionOfChangeRequestById: [hiddenFromGuests(200)],
  listPagesInChangeRequest: [hiddenFromGuests(200)],
  listFilesInChangeRequestById: [hiddenFromGuests(200)],
  getFileInChangeRequestById: [hiddenFromGuests(200)],
  getPageInChangeRequestById: [hiddenFromGuests(200)],
  getPageInChangeRequestByPath: [hiddenFromGuests(200)],
  getReusableContentInChangeRequestById: [hiddenFromGuests(200)],
  getChangeRequestChanges: [hiddenFromGuests(200)],
  listChangeRequestLinks: [hiddenFromGuests(200)],
  listPageLinksInChangeRequest: [hiddenFromGuests(200)],
  listChangeRequestPageBacklinks: [hiddenFromGuests(200)],
  listChangeRequestFileBacklinks: [hiddenFromGuests(200)],
  mergeChangeRequest: [creators(200), mergeable],
  updateChangeRequest: [creators(200)],
  listChangeRequestConflicts: [hiddenFromGuests(200)],
  resolveChangeRequestConflicts: [creators(409), body({ resolutions: [{ page: 'none', take: 'main' }] })],
  listRevisions: [hiddenFromGuests(200)],
  restoreRevision: [creators(200)],

  listCommentsInSpace: [creators(200)],
  postCommentInSpace: [creators(200), body({ body: text })],
  getCommentInSpace: [creators(200), onMain()],
  updateCommentInSpace: [creators(200), onMain(liked)],
  deleteCommentInSpace: [creators(204), gone],
  listCommentRepliesInSpace: [creators(200), onMain()],
  postCommentReplyInSpace: [creators(200), onMain({ body: { body: text } })],
  getCommentReplyInSpace: [creators(200), onMain()],
  updateCommentReplyInSpace: [creators(200), onMain(liked)],
  deleteCommentReplyInSpace: [creators(204), gone],
  listCommentersInSpace: [creators(200)],

  listCommentsInChangeRequest: [creators(200)],
  postCommentInChangeRequest: [creators(200), body({ body: text })],
  getCommentInChangeRequest: [creators(200), onProposed()],
  updateCommentInChangeRequest: [creators(200), onProposed(liked)],
  deleteCommentInChangeRequest: [creators(204), gone],
  listCommentRepliesInChangeRequest: [creators(200), onProposed()],
  postCommentReplyInChangeRequest: [creators(200), onProposed({ body: { body: text } })],
  getCommentReplyInChangeRequest: [creators(200), onProposed()],
  updateCommentReplyInChangeRequest: [creators(200), onProposed(liked)],
  deleteCommentReplyInChangeRequest: [creators(204), gone],
  listCommentersInChangeRequest: [creators(200)],

  getReviewsByChangeRequestId: [hiddenFromGuests(200)],
  submitChangeRequestReview: [creators(201), body({ status: 'approved' })],
  getRequestedReviewersByChangeRequestId: [hiddenFromGuests(200)],
  requestReviewersForChangeRequest: [creators(200), reviewers],
  removeRequestedReviewerFromChangeRequest: [creators(204), nobody],

  generateStorageUploadURL: [
    creatorsInside(201),
    body({ file: { name: 'a.pdf', type: 'application/pdf', size: 1 }, kind: 'import_file' }),
  ],
  searchSpaceContent: [hiddenFromGuests(200), searched],
  searchOrganizationContent: [insiders(200), searched],

  listSpaceLinks: [hiddenFromGuests(200)],
  listPageLinksInSpace: [hiddenFromGuests(200)],
  listSpacePageBacklinks: [hiddenFromGuests(200)],
  listSpaceFileBacklinks: [hiddenFromGuests(200)],

  getSpaceGitInfo: [hiddenFromGuests(200)],
  listGitOperations: [hiddenFromGuests(200)],
  getGitOperation: [hiddenFromGuests(200)],
  retryGitOperation: [creators(200), failed],
  importGitRepository: [creators(204), imported],
  exportToGitRepository: [creators(204), exported],
  deleteLegacyGitInstallation: [creators(204)],
  setGitSync: [creators(200), synchronised],
  getGitSync: [creators(200)],
  deleteGitSync: [creators(204)],
  receiveGitPush: [unsigned],

  importContent: [creators(201), content],
  importContentInPageById: [creators(201), content],
  importContentInChangeRequest: [creators(201), content],
  importContentInChangeRequestPageById: [creators(201), content],
  listContentImports: [hiddenFromGuests(200)],
  getContentImport: [hiddenFromGuests(200)],
  applyTemplateToSpace: [creators(201), body({ id: 'guide' })],

  getSpacePDF: [hiddenFromGuests(200), printed],
  getChangeRequestPDF: [hiddenFromGuests(200), printed],
  listTranslations: [insiders(200)],
  createTranslation: [creators(201), translated],
  getTranslation: [hiddenFromGuests(200)],
  updateTranslation: [creators(200), body({ instructions })],
  deleteTranslation: [[401, 404, 204, 403, 204, 204, 403], unwanted],
  runTranslation: [creators(204)],
  listTranslationRuns: [hiddenFromGuests(200)],
  getTranslationRun: [hiddenFromGuests(200)],
  cancelTranslationRun: [creators(409)],
  listGlossaryEntries: [hiddenFromGuests(200)],
  updateGlossaryEntries: [creators(204), terms],
  getGlossaryEntry: [hiddenFromGuests(200)],
}
