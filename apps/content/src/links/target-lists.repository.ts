import { query, type Db } from '@recto/database'
import { projectedRevisions } from '../projection/main-projections.sql.ts'
import type { ContentReferenceRow } from './content-reference.entity.ts'

/** A stored reference without its places and its status. */
export type TargetRow = Pick<
  ContentReferenceRow,
  'sourceKind' | 'sourceId' | 'target' | 'kind' | 'targetKind' | 'targetId' | 'visibleWhen'
>

/** Stored references with the revision of main content that they belong to; null when none are stored. */
export interface StoredTargets {
  revision: string | null
  rows: TargetRow[]
}

const embedded = `r.kind = 'openapi' or r.target_kind in ('file', 'reusable-content')`

/** Lists the references of a space to files, reusable contents and specifications, which decide whether a visitor sees their targets. */
export function listEmbedded(db: Db, spaceId: string): Promise<StoredTargets> {
  return list(db, spaceId, embedded)
}

/** Lists all references of a space. */
export function listTargets(db: Db, spaceId: string): Promise<StoredTargets> {
  return list(db, spaceId, 'true')
}

/** Reads references and revision in one statement, so that they belong together. */
async function list(db: Db, spaceId: string, condition: string): Promise<StoredTargets> {
  const rows = await query<TargetRow & { revision: string | null; isReference: boolean }>(
    db,
    `select shown.revision, r.source_id is not null as "isReference", r.source_kind as "sourceKind", r.source_id as "sourceId", r.target,
       r.kind, r.target_kind as "targetKind", r.target_id as "targetId", r.visible_when as "visibleWhen"
     from (${projectedRevisions}) shown left join content_references r on r.space_id = shown.space_id and (${condition})
     where shown.space_id = $1`,
    [spaceId],
  )
  return {
    revision: rows[0]?.revision ?? null,
    rows: rows.filter(({ isReference }) => isReference).map(({ revision: _, isReference: __, ...row }) => row),
  }
}

/** Finds the pages and reusable contents of a space that refer to a URL, with the conditions of the places. */
export async function findUrlReferrers(
  db: Db,
  spaceId: string,
  url: string,
): Promise<Pick<TargetRow, 'sourceKind' | 'sourceId' | 'visibleWhen'>[]> {
  return query(
    db,
    `select source_kind as "sourceKind", source_id as "sourceId", visible_when as "visibleWhen" from content_references
     where space_id = $1 and reference->>'kind' = 'url' and reference->>'url' = $2`,
    [spaceId, url],
  )
}
