import { ask } from './ask.ts'
import { changeRequestContent } from './change-request-content.ts'
import { changeRequests } from './change-requests.ts'
import { collections } from './collections.ts'
import { changeComments } from './change-comments.ts'
import { changeRequestComments } from './change-request-comments.ts'
import { comments } from './comments.ts'
import { computed } from './computed.ts'
import { content } from './content.ts'
import { differences } from './differences.ts'
import { editing } from './editing.ts'
import { fonts } from './fonts.ts'
import { glossary } from './glossary.ts'
import { history } from './history.ts'
import { importRuns } from './import-runs.ts'
import { imports, changeRequestImports } from './imports.ts'
import { lifecycle } from './lifecycle.ts'
import { links, changeRequestLinks } from './links.ts'
import { merging } from './merging.ts'
import { pdf, changeRequestPdf } from './pdf.ts'
import { spacePermissions, collectionPermissions } from './permissions.ts'
import { repositories } from './repositories.ts'
import { reviews } from './reviews.ts'
import { search } from './search.ts'
import { spaces } from './spaces.ts'
import { translations } from './translations.ts'
import { uploads } from './uploads.ts'
import { embeds, urls } from './urls.ts'

export * from './ask.ts'
export * from './change-request-content.ts'
export * from './change-requests.ts'
export * from './collections.ts'
export * from './comment.ts'
export * from './change-comments.ts'
export * from './change-request-comments.ts'
export { formatted } from './comment-rows.ts'
export * from './comments.ts'
export * from './computed.ts'
export * from './content.ts'
export * from './differences.ts'
export * from './editing.ts'
export * from './fonts.ts'
export * from './glossary.ts'
export * from './history.ts'
export * from './import-runs.ts'
export * from './imports.ts'
export * from './lifecycle.ts'
export * from './links.ts'
export * from './merging.ts'
export * from './pdf.ts'
export * from './permissions.ts'
export * from './repositories.ts'
export * from './reviews.ts'
export * from './search.ts'
export * from './spaces.ts'
export * from './translations.ts'
export * from './uploads.ts'
export * from './urls.ts'

/** Operations of the API that content answers. */
export const contentApi = {
  ...spaces,
  ...lifecycle,
  ...collections,
  ...spacePermissions,
  ...collectionPermissions,
  ...content,
  ...computed,
  ...imports,
  ...importRuns,
  ...editing,
  ...uploads,
  ...fonts,
  ...search,
  ...ask,
  ...links,
  ...history,
  ...differences,
  ...repositories,
  ...changeRequests,
  ...merging,
  ...changeRequestContent,
  ...comments,
  ...changeRequestComments,
  ...changeComments,
  ...reviews,
  ...changeRequestLinks,
  ...changeRequestImports,
  ...pdf,
  ...changeRequestPdf,
  ...embeds,
  ...urls,
  ...translations,
  ...glossary,
}
