export { type Archive, convertArchive } from './archive.ts'
export { Collector } from './collector.ts'
export { detectContentType, dimensionsOf, sniffedBytes } from './content-type.ts'
export { ConvertFailure, type ConvertFailureReason } from './convert-failure.ts'
export { convertDocxUrl } from './docx-page.ts'
export type {
  ConvertedFile,
  ConvertedPage,
  ConvertedSet,
  ConvertLimits,
  ConvertTasks,
  ConvertTools,
  ConvertWarning,
  FetchedResource,
  RunTask,
} from './model.ts'
export { slugOf, uniqueNames } from './paths.ts'
export { crawlerName } from './robots.ts'
export { convertHtmlUrl, convertMarkdownUrl } from './single-page.ts'
export { docxToMarkdown, htmlFacts, htmlToMarkdown, readOutline, rewriteMarkdown } from './tasks.ts'
export { convertWebsite } from './website.ts'
export { convertZipUrl } from './zip.ts'
