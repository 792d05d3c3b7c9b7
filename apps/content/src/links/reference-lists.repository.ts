import { columnsOf, listPage, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { groupBy } from '../lists/group-by.ts'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'
import type { OverlaidRow, Overlay } from './overlay.rules.ts'

const columns = columnsOf(ContentReferenceEntity, 'content_references')
const stored = `space_id, source_kind, source_id, position, target, kind, status, reference, target_kind, target_id, target_anchor, target_key, locations, visible_when`
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
const givenTypes = Object.entries(rowTypes)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')
const givenColumns = Object.keys(rowTypes)
  .map(name => `given."${name}"`)
  .join(', ')

/** Which references are listed: of main content, or of what an overlay makes of it; of all sources or one of them, with a status or with any. */
export interface ReferenceFilter {
  spaceId: string
  pageId?: string | undefined
  status?: string | undefined
  /** Lists broken references: those that the change request brings, or the others. */
  brokenContext?: 'change-request' | 'space' | undefined
  overlay?: Overlay | undefined
}

/**
 * The references of the space `$1`, and the values of the statement. With an overlay they are without what it hides, and with its rows in
 * the place of those that are stored; without one, Postgres takes a page of them from the index.
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
  const given = `jsonb_to_recordset(${rows}::jsonb) as given (${givenTypes})`
  const from = `(
    select ${stored}, false as is_introduced_here from content_references as r
    where space_id = $1 and not exists (select from unnest(${hidden}::text[]) as hidden (id) where hidden.id = r.source_id)
      and not exists (select from ${given} where given."sourceId" = r.source_id and given.position = r.position)
    union all select ${givenColumns} from ${given}
  ) as content_references`
  return { from, values: [...values, overlay.hidden, JSON.stringify(overlay.rows)] }
}

/** A target that references lead to; those of a page of the list come with their first places. */
export interface ReferencedTarget {
  status: ContentReferenceRow['status']
  targetKey: string
  /** References to it, by what has them, at most as many as `placesOfEach` says; never empty. */
  places: ContentReferenceRow[]
}

type TargetKey = Omit<ReferencedTarget, 'places'>

/** The most places of one target. */
export const maxPlaces = 100
/** The most places of all targets of a page of the list together, each of which has one at least. */
const maxPlacesOfPage = 5_000

/** How many places each of some targets is listed with. */
export function placesOfEach(targets: number): number {
  return Math.max(1, Math.min(maxPlaces, Math.floor(maxPlacesOfPage / Math.max(1, targets))))
}

/** The targets of references, in the order of their keys. */
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

/** Reads the first places of targets; one statement for all of them. */
async function withPlaces(
  db: Db,
  of: Pick<ReferenceFilter, 'spaceId' | 'pageId' | 'overlay'>,
  targets: TargetKey[],
): Promise<ReferencedTarget[]> {
  const keys = targets.map(({ targetKey }) => targetKey)
  const statuses = targets.map(({ status }) => status)
  const { from, values } = referencesOf(of, [of.pageId ?? null, keys, statuses, placesOfEach(targets.length)])
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

/** The condition of references of all sources, or of the page `$2`. */
const isListed = `($2::text is null or source_id = $2)`

/** Whether a change request brings a broken target: all places of it are its own, and main content has no broken one. */
function isIntroducedHere({ overlay }: Pick<ReferenceFilter, 'overlay'>): string {
  return overlay
    ? `(bool_and(is_introduced_here) and not exists (select from content_references as main
        where main.space_id = $1 and main.status = 'broken' and main.target_key = content_references.target_key))`
    : 'false'
}

/** How many targets there are, how many are broken, and how many of these the change request brings. */
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

/** A page or content that refers to a page or file. */
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
