import type { imports } from '@recto/contracts-content'
import { failureStatus, type Output } from '@recto/operation'
import type { ContentImportRow } from './content-import.entity.ts'
import { redactPath, redactUrl } from './imports.rules.ts'

/** Presents an import, without secrets of its URL. */
export function presentImport(row: ContentImportRow): Output<typeof imports.getContentImport> {
  const { id, state, source, warnings, changeRequestId, page, revision, error } = row
  return {
    object: 'content-import',
    id,
    state,
    source,
    url: row.url && redactUrl(row.url),
    warnings: warnings.map(({ path, message }) => ({ path: redactPath(path), message })),
    ...(changeRequestId !== null && { changeRequest: changeRequestId }),
    ...(page !== null && { page }),
    importedResources: row.done,
    totalResources: row.total,
    createdAt: row.createdAt.toISOString(),
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.completedAt && { completedAt: row.completedAt.toISOString() }),
    ...(revision !== null && { revision }),
    ...(error && { error: { code: failureStatus[error.code], message: error.message } }),
  }
}
