import { type Db, query } from '@recto/database'
import { In } from 'typeorm'
import { SpecificationEntity, type SpecificationRow } from './specification.entity.ts'

/** The name of a specification. */
export interface SpecName {
  organizationId: string
  slug: string
}

/** Finds the specifications of an organization by their slugs. */
export async function findAll(db: Db, organizationId: string, slugs: string[]): Promise<SpecificationRow[]> {
  return slugs.length === 0 ? [] : db.findBy(SpecificationEntity, { organizationId, slug: In(slugs) })
}

/** Finds the last versions of specifications, by slug. */
export async function findVersions(db: Db, organizationId: string, slugs: string[]): Promise<Map<string, string>> {
  const where = { organizationId, slug: In(slugs) }
  const rows =
    slugs.length === 0 ? [] : await db.find(SpecificationEntity, { select: { slug: true, version: true }, where })
  return new Map(rows.map(({ slug, version }) => [slug, version]))
}

/** Lists the slugs of an organization's specifications. */
export async function slugsOf(db: Db, organizationId: string): Promise<Set<string>> {
  const rows = await db.find(SpecificationEntity, { select: { slug: true }, where: { organizationId } })
  return new Set(rows.map(({ slug }) => slug))
}

/** Locks the record of a specification until the transaction ends: a read after this lock sees the last record. */
export async function lock(db: Db, { organizationId, slug }: SpecName): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 2))', [`${organizationId} ${slug}`])
}

/**
 * Orders changes of main content and changes of specifications that it names: a writer of pages takes the lock `shared` before reading
 * specifications, a writer of a specification takes it `alone` before reading which pages name it. So one of them sees the other's change.
 */
export async function lockNames(db: Db, organizationId: string, mode: 'shared' | 'alone'): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await query(db, `select ${lock}(hashtextextended($1, 3))`, [organizationId])
}

/** Records the last version of a specification. */
export async function save(db: Db, row: SpecificationRow): Promise<void> {
  await db.upsert(SpecificationEntity, row, ['organizationId', 'slug'])
}

/** Deletes the record of a specification. */
export async function remove(db: Db, name: SpecName): Promise<void> {
  await db.delete(SpecificationEntity, { ...name })
}
