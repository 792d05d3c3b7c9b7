import { columnsOf, query, type Db } from '@recto/database'
import { Any } from 'typeorm'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'
import { ContentAnchorsEntity, type ContentAnchorsRow } from './content-anchors.entity.ts'

const columns = columnsOf(ContentReferenceEntity, 'content_references')
const storedColumns = `space_id, source_kind, source_id, position, target, kind, status, reference, target_kind, target_id, target_anchor, target_key, locations, visible_when`
/** References read by one statement when all are resolved again. */
const batchSize = 2_000

/** Deletes the references and anchors of these pages and reusable contents. */
export async function deleteOf(db: Db, spaceId: string, sources: string[]): Promise<void> {
  if (sources.length === 0) return
  await db.delete(ContentReferenceEntity, { spaceId, sourceId: Any(sources) })
  await db.delete(ContentAnchorsEntity, { spaceId, sourceId: Any(sources) })
}

/** Deletes all references and anchors of a space. */
export async function deleteSpace(db: Db, spaceId: string): Promise<void> {
  await db.delete(ContentReferenceEntity, { spaceId })
  await db.delete(ContentAnchorsEntity, { spaceId })
}

/** Inserts references; of references that are stored already, updates status and target. */
export async function saveReferences(db: Db, rows: ContentReferenceRow[]): Promise<void> {
  if (rows.length === 0) return
  const column = (valueOf: (row: ContentReferenceRow) => unknown) => rows.map(valueOf)
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await query(
    db,
    `insert into content_references (${storedColumns}) select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[],
       $6::text[], $7::text[], $8::jsonb[], $9::text[], $10::text[], $11::text[], $12::text[], $13::jsonb[], $14::jsonb[])
     on conflict (space_id, source_id, position) do update set status = excluded.status, reference = excluded.reference,
       target_kind = excluded.target_kind, target_id = excluded.target_id, target_anchor = excluded.target_anchor,
       target_key = excluded.target_key`,
    [
      column(row => row.spaceId),
      column(row => row.sourceKind),
      column(row => row.sourceId),
      column(row => row.position),
      column(row => row.target),
      column(row => row.kind),
      column(row => row.status),
      column(row => json(row.reference)),
      column(row => row.targetKind),
      column(row => row.targetId),
      column(row => row.targetAnchor),
      column(row => row.targetKey),
      column(row => json(row.locations)),
      column(row => json(row.visibleWhen)),
    ],
  )
}

/** Stores the anchors of pages and reusable contents. */
export async function insertAnchors(db: Db, rows: ContentAnchorsRow[]): Promise<void> {
  await query(
    db,
    `insert into content_anchors (space_id, source_id, anchors)
     select space_id, source_id, array(select jsonb_array_elements_text(anchors)) from unnest($1::text[], $2::text[], $3::jsonb[])
       as given (space_id, source_id, anchors)`,
    [
      rows.map(({ spaceId }) => spaceId),
      rows.map(({ sourceId }) => sourceId),
      rows.map(({ anchors }) => JSON.stringify(anchors)),
    ],
  )
}

/** Checks the references with an anchor that are from or to these pages and reusable contents, or all of the space, and corrects their status. */
export async function checkAnchors(db: Db, spaceId: string, ids?: string[]): Promise<void> {
  const isTouched = ids ? 'and (r.source_id = any($2) or r.target_id = any($2))' : ''
  const status = `case when exists (select from content_anchors a where a.space_id = r.space_id and a.source_id = r.target_id
    and r.target_anchor = any(a.anchors)) then 'ok' else 'broken' end`
  await query(
    db,
    `update content_references as r set status = ${status}
     where r.space_id = $1 and r.target_anchor is not null ${isTouched} and r.status <> ${status}`,
    [spaceId, ...(ids ? [ids] : [])],
  )
}

/** Reads all references of a space, a batch at a time. */
export async function* allReferences(db: Db, spaceId: string): AsyncGenerator<ContentReferenceRow[]> {
  let after: [string, number] = ['', -1]
  for (;;) {
    const rows = await query<ContentReferenceRow>(
      db,
      `select ${columns} from content_references where space_id = $1 and (source_id, position) > ($2, $3)
       order by source_id, position limit ${batchSize}`,
      [spaceId, ...after],
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = [last.sourceId, last.position]
  }
}
