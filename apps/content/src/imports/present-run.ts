import type { ImportRun, importRunStatuses } from '@recto/contracts-shared'
import type { Db } from '@recto/database'
import type { z } from 'zod'
import { sitesOfSpaces } from '../sites/publications.repository.ts'
import type { ContentImportRow } from './content-import.entity.ts'
import type { ImportOfOrganization } from './import-runs.repository.ts'
import { redactUrl } from './imports.rules.ts'

type Status = (typeof importRunStatuses)[number]

const statuses: Record<ContentImportRow['state'], Status> = {
  queued: 'pending',
  running: 'in-progress',
  success: 'completed',
  failure: 'failed',
  cancelled: 'cancelled',
}

/** The status of an import in a state. */
export function statusOf(state: ContentImportRow['state']): Status {
  return statuses[state]
}

/** The states of imports that have a status; `active` are those that have not ended. */
export function statesOf(status: Status | 'active'): ContentImportRow['state'][] {
  const states = Object.keys(statuses) as ContentImportRow['state'][]
  return states.filter(state =>
    status === 'active' ? state === 'queued' || state === 'running' : statuses[state] === status,
  )
}

/** Presents imports of an organization, without secrets of their URLs; `withPages` says which pages they brought. */
export async function presentRuns(
  rows: ImportOfOrganization[],
  { db, publicUrl }: { db: Db; publicUrl: string },
  { withPages = false }: { withPages?: boolean } = {},
): Promise<z.input<typeof ImportRun>[]> {
  const sites = await sitesOfSpaces(
    db,
    rows.map(({ spaceId }) => spaceId),
  )
  return rows.map(row => {
    const [site = row.siteId, ...others] = sites.get(row.spaceId) ?? []
    const { id, changeRequestId, page, createdBy, startedAt, completedAt, error } = row
    return {
      object: 'import-run',
      id,
      status: statuses[row.state],
      ...(row.state === 'failure' && error && { reason: error.message }),
      source: presentSource(row),
      target: {
        space: row.spaceId,
        ...(changeRequestId !== null && { changeRequest: changeRequestId }),
        ...(page !== null && { page }),
      },
      ...(site !== null && others.length === 0 && { site }),
      createdBy,
      createdAt: row.createdAt.toISOString(),
      updatedAt: (completedAt ?? row.heartbeatAt ?? startedAt ?? row.createdAt).toISOString(),
      ...(startedAt && { startedAt: startedAt.toISOString() }),
      ...(row.state === 'success' && completedAt && { completedAt: completedAt.toISOString() }),
      ...(withPages && { pages: row.pages.map(entry => ({ ...entry, status: 'complete' as const })) }),
      urls: { location: `${publicUrl}/v1/org/${row.organizationId}/imports/${id}` },
    }
  })
}

function presentSource({ source, url, files }: ContentImportRow): z.input<typeof ImportRun>['source'] {
  return source === 'file'
    ? { type: 'file', files: files.map(({ upload }) => upload) }
    : { type: 'website', url: redactUrl(url) }
}
