/** A tool for authors that stands for one operation of the API. Everything that it says comes from the contract. */
export interface AuthorTool {
  name: string
  operationId: string
  /** Fields of its query and its body that the tool takes, besides the parameters of the path; all of the body unless given. */
  fields?: readonly string[]
  /** Fields that every call has. */
  fixed?: Readonly<Record<string, string>>
}

/** The operations that authors use most, by the names of their tools. All others are called by `callOperation`. */
export const authorTools: readonly AuthorTool[] = [
  { name: 'whoAmI', operationId: 'getAuthenticatedUser' },
  { name: 'listOrganizations', operationId: 'listOrganizationsForAuthenticatedUser', fields: ['page', 'limit'] },
  { name: 'listSpaces', operationId: 'listSpacesInOrganizationById', fields: ['page', 'limit'] },
  { name: 'search', operationId: 'searchOrganizationContent', fields: ['query', 'page', 'limit'] },
  { name: 'listPages', operationId: 'listPages', fields: [] },
  { name: 'readPage', operationId: 'getPageByPath', fields: [], fixed: { format: 'markdown' } },
  { name: 'createChangeRequest', operationId: 'createChangeRequest', fields: ['subject'] },
  { name: 'writePages', operationId: 'updateContentInChangeRequest' },
  { name: 'requestReview', operationId: 'requestReviewersForChangeRequest', fields: ['users', 'subject'] },
  { name: 'reviewChangeRequest', operationId: 'submitChangeRequestReview' },
  { name: 'mergeChangeRequest', operationId: 'mergeChangeRequest' },
  { name: 'listComments', operationId: 'listCommentsInChangeRequest', fields: ['page', 'limit'] },
  { name: 'postComment', operationId: 'postCommentInChangeRequest', fields: ['body', 'page', 'node'] },
  { name: 'listSites', operationId: 'listSites', fields: ['page', 'limit'] },
  { name: 'publishSite', operationId: 'publishSite' },
]

/** Schemas that the tools do not take: documents as trees of blocks, which programs write as Markdown. `callOperation` takes them. */
export const schemasOfPrograms: ReadonlySet<string> = new Set(['WrittenDocument'])
