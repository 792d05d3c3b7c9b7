import type { FileSource, SourceFile } from '@recto/repository-content'
import { baseName, isMarkdown } from '@recto/repository-format'
import { parallelism, type PageChecks } from './page-checks.ts'

/** Bytes of the pages of one thread: what it parses until the folder's structure is known. */
const batchBytes = 64 * 1024
/** Bytes of a page; a larger one takes a thread for longer than that. */
const maxPageBytes = 16 * 1024
/** The table of contents, unless the configuration names another file. */
const usualSummary = 'SUMMARY.md'

/**
 * Lets threads check the first pages of a folder while the code that reads its structure is loaded, which takes longer than listing the files.
 * A page that turns out to be none has cost time of an idle thread.
 */
export async function beginChecks({ files, read }: FileSource, checks: PageChecks): Promise<void> {
  const isPage = ({ path, size }: SourceFile) =>
    isMarkdown(path) && baseName(path) !== usualSummary && size <= maxPageBytes
  const pages = files.filter(isPage)
  for (let thread = 0; thread < parallelism; thread += 1) {
    const markdowns: string[] = []
    for (let bytes = 0; pages.length > 0 && bytes < batchBytes;) {
      const [page] = pages.splice(0, 1)
      if (!page) break
      bytes += page.size
      markdowns.push(Buffer.from(await read(page.path)).toString())
    }
    if (markdowns.length > 0) checks.begin(markdowns)
  }
}
