import { columnsOf, listPage, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { Any } from 'typeorm'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'
import { PageAnchorsEntity, type PageAnchorsRow } from './page-anchors.entity.ts'

const columns = columnsOf(ContentReferenceEntity, 'content_references')
const inOrder = {
  order: [
    { column: 'pageId', type: 'text' },
    { column: 'position', type: 'int' },
  ],
  direction: 'asc' as const,
}
const written = `space_id, page_id, position, target, kind, status, reference, target_kind, target_id, target_anchor, locations`
/** References that are read at once when all are resolved again. */
const batch = 2_000

/** Deletes what is stored of pages. */
export async function deleteOf(db: Db, spaceId: string, pages: string[]): Promise<void> {
  if (pages.length === 0) return
  await db.delete(ContentReferenceEntity, { spaceId, pageId: Any(pages) })
  await db.delete(PageAnchorsEntity, { spaceId, pageId: Any(pages) })
}

/** Deletes all that is stored of a space. */
export async function deleteSpace(db: Db, spaceId: string): Promise<void> {
  await db.delete(ContentReferenceEntity, { spaceId })
  await db.delete(PageAnchorsEntity, { spaceId })
}

/** Stores references; of those that are stored already, what they lead to. */
export async function saveReferences(db: Db, rows: ContentReferenceRow[]): Promise<void> {
  if (rows.length === 0) return
  const column = (valueOf: (row: ContentReferenceRow) => unknown) => rows.map(valueOf)
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await query(
    db,
    `insert into content_references (${written}) select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[],
       $6::text[], $7::jsonb[], $8::text[], $9::text[], $10::text[], $11::jsonb[])
     on conflict (space_id, page_id, position) do update set status = excluded.status, reference = excluded.reference,
       target_kind = excluded.target_kind, target_id = excluded.target_id, target_anchor = excluded.target_anchor`,
    [
      column(row => row.spaceId),
      column(row => row.pageId),
      column(row => row.position),
      column(row => row.target),
      column(row => row.kind),
      column(row => row.status),
      column(row => json(row.reference)),
      column(row => row.targetKind),
      column(row => row.targetId),
      column(row => row.targetAnchor),
      column(row => json(row.locations)),
    ],
  )
}

/** Stores the anchors of pages. */
export async function insertAnchors(db: Db, rows: PageAnchorsRow[]): Promise<void> {
  await query(
    db,
    `insert into page_anchors (space_id, page_id, anchors)
     select space_id, page_id, array(select jsonb_array_elements_text(anchors)) from unnest($1::text[], $2::text[], $3::jsonb[])
       as given (space_id, page_id, anchors)`,
    [
      rows.map(({ spaceId }) => spaceId),
      rows.map(({ pageId }) => pageId),
      rows.map(({ anchors }) => JSON.stringify(anchors)),
    ],
  )
}

/** Checks the references with an anchor from or to some pages of a space, or all when `pages` is undefined, and corrects their status. */
export async function checkAnchors(db: Db, spaceId: string, pages?: string[]): Promise<void> {
  const isTouched = pages ? 'and (r.page_id = any($2) or r.target_id = any($2))' : ''
  const status = `case when exists (select from page_anchors a where a.space_id = r.space_id and a.page_id = r.target_id
    and r.target_anchor = any(a.anchors)) then 'ok' else 'broken' end`
  await query(
    db,
    `update content_references as r set status = ${status}
     where r.space_id = $1 and r.target_anchor is not null ${isTouched} and r.status <> ${status}`,
    [spaceId, ...(pages ? [pages] : [])],
  )
}

/** All references of a space, a batch at a time. */
export async function* allReferences(db: Db, spaceId: string): AsyncGenerator<ContentReferenceRow[]> {
  let after: [string, number] = ['', -1]
  for (;;) {
    const rows = await query<ContentReferenceRow>(
      db,
      `select ${columns} from content_references where space_id = $1 and (page_id, position) > ($2, $3)
       order by page_id, position limit ${batch}`,
      [spaceId, ...after],
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = [last.pageId, last.position]
  }
}

/** Which references are listed: of a space or one of its pages, with a status or with any. */
export interface ReferenceFilter {
  spaceId: string
  pageId?: string | undefined
  status?: string | undefined
}

const matching = `content_references.space_id = $1 and ($2::text is null or content_references.page_id = $2)`

/** References, by page. */
export async function listReferences(
  db: Db,
  { spaceId, pageId = undefined, status = undefined }: ReferenceFilter,
  request: ListRequest,
): Promise<ListPage<ContentReferenceRow>> {
  const source = {
    sql: `select ${columns} from content_references where ${matching} and ($3::text is null or content_references.status = $3)`,
    values: [spaceId, pageId ?? null, status ?? null],
    ...inOrder,
  }
  return listPage<ContentReferenceRow>(db, source, request)
}

/** How many references there are, and how many are broken. */
export async function countReferences(
  db: Db,
  { spaceId, pageId }: ReferenceFilter,
): Promise<{ total: number; broken: { total: number } }> {
  const [row] = await query<{ total: number; broken: number }>(
    db,
    `select count(*) as total, count(*) filter (where status = 'broken') as broken from content_references where ${matching}`,
    [spaceId, pageId ?? null],
  )
  return { total: row?.total ?? 0, broken: { total: row?.broken ?? 0 } }
}

/** The pages of a space that refer to a page or file, without the page itself, each with the first place where it does. */
export async function listReferringPages(
  db: Db,
  { spaceId, targetKind, targetId }: Pick<ContentReferenceRow, 'spaceId' | 'targetKind' | 'targetId'>,
  request: ListRequest,
): Promise<ListPage<Pick<ContentReferenceRow, 'pageId' | 'locations'>>> {
  const source = {
    sql: `select distinct on (page_id) page_id as "pageId", locations from content_references
      where space_id = $1 and target_kind = $2 and target_id = $3 and page_id <> $3 order by page_id, position`,
    values: [spaceId, targetKind, targetId],
    order: [{ column: 'pageId', type: 'text' }],
    direction: 'asc' as const,
  }
  return listPage<Pick<ContentReferenceRow, 'pageId' | 'locations'>>(db, source, request)
}
