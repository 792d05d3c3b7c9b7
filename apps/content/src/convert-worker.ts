/** The module of the worker threads that convert content; a bundle of its own. */
export { docxToMarkdown, htmlFacts, htmlToMarkdown, readOutline, readPreview, rewriteMarkdown } from '@recto/convert'
