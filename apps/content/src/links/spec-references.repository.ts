import { type Db, query } from '@recto/database'
import { In, Not } from 'typeorm'
import { ContentReferenceEntity, type ContentReferenceRow } from './content-reference.entity.ts'

const kind = 'openapi'

/** The ids of the spaces whose main content names a specification of this slug, in whatever organization. */
export async function spacesNaming(db: Db, slug: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select distinct space_id as id from content_references where kind = '${kind}' and target = $1 order by id`,
    [slug],
  )
  return rows.map(({ id }) => id)
}

/** Writes whether references to a specification lead to one. */
export async function updateSpecStatus(
  db: Db,
  { spaces, slug, status }: { spaces: string[]; slug: string; status: 'ok' | 'broken' },
): Promise<void> {
  if (spaces.length === 0) return
  const where = { spaceId: In(spaces), kind, target: slug, status: Not(status) }
  await db.update(ContentReferenceEntity, where, { status })
}

/** A content that refers to something. */
export type Referrer = Pick<ContentReferenceRow, 'spaceId' | 'sourceKind' | 'sourceId'>

/** The pages and reusable contents of some spaces that name a specification. */
export async function findNaming(db: Db, spaces: string[], slug: string): Promise<Referrer[]> {
  return db.find(ContentReferenceEntity, {
    select: { spaceId: true, sourceKind: true, sourceId: true },
    where: { spaceId: In(spaces), kind, target: slug },
  })
}
