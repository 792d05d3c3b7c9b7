import type { Db } from '@recto/database'
import { diff, emptyRoot, entries } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'

/** A record of the source that may have changed since the last run; undefined when it is deleted. */
export type PlannedPage = { kind: 'page'; id: string; record: PageRecord | undefined }
export type PlannedReusable = { kind: 'reusable'; id: string; record: ReusableRecord | undefined }
export type Planned = PlannedPage | PlannedReusable

/** Plans a run: the changes since the last one and the pages that it could not finish, or everything when its settings have changed. */
export async function planRun(db: Db, { before, source, unfinished, affectsAll }: PlanRequest): Promise<Planned[]> {
  const pages = await changesSince<PageRecord>(db, {
    before: before?.pagesRoot,
    source: source.pagesRoot,
    unfinished,
    affectsAll,
  })
  const reusable = await changesSince<ReusableRecord>(db, {
    before: before?.reusableRoot,
    source: source.reusableRoot,
    unfinished,
    affectsAll,
  })
  return [
    ...Array.from(pages, ([id, record]) => ({ kind: 'page' as const, id, record })),
    ...Array.from(reusable, ([id, record]) => ({ kind: 'reusable' as const, id, record })),
  ]
}

interface PlanRequest {
  /** The source at the last run. */
  before: RevisionRow | undefined
  source: RevisionRow
  unfinished: readonly string[]
  affectsAll: boolean
}

async function changesSince<Row extends { id: string }>(
  db: Db,
  { before = emptyRoot, source, unfinished, affectsAll }: ChangedRequest,
): Promise<Map<string, Row | undefined>> {
  const store = nodeStore(db)
  const differences = await diff<Row>(store, before, source)
  const changes = new Map(differences.map(({ id, after }) => [id, after]))
  if (!affectsAll && unfinished.length === 0) return changes
  const again = new Set(unfinished)
  for (const [id, record] of await entries<Row>(store, source)) if (affectsAll || again.has(id)) changes.set(id, record)
  return changes
}

interface ChangedRequest extends Pick<PlanRequest, 'unfinished' | 'affectsAll'> {
  before: string | undefined
  source: string
}
