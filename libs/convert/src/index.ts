export { type Archive, convertArchive } from './archive.ts'
export { Collector } from './collector.ts'
export { decodeText, detectContentType, dimensionsOf, sniffedBytes } from './content-type.ts'
export { ConvertFailure, type ConvertFailureReason } from './convert-failure.ts'
export { convertDocxUrl } from './docx-page.ts'
export type {
  ConvertedFile,
  ConvertedPage,
  ConvertedSet,
  ConvertLimits,
  ConvertWarning,
  FetchedResource,
} from './model.ts'
export type { ConvertTasks, ConvertTools, RunTask } from './tools.ts'
export type { PagePreview } from './page-preview.ts'
export { slugOf, uniqueNames } from './paths.ts'
export { crawlerName } from './robots.ts'
export { convertHtmlUrl, convertMarkdownUrl } from './single-page.ts'
export { docxToMarkdown, htmlFacts, htmlToMarkdown, readOutline, readPreview, rewriteMarkdown } from './tasks.ts'
export { convertWebsite } from './website.ts'
export { convertZipUrl } from './zip.ts'
