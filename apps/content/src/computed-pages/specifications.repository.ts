import { type Db, query } from '@recto/database'
import { In } from 'typeorm'
import { SpecificationEntity, type SpecificationRow } from './specification.entity.ts'

/** The name of a specification. */
export interface SpecName {
  organizationId: string
  slug: string
}

/** The specifications of an organization that have these slugs. */
export async function findAll(db: Db, organizationId: string, slugs: string[]): Promise<SpecificationRow[]> {
  return slugs.length === 0 ? [] : db.findBy(SpecificationEntity, { organizationId, slug: In(slugs) })
}

/** The last versions of specifications, by slug. */
export async function findVersions(db: Db, organizationId: string, slugs: string[]): Promise<Map<string, string>> {
  const where = { organizationId, slug: In(slugs) }
  const rows =
    slugs.length === 0 ? [] : await db.find(SpecificationEntity, { select: { slug: true, version: true }, where })
  return new Map(rows.map(({ slug, version }) => [slug, version]))
}

/** The slugs of the specifications of an organization. */
export async function slugsOf(db: Db, organizationId: string): Promise<Set<string>> {
  const rows = await db.find(SpecificationEntity, { select: { slug: true }, where: { organizationId } })
  return new Set(rows.map(({ slug }) => slug))
}

/** Serializes what is recorded of a specification until the transaction ends: what is read behind this lock is the latest. */
export async function lock(db: Db, { organizationId, slug }: SpecName): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 2))', [`${organizationId} ${slug}`])
}

/**
 * Orders a change of main content and one of a specification that it names: who changes what pages name takes it `shared` before looking at
 * specifications, who changes a specification takes it alone before looking at what pages name. So one of them sees the other.
 */
export async function lockNames(db: Db, organizationId: string, mode: 'shared' | 'alone'): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await query(db, `select ${lock}(hashtextextended($1, 3))`, [organizationId])
}

/** Records the last version of a specification. */
export async function save(db: Db, row: SpecificationRow): Promise<void> {
  await db.upsert(SpecificationEntity, row, ['organizationId', 'slug'])
}

/** Forgets a specification that is gone. */
export async function remove(db: Db, name: SpecName): Promise<void> {
  await db.delete(SpecificationEntity, { ...name })
}
