import { columnsOf, query, type Db } from '@recto/database'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'
import type { ContentAnchorsRow } from './content-anchors.entity.ts'
import type { Affected } from './overlay.rules.ts'

const columns = columnsOf(ContentReferenceEntity, 'content_references')
/** SQL: the last name of a target's path, as `lastName` takes it. */
const lastName = `regexp_replace(substring(rtrim(split_part(split_part(target, '#', 1), '?', 1), '/') from '[^/]*$'), '\\.md$', '')`
/** SQL: whether a target's path must be parsed to know it, since it has escapes, entities or spaces, or names a folder. */
const needsReading = `target ~ '[%&[:space:]]' or ${lastName} in ('', '.', '..')`

/**
 * Finds the stored references that a change may resolve otherwise, more rather than fewer; and the broken ones of the sources that it
 * rewrites, to tell which were broken before.
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

/** Finds the anchors of these pages and reusable contents of main content. */
export async function findAnchors(db: Db, spaceId: string, sources: string[]): Promise<ContentAnchorsRow[]> {
  return query<ContentAnchorsRow>(
    db,
    `select space_id as "spaceId", source_id as "sourceId", anchors from content_anchors where space_id = $1 and source_id = any($2)`,
    [spaceId, sources],
  )
}
