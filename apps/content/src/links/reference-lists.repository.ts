import { columnsOf, listPage, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { groupBy } from '../lists/group-by.ts'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'
import type { OverlaidRow, Overlay } from './overlay.rules.ts'

const columns = columnsOf(ContentReferenceEntity, 'content_references')
const storedColumns = `space_id, source_kind, source_id, position, target, kind, status, reference, target_kind, target_id, target_anchor, target_key, locations, visible_when`
const rowTypes = {
  spaceId: 'text',
  sourceKind: 'text',
  sourceId: 'text',
  position: 'int',
  target: 'text',
  kind: 'text',
  status: 'text',
  reference: 'jsonb',
  targetKind: 'text',
  targetId: 'text',
  targetAnchor: 'text',
  targetKey: 'text',
  locations: 'jsonb',
  visibleWhen: 'jsonb',
  isIntroducedHere: 'boolean',
} satisfies Record<keyof OverlaidRow, string>
const overlayTypes = Object.entries(rowTypes)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')
const overlayColumns = Object.keys(rowTypes)
  .map(name => `given."${name}"`)
  .join(', ')

/** Selects references: of main content, or with an overlay those of a change request; of all sources or one page; of any status or one. */
export interface ReferenceFilter {
  spaceId: string
  pageId?: string | undefined
  status?: string | undefined
  /** Selects broken references: those that the change request introduces, or the others. */
  brokenContext?: 'change-request' | 'space' | undefined
  overlay?: Overlay | undefined
}

/**
 * SQL of the references of the space `$1`, and the values of the statement. An overlay hides sources, and its rows replace stored ones;
 * without one, Postgres takes a page of references from the index.
 */
function referencesOf({ spaceId, overlay }: Pick<ReferenceFilter, 'spaceId' | 'overlay'>, more: unknown[]) {
  const values = [spaceId, ...more]
  if (!overlay || overlay.hidden.length + overlay.rows.length === 0)
    return {
      from: `(select *, false as is_introduced_here from content_references where space_id = $1) as content_references`,
      values,
    }
  const hidden = `$${values.length + 1}`
  const rows = `$${values.length + 2}`
  const overlayRows = `jsonb_to_recordset(${rows}::jsonb) as given (${overlayTypes})`
  const from = `(
    select ${storedColumns}, false as is_introduced_here from content_references as r
    where space_id = $1 and not exists (select from unnest(${hidden}::text[]) as hidden (id) where hidden.id = r.source_id)
      and not exists (select from ${overlayRows} where given."sourceId" = r.source_id and given.position = r.position)
    union all select ${overlayColumns} from ${overlayRows}
  ) as content_references`
  return { from, values: [...values, overlay.hidden, JSON.stringify(overlay.rows)] }
}

/** A target that references lead to, with the first references to it. */
export interface ReferencedTarget {
  status: ContentReferenceRow['status']
  targetKey: string
  /** References to the target in the order of their sources, at most `maxPlacesPerTarget` of them; never empty. */
  places: ContentReferenceRow[]
}

type TargetKey = Omit<ReferencedTarget, 'places'>

/** Largest number of places of one target. */
export const maxPlacesOfTarget = 100
/** Largest number of places of all targets of a list page together, unless each of them has one. */
const maxPlacesOfPage = 5_000

/** Largest number of places per target, for this number of targets. */
export function maxPlacesPerTarget(targets: number): number {
  return Math.max(1, Math.min(maxPlacesOfTarget, Math.floor(maxPlacesOfPage / Math.max(1, targets))))
}

/** Lists the targets of references, in the order of their keys. */
export async function listReferences(
  db: Db,
  { status, brokenContext, ...of }: ReferenceFilter,
  request: ListRequest,
): Promise<ListPage<ReferencedTarget>> {
  const { from, values } = referencesOf(of, [of.pageId ?? null, status ?? null, brokenContext ?? null])
  const sql = `select target_key as "targetKey", status from ${from}
    where ${isListed} and ($3::text is null or status = $3) group by target_key, status
    having $4::text is null or (status = 'broken' and ${isIntroducedHere(of)} = ($4 = 'change-request'))`
  const order = [
    { column: 'targetKey', type: 'text' },
    { column: 'status', type: 'text' },
  ]
  const page = await listPage<TargetKey>(db, { sql, values, order, direction: 'asc' }, request)
  return { ...page, items: await withPlaces(db, of, page.items) }
}

/** Reads the first places of all targets in one statement. */
async function withPlaces(
  db: Db,
  of: Pick<ReferenceFilter, 'spaceId' | 'pageId' | 'overlay'>,
  targets: TargetKey[],
): Promise<ReferencedTarget[]> {
  const keys = targets.map(({ targetKey }) => targetKey)
  const statuses = targets.map(({ status }) => status)
  const { from, values } = referencesOf(of, [of.pageId ?? null, keys, statuses, maxPlacesPerTarget(targets.length)])
  const rows = await query<ContentReferenceRow>(
    db,
    `select ${columns} from (
       select *, row_number() over (partition by target_key, status order by source_id, position) as place from ${from}
       where ${isListed} and (target_key, status) in (select * from unnest($3::text[], $4::text[]))
     ) as content_references where place <= $5 order by source_id, position`,
    values,
  )
  const places = groupBy(rows, keyOf)
  return targets.map(target => ({ ...target, places: places.get(keyOf(target)) ?? [] }))
}

function keyOf({ status, targetKey }: TargetKey): string {
  return `${status} ${targetKey}`
}

/** SQL: whether a reference is of the page `$2`, or of any source when `$2` is null. */
const isListed = `($2::text is null or source_id = $2)`

/** SQL: whether a change request introduces a broken target: all its places are of the change request, and main content has no broken one. */
function isIntroducedHere({ overlay }: Pick<ReferenceFilter, 'overlay'>): string {
  return overlay
    ? `(bool_and(is_introduced_here) and not exists (select from content_references as main
        where main.space_id = $1 and main.status = 'broken' and main.target_key = content_references.target_key))`
    : 'false'
}

/** Counts targets, broken targets, and broken targets that the change request introduces. */
export async function countReferences(
  db: Db,
  { pageId, ...of }: Pick<ReferenceFilter, 'spaceId' | 'pageId' | 'overlay'>,
): Promise<{ total: number; broken: number; introduced: number }> {
  const { from, values } = referencesOf(of, [pageId ?? null])
  const [row] = await query<{ total: number; broken: number; introduced: number }>(
    db,
    `select count(*) as total, count(*) filter (where status = 'broken') as broken, count(*) filter (where introduced) as introduced
     from (select status, status = 'broken' and ${isIntroducedHere(of)} as introduced from ${from} where ${isListed}
       group by target_key, status) as targets`,
    values,
  )
  return row ?? { total: 0, broken: 0, introduced: 0 }
}

/** A page or reusable content that refers to a page or file. */
export type Referrer = Pick<ContentReferenceRow, 'sourceKind' | 'sourceId' | 'locations'>

/** Lists the pages and reusable contents of a space that refer to a page or file, without the page itself, each with its first place. */
export async function listReferrers(
  db: Db,
  {
    targetKind,
    targetId,
    ...of
  }: Pick<ContentReferenceRow, 'targetKind' | 'targetId'> & Pick<ReferenceFilter, 'spaceId' | 'overlay'>,
  request: ListRequest,
): Promise<ListPage<Referrer>> {
  const { from, values } = referencesOf(of, [targetKind, targetId])
  const source = {
    sql: `select distinct on (source_id) source_kind as "sourceKind", source_id as "sourceId", locations
      from ${from} where target_kind = $2 and target_id = $3 and source_id <> $3 order by source_id, position`,
    values,
    order: [{ column: 'sourceId', type: 'text' }],
    direction: 'asc' as const,
  }
  return listPage<Referrer>(db, source, request)
}
