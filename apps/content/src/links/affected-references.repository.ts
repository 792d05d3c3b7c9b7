import { columnsOf, query, type Db } from '@recto/database'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'
import type { ContentAnchorsRow } from './content-anchors.entity.ts'
import type { Affected } from './overlay.rules.ts'

const columns = columnsOf(ContentReferenceEntity, 'content_references')
/** The last name of the path that a target has; see `lastName`. */
const lastName = `regexp_replace(substring(rtrim(split_part(split_part(target, '#', 1), '?', 1), '/') from '[^/]*$'), '\\.md$', '')`
/** Targets whose path is not as it is written: with escapes, entities or spaces, or to a folder. */
const needsReading = `target ~ '[%&[:space:]]' or ${lastName} in ('', '.', '..')`

/**
 * The stored references that a change may resolve otherwise, more rather than fewer; and the broken ones of what it rewrites, to
 * tell what was broken before.
 */
export async function findAffected(
  db: Db,
  spaceId: string,
  { affectsAll, hidden, moved, targets, names }: Affected,
): Promise<ContentReferenceRow[]> {
  return query<ContentReferenceRow>(
    db,
    `select ${columns} from content_references where space_id = $1 and (
       (source_id = any($2) and status = 'broken')
       or (not source_id = any($2) and ($3 or source_id = any($4) or target_id = any($5)
         or (cardinality($6::text[]) > 0 and target not like '#%' and (${lastName} = any($6) or ${needsReading}))))
     )`,
    [spaceId, hidden, affectsAll, moved, targets, names],
  )
}

/** The anchors of some pages and reusable contents of main content. */
export async function findAnchors(db: Db, spaceId: string, sources: string[]): Promise<ContentAnchorsRow[]> {
  return query<ContentAnchorsRow>(
    db,
    `select space_id as "spaceId", source_id as "sourceId", anchors from content_anchors where space_id = $1 and source_id = any($2)`,
    [spaceId, sources],
  )
}
