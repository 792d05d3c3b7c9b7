import { columnsOf, listPage, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'
import type { Overlay } from './overlay.rules.ts'

const columns = columnsOf(ContentReferenceEntity, 'content_references')
const stored = `space_id, source_kind, source_id, position, target, kind, status, reference, target_kind, target_id, target_anchor, locations`
const given = `jsonb_to_recordset($3::jsonb) as given ("spaceId" text, "sourceKind" text, "sourceId" text, position int, target text,
  kind text, status text, reference jsonb, "targetKind" text, "targetId" text, "targetAnchor" text, locations jsonb, "isBrought" boolean)`
const givenColumns = `"spaceId", "sourceKind", "sourceId", position, target, kind, status, reference, "targetKind", "targetId", "targetAnchor",
  locations, "isBrought"`

/** Which references are listed: of main content, or of what an overlay makes of it; of all sources or one of them, with a status or with any. */
export interface ReferenceFilter {
  spaceId: string
  pageId?: string | undefined
  status?: string | undefined
  /** Lists broken references: those that the change request brings, or the others. */
  brokenContext?: 'change-request' | 'space' | undefined
  overlay?: Overlay | undefined
}

/** The references of the space `$1`: without what the overlay hides (`$2`), and with its rows (`$3`) in the place of those that are stored. */
const references = `(
  select ${stored}, false as is_brought from content_references as r
  where space_id = $1 and not exists (select from unnest($2::text[]) as hidden (id) where hidden.id = r.source_id)
    and not exists (select from ${given} where given."sourceId" = r.source_id and given.position = r.position)
  union all select ${givenColumns} from ${given}
) as content_references`

const valuesOf = ({ spaceId, overlay }: Pick<ReferenceFilter, 'spaceId' | 'overlay'>) => [
  spaceId,
  overlay?.hidden ?? [],
  JSON.stringify(overlay?.rows ?? []),
]

/** References, by what has them. */
export async function listReferences(
  db: Db,
  { pageId = undefined, status = undefined, brokenContext = undefined, ...of }: ReferenceFilter,
  request: ListRequest,
): Promise<ListPage<ContentReferenceRow>> {
  const source = {
    sql: `select ${columns} from ${references}
      where ($4::text is null or source_id = $4) and ($5::text is null or status = $5)
      and ($6::text is null or (status = 'broken' and is_brought = ($6 = 'change-request')))`,
    values: [...valuesOf(of), pageId ?? null, status ?? null, brokenContext ?? null],
    order: [
      { column: 'sourceId', type: 'text' },
      { column: 'position', type: 'int' },
    ],
    direction: 'asc' as const,
  }
  return listPage<ContentReferenceRow>(db, source, request)
}

/** How many references there are, how many are broken, and how many of these the change request brings. */
export async function countReferences(
  db: Db,
  { pageId, ...of }: Pick<ReferenceFilter, 'spaceId' | 'pageId' | 'overlay'>,
): Promise<{ total: number; broken: number; brought: number }> {
  const [row] = await query<{ total: number; broken: number; brought: number }>(
    db,
    `select count(*) as total, count(*) filter (where status = 'broken') as broken, count(*) filter (where is_brought) as brought
     from ${references} where ($4::text is null or source_id = $4)`,
    [...valuesOf(of), pageId ?? null],
  )
  return row ?? { total: 0, broken: 0, brought: 0 }
}

/** What refers to a page or file. */
export type Referrer = Pick<ContentReferenceRow, 'sourceKind' | 'sourceId' | 'locations'>

/** The pages and reusable contents of a space that refer to a page or file, without the page itself, each with the first place where it does. */
export async function listReferrers(
  db: Db,
  {
    targetKind,
    targetId,
    ...of
  }: Pick<ContentReferenceRow, 'targetKind' | 'targetId'> & Pick<ReferenceFilter, 'spaceId' | 'overlay'>,
  request: ListRequest,
): Promise<ListPage<Referrer>> {
  const source = {
    sql: `select distinct on (source_id) source_kind as "sourceKind", source_id as "sourceId", locations
      from ${references} where target_kind = $4 and target_id = $5 and source_id <> $5 order by source_id, position`,
    values: [...valuesOf(of), targetKind, targetId],
    order: [{ column: 'sourceId', type: 'text' }],
    direction: 'asc' as const,
  }
  return listPage<Referrer>(db, source, request)
}
