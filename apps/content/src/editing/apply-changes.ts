import { changeFault } from './change-fault.ts'
import type { Batch, Change, ChangeOf, Outcome, Step } from './batch.ts'
import { deleteFile, insertFiles, replaceFile } from './file-changes.ts'
import { insertPage } from './insert-page.ts'
import { deletePage, revertPage, updatePage } from './page-changes.ts'

/** Makes all changes of a batch, in their order. Throws the failure of the first that cannot be made; the batch must not be used then. */
export function applyChanges(changes: Change[], batch: Batch): Outcome[] {
  checkRefs(changes)
  return changes.map((change, at) => applyChange(change, { batch, at }))
}

function applyChange(change: Change, step: Step): Outcome {
  if (change.operation === 'insert_page') return insertLinkedPage(change, step)
  if (change.operation === 'update_page') return updatePage(change, step)
  if (change.operation === 'delete_page') return deletePage(change, step)
  if (change.operation === 'revert_page') return revertPage(change, step)
  if (change.operation === 'insert_files') return insertFiles(change, step)
  if (change.operation === 'replace_file') return replaceFile(change, step)
  return deleteFile(change, step)
}

/** Inserts a page, and then its meta links: they are written as they are seen from its file. */
function insertLinkedPage(change: ChangeOf<'insert_page'>, step: Step): Outcome {
  const outcome = insertPage(change, step)
  const { metaLinks } = change
  if (metaLinks && outcome.page !== undefined)
    updatePage({ operation: 'update_page', page: outcome.page, metaLinks }, step)
  return outcome
}

/** Throws when two changes of the batch give the same name. */
function checkRefs(changes: Change[]): void {
  const seen = new Set<string>()
  const check = (ref: string | undefined, at: number, field: string) => {
    if (ref === undefined) return
    if (seen.has(ref)) throw changeFault(at, field, 'must not be used twice in a batch')
    seen.add(ref)
  }
  for (const [at, change] of changes.entries()) {
    if (change.operation === 'insert_page') check(change.ref, at, 'ref')
    if (change.operation === 'insert_files')
      for (const [number, file] of change.files.entries()) check(file.ref, at, `files.${number}.ref`)
  }
}
