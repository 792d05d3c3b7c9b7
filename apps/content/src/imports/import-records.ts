import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { actorOf } from '@recto/operation'
import type { ContentImportRow } from './content-import.entity.ts'
import type { ImportOfOrganization } from './import-runs.repository.ts'
import { statusOf } from './present-run.ts'

const subjectOf = ({
  id: importRun,
  spaceId,
  changeRequestId,
  page,
  siteId,
  organizationId,
}: ImportOfOrganization) => ({
  organization: organizationId,
  space: spaceId,
  ...(changeRequestId !== null && { changeRequest: changeRequestId }),
  ...(page !== null && { page }),
  ...(siteId !== null && { site: siteId }),
  importRun,
})

/** Records that an import started. */
export function recordImportStart(tx: Transaction, row: ImportOfOrganization): void {
  tx.record(recorded('import.started', { ...subjectOf(row), details: { source: row.source } }))
}

/** Records how an import ended, as work of who started it. */
export function recordImportEnd(
  tx: Transaction,
  row: ImportOfOrganization,
  state: Extract<ContentImportRow['state'], 'success' | 'failure'>,
): void {
  const details = { status: statusOf(state) }
  tx.record(recorded('import.finished', { ...subjectOf(row), details, actor: actorOf({ userId: row.createdBy }) }))
}

/** Records that the caller cancelled an import. */
export function recordImportCancelled(tx: Transaction, row: ImportOfOrganization): void {
  tx.record(recorded('import.finished', { ...subjectOf(row), details: { status: statusOf('cancelled') } }))
}
