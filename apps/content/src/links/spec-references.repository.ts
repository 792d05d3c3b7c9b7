import { type Db, query } from '@recto/database'
import { In, Not } from 'typeorm'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'

const kind = 'openapi'

/** Finds the ids of spaces whose main content names a specification of this slug, in any organization. */
export async function findSpacesNaming(db: Db, slug: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select distinct space_id as id from content_references where kind = '${kind}' and target = $1 order by id`,
    [slug],
  )
  return rows.map(({ id }) => id)
}

/** Updates the status of references to a specification. */
export async function updateSpecStatus(
  db: Db,
  { spaces, slug, status }: { spaces: string[]; slug: string; status: 'ok' | 'broken' },
): Promise<void> {
  if (spaces.length === 0) return
  const where = { spaceId: In(spaces), kind, target: slug, status: Not(status) }
  await db.update(ContentReferenceEntity, where, { status })
}

/** A page or reusable content of a space that has a reference. */
export type Referrer = Pick<ContentReferenceRow, 'spaceId' | 'sourceKind' | 'sourceId'>

/** Finds the pages and reusable contents of these spaces that name a specification. */
export async function findNaming(db: Db, spaces: string[], slug: string): Promise<Referrer[]> {
  return db.find(ContentReferenceEntity, {
    select: { spaceId: true, sourceKind: true, sourceId: true },
    where: { spaceId: In(spaces), kind, target: slug },
  })
}
