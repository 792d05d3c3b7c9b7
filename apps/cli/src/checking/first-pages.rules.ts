import type { SourceFile } from '@recto/repository-content'
import { baseName, isMarkdown } from '@recto/repository-format'

/** Bytes of the pages of one thread: what it parses until the folder's structure is known. */
const batchBytes = 64 * 1024
/** Bytes that a page counts at least: reading and sending many small ones takes time, too. */
const minPageBytes = 1024
/** Bytes of a page; a larger one takes a thread for longer than that. */
const maxPageBytes = 16 * 1024
/** The table of contents, unless the configuration names another file. */
const usualSummary = 'SUMMARY.md'

/** The first pages of a folder, as far as its list of files tells, in a batch for each thread. */
export function firstPages(files: readonly SourceFile[], threads: number): SourceFile[][] {
  const batches: SourceFile[][] = []
  let left = 0
  for (const file of files) {
    if (!isMarkdown(file.path) || baseName(file.path) === usualSummary || file.size > maxPageBytes) continue
    if (left <= 0) {
      if (batches.length === threads) break
      batches.push([])
      left = batchBytes
    }
    batches.at(-1)?.push(file)
    left -= Math.max(file.size, minPageBytes)
  }
  return batches
}
