import { docxToMarkdown } from './docx.ts'
import { htmlFacts, htmlToMarkdown } from './html.ts'
import { rewriteMarkdown } from './markdown.ts'
import { readPreview } from './page-preview.ts'
import { readOutline } from './summary.ts'

/** The tasks of a worker thread: pure functions of their input, which strangers wrote. */
export { docxToMarkdown, htmlFacts, htmlToMarkdown, readOutline, readPreview, rewriteMarkdown }
